"""Recordings of mcp-cassette: JSON lines of the one, documents of the other."""

import json

import pytest

from mcptap.recording.format.model import Damaged, Line, RecordingError
from tests.captures.reading import ANSWER, INITIALIZE, read


def test_a_cassette_of_json_lines_is_read():
    text = "\n".join(
        json.dumps(entry)
        for entry in [
            {"type": "header", "cassetteVersion": 2, "startedAt": "2026-08-15T14:00:00Z",
             "command": ["node", "x.mjs"]},
            {"type": "frame", "t": 4, "dir": "c2s", "frame": json.loads(INITIALIZE)},
            {"type": "raw", "t": 5, "dir": "s2c", "data": "Server ready"},
            {"type": "note", "t": 6},
            {"type": "frame", "t": 85, "dir": "s2c", "frame": json.loads(ANSWER)},
        ]
    )  # fmt: skip
    source, items = read(text)
    assert [(i.number, i.channel, i.t_us) for i in items] == [
        (2, "c2s", 4000),
        (3, "s2c", 5000),
        (5, "s2c", 85000),
    ]
    assert not source.evidence.values


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({"type": "header", "cassetteVersion": 3}, "version 3"),
        ({"type": "header", "cassetteVersion": 2, "transport": "http"}, "over http"),
        ({"format_version": 4, "messages": []}, "version 4"),
    ],
)
def test_a_cassette_that_cannot_be_read_is_refused(header, why):
    with pytest.raises(RecordingError, match=why):
        read(json.dumps(header))


def test_a_cassette_that_is_one_document_is_read():
    document = {
        "format_version": 3,
        "recorded_at": "2026-07-18T19:23:09.805479Z",
        "transport": "stdio",
        "server_info": {"name": "echo", "version": "1"},
        "messages": [
            {
                "seq": 0,
                "t_offset_ms": 125,
                "sender": "client",
                "kind": "request",
                "payload": json.loads(INITIALIZE),
            },
            {"seq": 1, "t_offset_ms": 130, "sender": "server", "kind": "raw", "payload": "Server ready"},
            {"seq": 2, "sender": "nobody"},
        ],
    }
    source, items = read(json.dumps(document, indent=2))
    assert source.header.name == "echo"
    assert [(i.number, type(i)) for i in items] == [(1, Line), (2, Line), (3, Damaged)]
    assert (items[0].channel, items[0].t_us, items[1].data) == ("c2s", 125_000, b"Server ready")
