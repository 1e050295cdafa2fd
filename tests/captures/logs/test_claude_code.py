"""Sentences of Claude Code, whichever of its logs they stand in."""

import re

import pytest

from mcptap.captures.logs.claude_code import ENDS, STARTS


@pytest.mark.parametrize(
    "text",
    [
        b"STDIO connection closed after 62s (cleanly)",
        b"STDIO connection dropped after 95s uptime",
        b"UNKNOWN connection closed after 0s (with errors)",
        b"Connection failed after 73ms (CONNECTION_CLOSED): MCP error -32000: Connection closed",
        b"Connection timeout triggered after 30001ms (limit: 30000ms)",
    ],
)
def test_an_end_makes_room_for_the_next_start(text: bytes):
    assert re.match(ENDS, text)
    assert not re.match(STARTS, text)
