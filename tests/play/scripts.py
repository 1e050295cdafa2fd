"""A client's scripts, of plain lines or of the rows of a recording, without a file."""

from __future__ import annotations

from typing import Any

from mcptap.play.client.client_script import ClientScript, from_lines, from_recording
from mcptap.recording.format.model import Event, Header, Line
from tests.helpers import as_bytes


def lines(*messages: Any) -> ClientScript:
    """A script of plain lines."""
    return from_lines(b"".join(map(as_bytes, messages)))


def recorded(*rows: tuple[str, int, Any]) -> ClientScript:
    """A script from rows of channel, milliseconds and message."""
    items: list[Event | Line] = [Event(2, "spawn", 0, 0, {"pid": 1})]
    for number, (channel, ms, message) in enumerate(rows, 3):
        raw = as_bytes(message)
        items.append(Line(number, channel, raw.rstrip(b"\n"), b"\n", ms * 1000, ms * 1000, 0))
    return from_recording(Header({"mcptap": 1}), items)
