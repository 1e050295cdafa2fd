"""A line that is under way, or that never ended."""

import pytest

from mcptap.tui.index.folding.begun import begun_line, data_of
from mcptap.tui.index.rows import make_row
from tests.helpers import Tape, call, handshake, record
from tests.tui.screens import InProcessFeed, indexed

BEGUN = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"once upon'


def test_while_it_is_live_a_message_says_whose_answer_it_will_be_and_how_much_came(tmp_path):
    with Tape(tmp_path / "x.jsonl") as tape:
        tape.play([*handshake(), ("c2s", call(1, "story")), ("s2c", BEGUN)])
        feed = InProcessFeed(tape.path)
        feed.catch_up(live=True)
        begun = begun_line(feed.index, 6)
        assert (begun.words, begun.is_ending) == ("answer to story · 77 B so far", True)
        tape.play([("wait", 2_000_000), ("s2c", b" a time"), ("s2c", b" there")])
        feed.catch_up(live=True)
        row = make_row(feed.index, 6)
        assert row.method == "part of a message"
        assert row.excerpt == "answer to story · 90 B so far, 3 parts in 2.00 s · once upon"
        assert begun_line(feed.index, 6, 7).size == 84
        tape.play([("s2c", b'"}]}}\n')])
        feed.catch_up(live=True)
        assert [feed.index.lines.row_of(i) for i in (6, 7, 8)] == [9] * 3
        assert begun_line(feed.index, 6, 7).words == "answer to story · 84 B so far, 2 parts in 2.00 s"
        feed.close()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"method":"ping","params":{"a":', "ping · 31 B, its end is missing"),
        (b'{"id":99,"result":', "answer to id 99 · 18 B, its end is missing"),
        (b"Loading", "7 B, its end is missing"),
    ],
)
def test_where_the_recording_breaks_off_its_end_is_missing(tmp_path, data, words):
    index = indexed(record(tmp_path / "x.jsonl", [*handshake(), ("s2c", data)]))
    assert begun_line(index, 5).words == words
    assert data_of(index, 5) == data
    assert data_of(index, 0) == b""
