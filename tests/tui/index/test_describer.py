"""From records and messages to the columns of the index."""

import pytest

from mcptap.protocol.model.message import classify
from mcptap.recording.format.model import Damaged, Event, Header, Part
from mcptap.tui.index import describer as module
from mcptap.tui.index.batch import Batch
from mcptap.tui.index.describer import Describer, kind_of, subject
from mcptap.tui.index.index import OTHER_NAME
from mcptap.tui.index.kinds import ChannelCode, Kind
from tests.diagnosis.sessions import line


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', Kind.REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', Kind.NULL_ID),
        (b'{"jsonrpc":"2.0","method":"x"}', Kind.NOTIFICATION),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', Kind.RESULT),
        (b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}', Kind.ERROR),
        (b'{"jsonrpc":"2.0","id":1,"result":{"isError":true}}', Kind.TOOL_ERROR),
        (b"Loading", Kind.POLLUTION),
        (b"  ", Kind.BLANK),
    ],
)
def test_a_line_has_the_kind_of_its_message(data, kind):
    assert kind_of(classify(line(2, "s2c", data))) is kind


def test_any_line_of_stderr_is_stderr():
    assert kind_of(classify(line(2, "stderr", b'{"jsonrpc":"2.0","id":1,"method":"ping"}'))) is Kind.STDERR


@pytest.mark.parametrize(
    ("method", "params", "about"),
    [
        ("tools/call", {"name": "forecast", "uri": "x"}, "forecast"),
        ("prompts/get", {"name": "greet"}, "greet"),
        ("resources/read", {"uri": "file:///a", "name": "x"}, "file:///a"),
        ("tools/call", {"name": 5}, ""),
        ("tools/call", ["forecast"], ""),
        ("ping", None, ""),
    ],
)
def test_a_request_is_about_a_tool_a_prompt_or_a_resource(method, params, about):
    assert subject(method, params) == about


def test_a_name_has_one_number_and_is_reported_once():
    describer = Describer()
    assert describer.name("a") == describer.name("a") != describer.name("b")
    assert describer.new_names == ["a", "b"]
    assert describer.name("") == OTHER_NAME


def test_names_beyond_the_limit_share_a_number(monkeypatch):
    monkeypatch.setattr(module, "NAME_LIMIT", 2)
    describer = Describer()
    assert describer.name("a") == 1
    assert describer.name("b") == describer.name("c") == OTHER_NAME
    assert describer.new_names == ["a"]


def part(number, at, data=b"x"):
    return Part(number=number, channel="s2c", data=data, at=at, t_us=0, wall_us=0)


def test_the_end_of_a_line_is_told_with_its_first_part_and_each_part_names_that():
    describer, batch = Describer(), Batch(10)
    for record in (part(11, 0), part(12, 0), part(13, 1)):
        describer.add_other(batch, record, 1)
    describer.add_line(batch, classify(line(14, "stderr", b"x")))
    assert not batch.ended
    describer.add_line(batch, classify(line(15, "s2c", b"xx")))
    assert list(batch.refs) == [0, 0, 12, 0, 0]
    assert list(batch.ended) == [11, 14]
    assert not batch.continued


def test_the_rest_of_a_line_says_that_it_holds_no_more():
    describer, batch = Describer(), Batch(0)
    describer.add_other(batch, part(1, 0), 1)
    describer.add_line(batch, classify(line(2, "s2c", b"rest")), is_rest=True)
    assert list(batch.ended) == list(batch.continued) == [0, 1]


def test_a_line_that_does_not_begin_like_the_parts_before_it_is_not_theirs():
    describer, batch = Describer(), Batch(0)
    for n, data in enumerate((b"another line", b"x")):
        describer.add_other(batch, part(n + 1, 0, b"a long line"), 1)
        describer.add_line(batch, classify(line(n + 2, "s2c", data)))
    describer.add_other(batch, part(5, 0), 1)
    describer.lose("s2c")
    describer.add_line(batch, classify(line(6, "s2c", b"x")))
    assert not batch.ended


def test_each_record_has_one_entry_in_every_column():
    describer, batch = Describer(), Batch(0)
    records = [Header({}), Event(2, "end", 5, 0, {"ch": "c2s"}), part(3, 0), Damaged(4, b"?", "why")]
    for record in records:
        describer.add_other(batch, record, 7)
    columns = (batch.times, batch.refs, batch.sizes, batch.kinds, batch.channels, batch.methods, batch.tools)
    assert {len(column) for column in columns} == {len(batch)} == {4}
    assert [Kind(kind) for kind in batch.kinds] == [Kind.HEADER, Kind.EVENT, Kind.PART, Kind.DAMAGED]
    assert list(batch.channels) == [ChannelCode.NONE, ChannelCode.C2S, ChannelCode.S2C, ChannelCode.NONE]
    assert list(batch.sizes) == [7, 0, 1, 7]
