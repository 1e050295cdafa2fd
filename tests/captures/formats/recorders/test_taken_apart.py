"""Messages whose members stand beside those of the recorder."""

import json
from typing import Any

from mcptap.recording.format.model import Damaged, Event, Line
from tests.captures.reading import read

ENTRY = {"ts": "2026-03-14T09:26:53.589Z", "server": "harbour", "dir": "client->server"}


def text_of(*entries: Any) -> str:
    return "\n".join(map(json.dumps, entries))


def test_a_response_of_wayv_loses_the_method_that_it_never_had():
    back = {**ENTRY, "dir": "server->client"}
    source, items = read(
        text_of(
            {**ENTRY, "kind": "request", "id": 0, "method": "initialize", "params": {}},
            {**back, "kind": "response", "id": 0, "method": "initialize", "durationMs": 9, "result": {}},
            {**ENTRY, "kind": "notification", "method": "notifications/initialized"},
            {**back, "kind": "raw", "raw": "Server ready"},
            {**back, "kind": "raw", "raw": "Server\u2026"},
            {**back, "kind": "alert", "detail": "a tool changed"},
            {**back, "kind": "raw"},
        )
    )
    assert [type(item) for item in items] == [Line, Line, Line, Line, Damaged, Event, Damaged]
    assert [item.value for item in items[:3]] == [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "id": 0, "result": {}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    assert source.header.name == "harbour"
    assert source.evidence.unknown[:2] == ["exact bytes", "whether messages had all their members"]


def test_where_only_request_and_response_are_told_the_method_tells_the_side():
    source, items = read(
        text_of(
            {"ts": 1, "dir": "req", "id": 1, "method": "tools/call", "params": {}},
            {"ts": 2, "dir": "req", "id": 1, "method": "sampling/createMessage", "params": {}},
            {"ts": 3, "dir": "res", "id": 1, "result": {"role": "assistant"}, "error": None},
            {"ts": 4, "dir": "res", "id": 1, "error": {"code": 1, "message": "no"}},
        )
    )
    assert [item.channel for item in items] == ["c2s", "s2c", "s2c", "c2s"]
    assert "error" not in items[2].value
    assert not source.evidence.directions
    assert not source.evidence.times
