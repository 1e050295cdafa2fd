"""The helpers make what the reader reads: else tests that use them would prove nothing."""

from __future__ import annotations

from pathlib import Path

from mcptap.recording.format.model import Event, Line
from mcptap.recording.reader import Reader, State
from tests.helpers import END, START_WALL_US, Tape, call, handshake, record, text_result


def test_a_made_recording_is_read_back_with_the_clock_that_was_set(tmp_path: Path) -> None:
    steps = [*handshake(), ("c2s", call(1, "x")), ("wait", 5_000), ("s2c", text_result(1, "é")), *END]
    with Reader(str(record(tmp_path / "a.jsonl", steps, name="other"))) as reader:
        items = list(reader.items())
        assert reader.header.name == "other"
        assert reader.state() is State.FINISHED
    lines = [item for item in items if isinstance(item, Line)]
    assert [line.t_us for line in lines] == [2_000, 3_000, 4_000, 5_000, 11_000]
    assert lines[-1].wall_us == START_WALL_US + 11_000
    assert "é".encode() in lines[-1].data
    assert [item.kind for item in items if isinstance(item, Event)] == ["spawn", "eof", "eof", "eof", "exit"]


def test_a_recording_is_live_while_its_tape_is_open_and_crashed_after(tmp_path: Path) -> None:
    with Tape(tmp_path / "a.jsonl") as tape, Reader(tape.path) as reader:
        tape.play([("s2c", b"half a li")])
        assert list(reader.items()) == []
        assert reader.unfinished()[0].data == b"half a li"
        assert reader.state() is State.LIVE
        tape.close()
        assert list(reader.items()) == []
        assert reader.state() is State.CRASHED
