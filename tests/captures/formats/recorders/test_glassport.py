"""Recordings of glassport: frames, its header, its gate, and what it did not write."""

import json
from typing import Any

import pytest

from mcptap.recording.format.model import Damaged, Event, Line, RecordingError
from tests.captures.reading import ANSWER, INITIALIZE, read


def frame(sequence: int, side: str, content: Any, **more: Any) -> str:
    is_text = isinstance(content, str)
    fields = {"frame": None if is_text else content, "raw": content if is_text else None}
    stamp = f"2026-03-14T09:26:53.{sequence:03}000+00:00"
    return json.dumps({"schema_version": "0.1", "seq": sequence, "ts": stamp, "dir": side, **fields, **more})


def test_frames_give_lines_and_times_and_a_missing_number_is_a_gap():
    text = "\n".join(
        [
            json.dumps({"type": "glassport.header", "schema_version": "0.2", "transport": "stdio"}),
            frame(1, "c2s", json.loads(INITIALIZE)),
            frame(4, "s2c", "Server ready"),
            json.dumps({"type": "glassport.metrics", "frames_seen": 4, "write_failures": 2}),
            json.dumps({"schema_version": "0.1", "seq": 5, "dir": "s2c", "frame": None, "raw": None}),
        ]
    )
    source, items = read(text)
    assert [type(item) for item in items] == [Line, Event, Line, Event, Damaged]
    assert [item.t_us for item in items[:3]] == [0, 3000, 3000]
    assert (items[1].kind, items[1].fields["records"]) == ("gap", 2)
    assert items[3].fields["text"] == "glassport could not write 2 frames"
    assert source.passed_over == 1


@pytest.mark.parametrize("action", ["blocked", "injected"])
def test_what_the_gate_kept_back_or_said_itself_is_no_line_of_the_session(action: str):
    _, items = read(
        "\n".join(
            [
                frame(1, "c2s", json.loads(INITIALIZE)),
                frame(2, "s2c", json.loads(ANSWER), gate={"action": action}),
            ]
        )
    )
    assert [type(item) for item in items] == [Line, Event]
    passed = frame(2, "s2c", json.loads(ANSWER), gate={"action": "gate_skipped"})
    assert [type(item) for item in read(passed)[1]] == [Line]


@pytest.mark.parametrize(
    "first",
    [
        json.dumps({"type": "glassport.header", "schema_version": "0.2", "transport": "http"}),
        frame(1, "s2c", json.loads(ANSWER), sse_meta={"event": "message"}),
    ],
)
def test_a_session_over_http_is_refused(first: str):
    with pytest.raises(RecordingError, match="over HTTP by glassport"):
        read(first)
