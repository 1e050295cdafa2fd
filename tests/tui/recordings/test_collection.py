"""Recordings of a folder, summed up and judged."""

import os
import time

from mcptap.captures import summary as summaries
from mcptap.captures.summary import summarise_any
from mcptap.recording.reader import State
from mcptap.tui.recordings import collection as collections
from mcptap.tui.recordings.collection import Collection
from mcptap.tui.recordings.judging import judge
from tests.helpers import END, Tape, call, handshake, record, request, text_result


def nothing():
    pass


def test_recordings_are_summed_up_then_judged(tmp_path):
    record(tmp_path / "good.jsonl", [*handshake(), *END])
    record(tmp_path / "bad.jsonl", [*handshake(), ("s2c", b"noise\n"), *END])
    (tmp_path / "other.jsonl").write_text("no recording\n")
    collection = Collection([os.fspath(tmp_path)])
    assert not collection.is_loaded
    collection.look(nothing)
    assert collection.is_loaded
    assert (collection.unreadable, collection.unjudged) == (1, 2)
    assert all(collection.awaits(s.path) for s in collection.summaries)
    judged = []
    collection.judge(judge, lambda: judged.append(sum(s.problems is not None for s in collection.summaries)))
    assert judged == [1, 2]
    assert collection.unjudged == 0
    errors = {os.path.basename(s.path): s.problems["error"] for s in collection.summaries}
    assert errors == {"good.jsonl": 0, "bad.jsonl": 1}


def test_large_recordings_are_judged_last_and_then_their_messages_are_no_estimate(tmp_path, monkeypatch):
    steps = [*handshake()]
    for number in range(1, 40):
        steps += [("c2s", call(number, "a")), ("s2c", text_result(number, "x" * 100))]
    large = os.fspath(record(tmp_path / "large.jsonl", [*steps, *END]))
    small = os.fspath(record(tmp_path / "small.jsonl", [*handshake(), *END], wall=1))
    monkeypatch.setattr(summaries, "WHOLE_BYTES", 4000)
    monkeypatch.setattr(summaries, "PROBE_BYTES", 1000)
    collection = Collection([os.fspath(tmp_path)])
    collection.look(nothing)
    order = []
    collection.judge(lambda path, is_probe: order.append(path) or judge(path, is_probe), nothing)
    assert order == [small, large]
    collection.look(nothing)
    assert all(s.is_exact for s in collection.summaries)


def test_what_another_tool_captured_is_listed_and_what_is_nothing_is_looked_into_once(tmp_path, monkeypatch):
    (tmp_path / "a.jsonl").write_text('{"dir":"c2s","msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}\n')
    (tmp_path / "b.jsonl").write_text("nothing\n")
    collection = Collection([os.fspath(tmp_path)])
    collection.look(nothing)
    assert [bool(s.origin) for s in collection.summaries] == [True]
    read = []
    monkeypatch.setattr(collections, "summarise_any", lambda path: read.append(path) or summarise_any(path))
    collection.look(nothing)
    assert (read, collection.unreadable) == ([], 1)
    (tmp_path / "b.jsonl").write_text("nothing at all\n")
    collection.look(nothing)
    assert len(read) == 1


def test_what_can_not_be_judged_is_asked_for_once(tmp_path):
    record(tmp_path / "a.jsonl", [*handshake(), *END])
    collection = Collection([os.fspath(tmp_path)])
    collection.look(nothing)
    asked = []
    for _ in range(2):
        collection.judge(lambda path, is_probe: asked.append((path, is_probe)), nothing)
        collection.look(nothing)
    assert len(asked) == 1
    assert collection.summaries[0].problems is None
    assert not collection.awaits(collection.summaries[0].path)


def test_a_live_session_is_judged_anew_when_it_grows_and_when_it_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(collections, "AGEING", 0.0)
    monkeypatch.setattr(collections, "SHARE", 0)
    collection = Collection([os.fspath(tmp_path)])
    outcomes = []

    def look():
        collection.look(nothing)
        # One judgement: what waits is judged again and again, so that its verdict tells for how long.
        rounds = iter([True])
        collection.judge(judge, lambda: next(rounds, None))
        (found,) = collection.summaries
        outcomes.append((found.state, found.outcome))

    with Tape(tmp_path / "a.jsonl", wall=time.time_ns() // 1000) as tape:
        tape.play(handshake())
        look()
        assert collection.unjudged == 0
        tape.play([("s2c", b"noise\n")])
        look()
        tape.play(END)
    look()
    assert outcomes == [
        (State.LIVE, "healthy"),
        (State.LIVE, "broken"),
        (State.FINISHED, "broken"),
    ]


def test_a_recording_that_grew_while_it_was_judged_keeps_the_judgement_and_is_judged_again(tmp_path):
    collection = Collection([os.fspath(tmp_path)])
    with Tape(tmp_path / "a.jsonl", wall=time.time_ns() // 1000) as tape:
        tape.play(handshake())
        collection.look(nothing)

        def slow(path, is_probe):
            found = judge(path, is_probe)
            tape.play([("c2s", request(5, "ping"))])
            collection.look(nothing)
            return found

        collection.judge(slow, nothing)
        (summary,) = collection.summaries
        assert (summary.outcome, collection.unjudged) == ("healthy", 0)
        assert summary.messages > judge(summary.path, False).messages - 2


def test_what_did_not_change_is_not_read_again_and_what_was_deleted_goes(tmp_path):
    path = record(tmp_path / "a.jsonl", [*handshake(), *END])
    collection = Collection([os.fspath(tmp_path)])
    collection.look(nothing)
    (before,) = collection.summaries
    assert before.state is State.FINISHED
    collection.look(nothing)
    assert collection.summaries[0] is before
    path.unlink()
    collection.look(nothing)
    assert collection.summaries == []
