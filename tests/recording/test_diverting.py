"""What came on a channel is recorded, and how much of each line did not go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mcptap.recording.diverting import DivertingRecorder
from mcptap.recording.file import RecordingFile
from mcptap.recording.format.content import NOT_JSON
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Damaged, Line
from mcptap.recording.reader import Reader
from mcptap.recording.writer import DIVERTED, LINE_LIMIT, Recorder
from tests.helpers import header


def test_each_line_has_what_was_said_of_it(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    recorder = Recorder(0, RecordingFile([str(path)], lambda locked: header(locked=locked), print))
    shown: list[Any] = []

    def cut(data: bytes, value: Any) -> tuple[int | None, Any]:
        if value is not NOT_JSON:
            return None, value
        return (5, "freed") if data.startswith(b"five ") else (len(data), DIVERTED)

    channel = DivertingRecorder(recorder, "s2c", cut, lambda _: False, lambda *seen: shown.extend(seen[2]))
    channel.take(b"text\r\n{}\nfi")
    assert channel.cuts == [4, None]
    channel.take(b"ve six\n")
    channel.take(b"last")
    channel.end()
    recorder.close()
    with Reader(str(path)) as reader:
        lines = [item for item in reader.items() if isinstance(item, Line)]
    assert [line.diverted for line in lines] == [4, None, 5, None]
    assert [line.delivered for line in lines] == [b"", b"{}\n", b"six\n", b"last"]
    assert b"".join(line.raw for line in lines) == b"text\r\n{}\nfive six\nlast"
    assert shown == [DIVERTED, {}, "freed", NOT_JSON]


def test_lines_that_all_pass_are_written_in_one_go(tmp_path: Path) -> None:
    recorder = Recorder(0, None)
    recorder.codec.use_orjson()
    asked: list[int] = []
    channel = DivertingRecorder(
        recorder, "s2c", lambda *_: (None, None), lambda values: bool(asked.append(len(values))) or True
    )
    channel.take(b'{"a":1}\n' * 400)
    assert (asked, channel.cuts) == ([400], [None] * 400)


def test_a_line_in_parts_keeps_it_through_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    recorder = Recorder(0, RecordingFile([str(path)], lambda locked: header(locked=locked), print))
    channel = DivertingRecorder(recorder, "s2c", lambda *_: (LINE_LIMIT + 2, DIVERTED), lambda _: False)
    channel.take(b"x" * (LINE_LIMIT + 1))
    channel.take(b"y\n")
    recorder.close()
    with Reader(str(path)) as reader:
        (line,) = reader.items()
    assert isinstance(line, Line)
    assert (line.diverted, line.delivered, len(line.raw)) == (LINE_LIMIT + 2, b"", LINE_LIMIT + 3)


def test_a_count_that_is_none_makes_the_record_a_damaged_one() -> None:
    record = b'{"n":2,"k":"line","t":1,"wall":1,"ch":"s2c","diverted":"x","text":"y"}'
    assert isinstance(decode_record(record, 2), Damaged)
