"""Exports of the MCP Inspector, beside the samples."""

import json

from mcptap.recording.format.model import Damaged, Event, Line
from tests.captures.reading import read


def entry(seconds: int, **members: object) -> dict[str, object]:
    stamp = f"2026-03-14T09:26:{seconds:02}.000Z"
    return {"id": "m", "timestamp": stamp, "direction": "request", "origin": "client", **members}


ASKS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
ANSWERS = {"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}


def test_an_answer_stands_where_it_came():
    late = entry(1, message=ASKS, response=ANSWERS, duration=5000, clientError="no title")
    between = entry(3, origin="server", direction="notification", message={"method": "a", "params": {}})
    _, items = read(json.dumps([late, between]))
    assert [(type(i), i.number, i.t_us) for i in items] == [
        (Line, 1, 0),
        (Line, 2, 2_000_000),
        (Line, 3, 5_000_000),
        (Event, 4, 5_000_000),
    ]


def test_an_entry_without_a_message_is_damaged():
    _, items = read(json.dumps([entry(1, message=ASKS), entry(2)]))
    assert [type(item) for item in items] == [Line, Damaged]
