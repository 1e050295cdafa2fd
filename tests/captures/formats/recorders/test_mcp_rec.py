"""Recordings of mcp-rec."""

import json

from mcptap.recording.format.model import Damaged, Line
from tests.captures.reading import INITIALIZE, read


def test_entries_give_lines_and_times_in_seconds():
    entries = [
        {"ts": 1773480413.589, "dir": "client->server", "msg": json.loads(INITIALIZE)},
        {"ts": 1773480414.5, "dir": "server->client", "msg": {"_raw": "Server ready", "_unparsed": True}},
        {"ts": 1773480414.5, "dir": "server->client", "msg": 3},
        {"ts": 1773480414.5, "msg": 3},
    ]
    source, items = read("\n".join(map(json.dumps, entries)))
    assert [type(item) for item in items] == [Line, Line, Line, Damaged]
    assert [(item.t_us, item.data) for item in items[1:3]] == [(911_000, b"Server ready"), (911_000, b"3")]
    assert source.header.start_wall_us == 1_773_480_413_589_000
    assert source.evidence.order
