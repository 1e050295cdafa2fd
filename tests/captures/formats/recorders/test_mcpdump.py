"""Recordings of mcpdump, and traces mcp-trace/1: both keep the text of each line."""

import json

import pytest

from mcptap.recording.format.model import Damaged, Event, Line, RecordingError
from tests.captures.reading import ANSWER, INITIALIZE, read

MCPDUMP = {"format": "mcpdump-session", "version": 1, "at": "2026-03-14T09:26:53+00:00", "argv": ["node", 3]}
TRACE = {"format": "mcp-trace/1", "server": "node x.js", "started_at": "2026-03-14T09:26:53Z"}


def text_of(*entries: object) -> str:
    return "\n".join(map(json.dumps, entries))


def test_mcpdump_keeps_the_spacing_of_a_line():
    source, items = read(
        text_of(
            MCPDUMP,
            {"seq": 1, "atMs": 10.5, "direction": "to_server", "line": INITIALIZE.replace(",", ", ")},
            {"seq": 3, "atMs": 12, "direction": "to_client", "line": "Server ready"},
            {"seq": 4, "direction": "to_nobody", "line": ""},
        )
    )
    assert [type(item) for item in items] == [Line, Event, Line, Damaged]
    assert items[0].data == INITIALIZE.replace(",", ", ").encode()
    assert [(item.t_us, item.wall_us - source.header.start_wall_us) for item in items[:3]] == [
        (10_500, 10_500),
        (12_000, 12_000),
        (12_000, 12_000),
    ]
    assert source.header.argv == ["node"]
    assert source.evidence.values


def test_a_trace_replaces_values():
    source, items = read(
        text_of(TRACE, {"dir": "s2c", "elapsed_ms": 9, "method": "initialize", "body": ANSWER})
    )
    assert [(item.channel, item.t_us, item.data) for item in items] == [("s2c", 9000, ANSWER.encode())]
    assert not source.evidence.values


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({**MCPDUMP, "version": 2}, "mcpdump, version 2"),
        ({**TRACE, "format": "mcp-trace/2"}, "the form mcp-trace/2"),
        ({**TRACE, "server": "https://sea.example/mcp"}, "over HTTP"),
    ],
)
def test_what_another_version_or_transport_wrote_is_refused(header: dict[str, object], why: str):
    with pytest.raises(RecordingError, match=why):
        read(text_of(header))
