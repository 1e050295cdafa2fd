"""Traces of mcp-conformance."""

import json

import pytest

from mcptap.recording.format.model import Damaged, Event, Line, RecordingError
from tests.captures.reading import INITIALIZE, read

OPEN = {"seq": 0, "direction": "client-to-server", "transport": "stdio", "kind": "lifecycle"}


def test_messages_are_lines_and_moments_of_the_transport_are_told():
    entries = [
        {**OPEN, "event": "transport-open"},
        {**OPEN, "seq": 1, "kind": "message", "payload": json.loads(INITIALIZE)},
        {**OPEN, "seq": 2, "kind": "telepathy"},
    ]
    source, items = read("\n".join(map(json.dumps, entries)))
    assert [type(item) for item in items] == [Event, Line, Damaged]
    assert items[0].fields["text"] == "lifecycle: transport-open"
    assert not source.evidence.times


def test_times_are_used_where_each_event_has_one():
    entries = [{**OPEN, "kind": "message", "payload": 1, "ts": f"2026-03-14T09:26:5{i}Z"} for i in (3, 5)]
    source, items = read("\n".join(map(json.dumps, entries)))
    assert source.evidence.times
    assert [item.t_us for item in items] == [0, 2_000_000]


def test_a_session_over_http_is_refused():
    with pytest.raises(RecordingError, match="over streamable-http by mcp-conformance"):
        read(json.dumps({**OPEN, "transport": "streamable-http"}))
