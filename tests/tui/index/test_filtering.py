import os
import threading

import pytest

from mcptap.query import parse
from mcptap.tui.index.filtering import IndexRow, RunningFilter
from tests.helpers import END, Tape, call, error, handshake, record, request, text_result
from tests.tui.screens import InProcessFeed, fed


@pytest.fixture
def index(tmp_path):
    steps = [
        *handshake(),
        ("c2s", call(7, "read_file", {"path": "Größe.txt"})),
        ("wait", 2_000_000),
        ("s2c", text_result(7, 'He said "no" to Größe')),
        ("c2s", call("x", "write_file")),
        ("s2c", error("x", -32602, "Invalid params")),
        ("s2c", b"Loading weights\n"),
        ("stderr", b"careful\n"),
        ("c2s", request(8, "ping")),
        *END,
    ]
    return fed(os.fspath(record(tmp_path / "x.jsonl", steps))).index


def numbers(index, text):
    """Record numbers that a filter lets through, worked out in this thread."""
    running = RunningFilter(index, parse(text), lambda: None)
    if running.query.literal is not None:
        running._by_text(running.query.literal)
    else:
        running.advance()
    assert running.is_complete
    return [i + 1 for i in running.picked]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("method:tools/call", [6, 7, 8, 9]),
        ("tool:read_*", [6, 7]),
        ("dir:stderr kind:stderr", [11]),
        ("kind:pollution", [10]),
        ("kind:request status:error", [8]),
        ("status:unanswered", [12]),
        ("id:7", [6, 7]),
        ("id:x", [8, 9]),
        ("latency:>1s", [6, 7]),
        ("kind:answer not tool:read_file", [4, 9]),
        ("tool:read_file or kind:stderr", [6, 7, 11]),
        ("n:3..4", [3, 4]),
        ("kind:answer text:invalid", [9]),
        ("größe", [6, 7]),
        ('"said \\"no\\""', [7]),
        ("loading", [10]),
        ("size:<10 dir:s2c,stderr kind:stderr", [11]),
        ("nothing_like_it", []),
    ],
)
def test_a_filter_lets_through_what_it_says(index, text, wanted):
    assert numbers(index, text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "kind:request",
        "-dir:c2s",
        "tool:read_*",
        "method:tools/call,ping kind:answer",
        "not (kind:event or tool:*)",
    ],
)
def test_names_are_judged_once_with_the_same_outcome_as_for_every_record(index, text):
    query = parse(text)
    running, row = RunningFilter(index, query, lambda: None), IndexRow(index)
    each = running._matches_each(row)(0, index.described)
    by_name = running._matches_by_name(row)
    assert by_name is not None
    assert list(by_name(0, index.described)) == list(each)


def test_the_envelope_of_a_record_is_not_searched(index):
    assert numbers(index, "wall") == [1]  # the header is all content
    assert numbers(index, "c2s") == []
    assert numbers(index, "stdio") == [1]
    assert numbers(index, '"the server\'s input"') == [13]


def test_a_piece_of_text_gives_the_same_by_bytes_and_by_records(index):
    row = IndexRow(index)
    for text in ("größe", "params", "x", "jsonrpc", "weights", "exit", "ended"):
        query = parse(text)
        slow = []
        for row.i in range(1, len(index)):
            if query.matches(row):
                slow.append(row.i + 1)
        assert [n for n in numbers(index, text) if n > 1] == slow


def test_a_running_filter_tells_of_hits_and_stops_when_it_is_cancelled(index):
    told = []
    complete = threading.Event()

    def changed():
        told.append(len(running.picked))
        if running.is_complete:
            complete.set()

    running = RunningFilter(index, parse("kind:request"), changed)
    running.start()
    assert complete.wait(20)
    running.cancel()
    running.join()
    assert told
    assert len(running.picked) == 4


def test_a_line_in_parts_is_judged_by_all_its_bytes_and_its_parts_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr("mcptap.recording.writer.LINE_LIMIT", 20)
    steps = [
        ("c2s", call(7, "read")),
        ("s2c", b'{"jsonrpc":"2.0","id":7,'),
        ("s2c", b'"result":{"a":"needle",'),
    ]
    steps += [
        ("stderr", b"needle\n" * 5),
        ("s2c", b'"b":1}}\n'),
        ("s2c", b"needle in what nev"),
        ("s2c", b"er"),
    ]
    index = fed(os.fspath(record(tmp_path / "x.jsonl", [*handshake(), *steps]))).index
    assert numbers(index, "needle") == [9, 10, 11, 12, 13, 14, 15]
    assert numbers(index, "dir:s2c needle") == [14, 15]
    assert numbers(index, "dir:s2c never") == [15]
    assert numbers(index, "tool:read needle") == [14]
    assert numbers(index, "dir:stderr") == [9, 10, 11, 12, 13]


def test_what_was_under_way_when_it_passed_passes_as_what_it_became(tmp_path):
    with Tape(tmp_path / "x.jsonl") as tape:
        tape.play([*handshake(), ("s2c", b"need"), ("c2s", call(1, "needle"))])
        feed = InProcessFeed(tape.path)
        feed.catch_up(live=True)
        by_kind, by_text = (
            RunningFilter(feed.index, parse(text), lambda: None) for text in ("dir:s2c", "need")
        )
        by_kind.advance()
        by_text._by_text("need")
        before = list(by_kind.picked)
        assert (before[-1], list(by_text.picked)) == (5, [5, 6])
        assert not by_kind._leave_ended()
        tape.play([("s2c", b"le\n")])
        feed.catch_up(live=True)
        for running in (by_kind, by_text):
            assert running._leave_ended()
        by_kind.advance()
        by_text._by_text("need")
        assert list(by_kind.picked) == [*before[:-1], 7]
        assert list(by_text.picked) == [6, 7]
        feed.close()
