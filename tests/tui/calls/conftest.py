"""A session with calls of every kind, for tests of the calls."""

import os

import pytest

from tests.helpers import END, call, error, handshake, notification, record, request, result, text_result

OPENING, LISTED, QUICK, FAILED, REFUSED, CANCELLED, ASKED, SILENT = 2, 5, 7, 9, 11, 13, 15, 17
"""Indices of the requests of that session: all but `ASKED` are the client's."""

STEPS = [
    *handshake(),
    ("c2s", request(1, "tools/list")),
    ("s2c", result(1, {"tools": [{"name": "forecast"}]})),
    ("c2s", call(2, "history", {"city": "Ulm"})),
    ("wait", 10_000),
    ("s2c", text_result(2, "needle " * 40)),
    ("c2s", call(3, "forecast")),
    ("wait", 2_000_000),
    ("s2c", text_result(3, "no", is_error=True)),
    ("c2s", call(4, "Alarm")),
    ("s2c", error(4, -32602, "Invalid params")),
    ("c2s", call(5, "forecast")),
    ("c2s", notification("notifications/cancelled", {"requestId": 5})),
    ("s2c", request("s", "roots/list")),
    ("c2s", result("s", {"roots": []})),
    ("c2s", call(6, "forecast")),
    ("wait", 3_000_000),
]


@pytest.fixture
def path(tmp_path):
    return os.fspath(record(tmp_path / "calls.jsonl", [*STEPS, *END]))
