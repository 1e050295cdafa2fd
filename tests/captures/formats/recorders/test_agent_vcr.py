"""Recordings of agent-vcr: a document of exchanges."""

import json
from typing import Any

import pytest

from mcptap.recording.format.model import Line, RecordingError
from tests.captures.reading import read


def document(*exchanges: Any, **metadata: Any) -> str:
    asked = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}}
    return json.dumps(
        {
            "format_version": "1.0.0",
            "metadata": {"transport": "stdio", **metadata},
            "session": {
                "initialize_request": asked,
                "initialize_response": {"jsonrpc": "2.0", "id": 0, "result": {}, "error": None},
                "interactions": list(exchanges),
            },
        }
    )


def test_members_that_its_data_model_adds_are_taken_out():
    exchange = {
        "direction": "client_to_server",
        "timestamp": "2026-03-14T09:26:53+00:00",
        "request": {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": None},
        "notifications": [{"jsonrpc": "2.0", "method": "notifications/message", "params": {}}],
        "response": {"jsonrpc": "2.0", "id": 1, "result": None, "error": {"code": -32603, "message": "no"}},
        "latency_ms": 5,
    }
    source, items = read(document(exchange, server_command="node", server_args=["x.js"]))
    assert [(item.channel, item.t_us) for item in items] == [
        ("c2s", 0),
        ("s2c", 0),
        ("c2s", 0),
        ("s2c", 0),
        ("s2c", 5000),
    ]
    assert [set(item.value) for item in items] == [
        {"jsonrpc", "id", "method", "params"},
        {"jsonrpc", "id", "result"},
        {"jsonrpc", "id", "method"},
        {"jsonrpc", "method", "params"},
        {"jsonrpc", "id", "error"},
    ]
    assert (source.header.argv, source.evidence.times, source.evidence.whole) == (
        ["node", "x.js"],
        True,
        False,
    )


def test_an_exchange_that_is_none_is_damage():
    _, items = read(document({"direction": "up", "request": {}}, 3))
    assert [type(item) is Line for item in items] == [True, True, False]


def test_a_session_over_sse_is_refused():
    with pytest.raises(RecordingError, match="over sse by agent-vcr"):
        read(document(transport="sse"))
