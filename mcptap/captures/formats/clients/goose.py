"""goose's logs (`~/.local/state/goose/logs/…`): JSON lines of a tracing subscriber. They have no messages.

What they tell of MCP: extensions that failed to load and why, and lines that the library could not read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mcptap.captures.format import HEAD, Beginning, Certainty, Format
from mcptap.captures.formats.clients.codex import ABOUT, EVIDENCE, UNREADABLE, WROTE
from mcptap.captures.lines import from_rfc3339, object_of
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.recording.format.model import Item, RecordingError
from mcptap.wire import SERVER_TO_CLIENT, STDERR

TARGETS = ("goose", "rmcp", "mcp_client", "mcp_core")


class GooseDecoder(LogDecoder):
    """Decodes the log of all extensions of a goose."""

    def __init__(self) -> None:
        super().__init__(replace(EVIDENCE, origin="goose's log"))

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """What this entry tells of an extension."""
        fields = object_of(raw)
        text = None if fields is None else message_of(fields)
        if fields is None or text is None or not is_about(fields, text):
            yield from self.pass_over(raw)
            return
        wall_us = from_rfc3339(fields.get("timestamp"))
        data = text.encode(errors="replace")
        wrote, unreadable = WROTE.search(data), UNREADABLE.search(data)
        if wrote is not None:
            yield self.line(number, STDERR, wrote[1], wall_us)
        elif unreadable is not None:
            yield self.line(number, SERVER_TO_CLIENT, unreadable[1], wall_us)
        else:
            yield self.log(number, text, wall_us, str(fields.get("level", "")).lower())


def message_of(fields: dict[str, Any]) -> str | None:
    """The text of an entry."""
    inner = fields.get("fields")
    text = inner.get("message") if isinstance(inner, dict) else None
    return text if isinstance(text, str) else None


def is_about(fields: dict[str, Any], text: str) -> bool:
    """Whether an entry is about an extension."""
    target = str(fields.get("target", ""))
    return "extension" in target or ABOUT.search(f"{target} {text}".encode(errors="replace")) is not None


def recognise(beginning: Beginning) -> GooseDecoder | None:
    """A decoder if most lines are such entries of goose.

    Raises RecordingError for a log of goose that says nothing of extensions.
    """
    entries = [fields for fields in map(object_of, beginning.lines) if fields is not None]
    own = [e for e in entries if message_of(e) is not None and str(e.get("target", "")).startswith(TARGETS)]
    if not any(str(entry["target"]).startswith("goose") for entry in own):
        return None
    if len(own) * 2 < len(beginning.lines):
        return None
    if any(is_about(entry, message_of(entry) or "") for entry in own) or len(beginning.head) >= HEAD:
        return GooseDecoder()
    raise RecordingError(
        "looks like goose's log; of it mcptap reads what it says of extensions, and none of that is in it"
    )


FORMAT = Format("logs of goose", Certainty.MARKED, recognise)
