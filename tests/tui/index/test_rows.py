"""Rows of the timeline say the same of a record as filters and rules do."""

import os

import pytest

from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.protocol.model.request import PENDING, UNANSWERED
from mcptap.query.row import ItemRow
from mcptap.recording.reader import Reader
from mcptap.tui.index.filtering import IndexRow
from mcptap.tui.index.kinds import Kind
from mcptap.tui.index.rows import make_row
from tests.helpers import END, call, error, handshake, notification, record, request, result, text_result
from tests.tui.screens import fed


def cancellation(id):
    return notification("notifications/cancelled", {"requestId": id})


ODD_LINES = {
    "a request with null as its id": ("c2s", b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n'),
    "an answer with null as its error": ("s2c", b'{"jsonrpc":"2.0","id":7,"error":null}\n'),
    "an answer with null as its result": ("s2c", b'{"jsonrpc":"2.0","id":7,"result":null}\n'),
    "an answer with result and error": (
        "s2c",
        b'{"jsonrpc":"2.0","id":7,"result":{},"error":{"code":1,"message":"x"}}\n',
    ),
    "an answer without an id": ("s2c", b'{"jsonrpc":"2.0","result":{}}\n'),
    "an answer without jsonrpc": ("s2c", b'{"id":7,"result":{}}\n'),
    "an answer to nothing": ("s2c", b'{"jsonrpc":"2.0","id":99,"result":{}}\n'),
    "an answer with its id as text": ("s2c", b'{"jsonrpc":"2.0","id":"7","result":{}}\n'),
    "an object with nothing but the id": ("s2c", b'{"jsonrpc":"2.0","id":7}\n'),
    "a method that is no text": ("c2s", b'{"jsonrpc":"2.0","id":8,"method":5}\n'),
    "an empty batch": ("c2s", b"[]\n"),
    "a batch of numbers": ("s2c", b"[1,2]\n"),
    "a batch": ("s2c", b'[{"jsonrpc":"2.0","id":7,"result":{}}]\n'),
    "a number": ("s2c", b"5\n"),
    "an empty object": ("s2c", b"{}\n"),
    "no JSON": ("s2c", b"Loading\n"),
    "no UTF-8": ("s2c", b"\xff\xfe\n"),
    "a blank line": ("s2c", b" \n"),
    "a cancellation of nothing": ("c2s", cancellation(55)),
    "a notification": ("s2c", notification("notifications/x")),
}


def seen_by_filters(path):
    """What a filter of `show` sees of each record once all were read."""
    rows = []
    with Reader(path) as reader:
        diagnosis = Diagnosis(reader.header)
        rows = [ItemRow(item, diagnosis.feed(item)) for item in reader.items()]
        diagnosis.finish(reader.state())
    # A pending request of a session that has ended is what transcript and timeline call unanswered.
    status = {PENDING: UNANSWERED}
    return {row.number: (row.kind, row.method, row.id, status.get(row.status, row.status)) for row in rows}


def seen_by_the_timeline(index):
    row = IndexRow(index)
    seen = {}
    for row.i in range(1, len(index)):
        if index.kinds[row.i] != Kind.EVENT:
            seen[row.number] = (row.kind, row.method, row.id, row.status)
    return seen


@pytest.mark.parametrize("line", ODD_LINES.values(), ids=ODD_LINES.keys())
def test_an_odd_line_is_the_same_to_the_timeline_and_to_filters(tmp_path, line):
    steps = [*handshake(), ("c2s", request(7, "ping")), line, *END]
    path = record(tmp_path / "x.jsonl", steps)
    index = fed(os.fspath(path)).index
    by_filters = seen_by_filters(path)
    by_timeline = seen_by_the_timeline(index)
    assert by_timeline == {number: by_filters[number] for number in by_timeline}
    assert [make_row(index, i).kind for i in range(len(index))] == list(index.kinds)


def test_what_became_of_a_request_is_the_same_to_the_timeline_and_to_filters(tmp_path):
    steps = [
        *handshake(),
        ("c2s", call(1, "a")),
        ("s2c", text_result(1, "no", is_error=True)),
        ("s2c", text_result(1, "again")),
        ("c2s", call(2, "a")),
        ("c2s", cancellation(2)),
        ("s2c", result(2)),
        ("c2s", call(3, "a")),
        ("c2s", cancellation(3)),
        ("c2s", call(4, "a")),
        ("s2c", error(4, -1, "x")),
        ("c2s", call(5, "a")),
        *END,
    ]
    path = record(tmp_path / "x.jsonl", steps)
    by_filters = seen_by_filters(path)
    by_timeline = seen_by_the_timeline(fed(os.fspath(path)).index)
    assert by_timeline == {number: by_filters[number] for number in by_timeline}


def test_a_record_that_is_too_long_for_a_row_is_not_decoded_for_it(tmp_path):
    text = "y" * 200_000
    index = fed(os.fspath(record(tmp_path / "x.jsonl", [*handshake(), ("s2c", text_result(0, text))]))).index
    row = make_row(index, 5)
    assert row.kind == Kind.RESULT
    assert len(row.excerpt) <= 400


@pytest.mark.parametrize(
    "members",
    [
        '"id":1,"method":"tools/call","params":{"name":"a","arguments":@}',
        '"method":"notifications/message","params":{"level":@}',
        '"id":0,"result":{"tools":[{"name":@}]}',
        '"id":0,"error":{"code":-1,"message":@}',
    ],
)
def test_a_record_that_nests_as_deep_as_python_can_follow_has_a_row(tmp_path, members):
    data = f'{{"jsonrpc":"2.0",{members}}}\n'.replace("@", "[" * 1000 + "]" * 1000).encode()
    channel = "c2s" if "method" in members else "s2c"
    path = record(tmp_path / "x.jsonl", [*handshake()[:2], (channel, data)])
    assert "[[[[" in make_row(fed(os.fspath(path)).index, 3).excerpt
