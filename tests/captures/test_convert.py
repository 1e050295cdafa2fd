"""A capture as a recording: the same session, and no more known of it than before."""

from __future__ import annotations

import io
import json
import re
from contextlib import closing
from pathlib import Path

import jsonschema
import pytest

from mcptap.captures.convert import recording_of
from mcptap.captures.evidence import to_fields
from mcptap.captures.lines import begun_line, log_event, outline_line, told_line, unknown_header
from mcptap.captures.open import RecordingSource, Source, open_source, open_sources, source_of
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.recording.format.lines import BEGINS, OUTLINE, TOLD
from mcptap.recording.format.model import Damaged, Event, Item, Line
from mcptap.recording.reader import State
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

from .reading import ANSWER, INITIALIZE, LIST

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "recordings" / "schema.json").read_text())
RECORDINGS = sorted((ROOT / "recordings").glob("*.jsonl"))


def converted(source: Source) -> tuple[bytes, RecordingSource]:
    data = b"".join(recording_of(source))
    return data, RecordingSource("converted", io.BytesIO(data))


def judged(source: Source) -> list[tuple[str, str]]:
    items = list(source.items())
    diagnosis = Diagnosis(source.header, timed=source.evidence.times, evidence=source.evidence)
    for item in items:
        diagnosis.feed(item)
    findings = diagnosis.finish(source.state(), source.unfinished())
    return [(finding.rule, finding.level.word) for finding in findings]


def raw_lines(recording: bytes) -> list[bytes]:
    return [
        item.raw
        for item in RecordingSource("recording", io.BytesIO(recording)).items()
        if isinstance(item, Line)
    ]


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recording_is_converted_to_the_same_session(path):
    original = path.read_bytes()
    data, again = converted(RecordingSource("original", io.BytesIO(original)))
    assert judged(again) == judged(RecordingSource("original", io.BytesIO(original)))
    assert raw_lines(data) == raw_lines(original)


def test_a_capture_keeps_in_its_header_what_it_does_not_know():
    text = f"{INITIALIZE}\n{ANSWER}\nnoise\n{LIST}\n".encode()
    data, again = converted(source_of("log", text))
    assert to_fields(again.evidence) == to_fields(source_of("log", text).evidence)
    assert judged(again) == judged(source_of("log", text))
    for record in data.splitlines():
        jsonschema.validate(json.loads(record), SCHEMA)
    kinds = [json.loads(record)["k"] for record in data.splitlines()]
    assert kinds == ["header", "line", "line", "gap", "line"]


class Items:
    """A source that has these items."""

    path, position, lines, passed_over = "items", 0, 0, 0
    header = unknown_header()
    evidence = source_of("x", f"{INITIALIZE}\n".encode()).evidence

    def __init__(self, *items: Item) -> None:
        self._items = items

    def items(self):
        return iter(self._items)

    def unfinished(self):
        return [Line(9, SERVER_TO_CLIENT, b"half", b"", 0, 0, 0, complete=False)]

    def state(self):
        return State.UNKNOWN

    def close(self):
        pass


def test_what_is_known_of_a_line_stays_with_it():
    asked = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {}}
    source = Items(
        outline_line(1, CLIENT_TO_SERVER, asked),
        told_line(2, CLIENT_TO_SERVER, {**asked, "id": "log-1"}),
        begun_line(3, SERVER_TO_CLIENT, "harbour da"),
        log_event(4, "Client closed", level="error"),
        Damaged(5, b"?", "it is odd"),
    )
    data, again = converted(source)
    for record in data.splitlines():
        jsonschema.validate(json.loads(record), SCHEMA)
    outline, told, begun, log, gap, half = again.items()
    assert isinstance(outline, Line)
    assert isinstance(told, Line)
    assert isinstance(begun, Line)
    assert [outline.known, told.known, begun.known] == [OUTLINE, TOLD, BEGINS]
    assert json.loads(outline.data) == asked
    assert isinstance(log, Event)
    assert (log.fields["text"], log.fields["level"]) == ("Client closed", "error")
    assert isinstance(gap, Event)
    assert gap.fields["why"] == "it is odd"
    assert isinstance(half, Line)
    assert half.raw == b"half"


SAMPLES = sorted(path for path in (Path(__file__).parent / "samples").rglob("*") if path.suffix != ".toml")

RECORDS = re.compile(r"[Rr]ecords? [\d, and]+")


def told(source: Source) -> list[tuple[str, str, str, str, int, str]]:
    """The findings about a session, but for the numbers of records."""
    with closing(source):
        diagnosis = Diagnosis(source.header, timed=source.evidence.times, evidence=source.evidence)
        for item in source.items():
            diagnosis.feed(item)
        findings = diagnosis.finish(source.state(), source.unfinished())
        return sorted(
            (
                f.rule,
                f.level.word,
                f.subject,
                f.side,
                f.count,
                re.sub(r"[Rr]ecords? [\d, and]+", "", f.message),
            )
            for f in findings
        )


@pytest.mark.parametrize("path", [path for path in SAMPLES if path.is_file()], ids=lambda path: path.name)
def test_of_each_session_of_a_sample_the_recording_says_what_the_sample_says(path):
    for number, source in enumerate(open_sources(str(path)), 1):
        judged_there = told(source)
        named = source.path if "#" in source.path else str(path)
        with closing(open_source(named)) as again:
            data = b"".join(recording_of(again))
        assert told(RecordingSource("converted", io.BytesIO(data))) == judged_there, number
