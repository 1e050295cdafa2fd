"""Recordings of mcpsnoop."""

import json

import pytest

from mcptap.recording.format.model import Damaged, Event, Line, RecordingError
from tests.captures.reading import ANSWER, INITIALIZE, read

SNOOP = {"session_id": "a", "server_label": "weather", "transport": "stdio", "ts": "2026-07-01T10:00:00Z"}


def snoop(sequence: int, direction: str, **fields: object) -> str:
    return json.dumps(
        {
            **SNOOP,
            "seq": sequence,
            "direction": direction,
            "ts": f"2026-07-01T10:00:00.{sequence:03}123456Z",
            **fields,
        }
    )


def test_mcpsnoop_gives_lines_times_and_launch():
    text = "\n".join(
        [
            json.dumps(
                {**SNOOP, "seq": 1, "direction": "meta", "raw": {"command": ["node", "x.js"], "cwd": "/srv"}}
            ),
            snoop(2, "c2s", raw=json.loads(INITIALIZE)),
            snoop(3, "s2c", text="Server ready"),
            snoop(4, "stderr", text="warming up"),
            snoop(5, "s2c", raw=json.loads(ANSWER)),
        ]
    )
    source, items = read(text)
    assert (source.header.name, source.header.argv, source.header.cwd) == (
        "weather",
        ["node", "x.js"],
        "/srv",
    )
    assert [(i.channel, i.t_us) for i in items] == [
        ("c2s", 2123),
        ("s2c", 3123),
        ("stderr", 4123),
        ("s2c", 5123),
    ]
    assert items[3].value == json.loads(ANSWER)
    assert source.evidence.times
    assert source.evidence.launch
    assert not source.evidence.order


def test_what_mcpsnoop_dropped_or_cut_is_said():
    text = "\n".join(
        [snoop(1, "c2s", raw=json.loads(INITIALIZE)), snoop(4, "s2c", text='{"jsonrpc', truncated=True)]
    )
    _, items = read(text)
    assert [type(i) for i in items] == [Line, Event, Damaged]
    assert items[1].fields["records"] == 2


def test_a_session_over_http_is_refused():
    with pytest.raises(RecordingError, match="over HTTP"):
        read(json.dumps({**SNOOP, "transport": "http", "seq": 1, "direction": "c2s", "raw": {}}))
