"""Claude Code's log of one server: `mcp-logs-NAME/TIME.jsonl`; in 2025 one JSON array of the same objects.

An object has `timestamp`, `sessionId`, `cwd`, and exactly one of `debug` and `error`. That of stderr is
`error`, whatever it says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import from_rfc3339, object_of
from mcptap.captures.logs.claude_code import ENDS, EVIDENCE, STARTS, ClaudeCodeLog
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Damaged, Item, RecordingError

_BEFORE = (
    rb'\{(?:\s*"(?:timestamp|sessionId|cwd|level)"\s*:\s*"(?:[^"\\]|\\.)*"\s*,)*\s*"(?:debug|error)"\s*:\s*"'
)
_STARTS = re.compile(_BEFORE + STARTS)
_ENDS = re.compile(_BEFORE + ENDS)

MAX_HELD = 4 << 20
"""Of an array that is printed over several lines, an object has no more bytes."""

_DECODER = json.JSONDecoder()
_HTTP = re.compile(
    r"^(?:Initializing (?:HTTP|SSE|WebSocket) transport|(?:HTTP|SSE|WS) [Cc]onnection |HTTP transport )"
)
_OVER = re.compile(r"^Successfully connected \(transport: (?!stdio)")


class ClaudeCodeDecoder(ClaudeCodeLog):
    """Decodes objects, one a line, or those of an array."""

    places = re.compile(r"(?:^|[/\\])mcp-logs-(?P<name>[^/\\]+)[/\\][^/\\]*$")

    def __init__(self, cwd: str, begins: bool) -> None:
        super().__init__(replace(EVIDENCE, whole=False))
        self._begins = begins
        self._fields["cwd"] = cwd
        super().only(Section(0, 0))
        self._held = ""
        self._held_since = 0

    def only(self, section: Section) -> None:
        """Take the objects of a section."""
        super().only(section)
        self.evidence = replace(
            self.evidence, whole=section.first_line > 1 or section.begin > 1 or self._begins
        )

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The items of the objects that end in this line."""
        if not self._held and (fields := object_of(raw.strip().rstrip(b","))) is not None:
            yield from self._object(fields, number, raw)
            return
        text = raw.decode(errors="replace")
        self._held_since = self._held_since if self._held else number
        self._held = f"{self._held}\n{text}" if self._held else text
        if "}" in text:
            yield from self._objects(number)
        if len(self._held) > MAX_HELD:
            yield Damaged(number, b"", "it is no object of Claude Code's log")
            self._held = ""

    def finish(self) -> Iterator[Item]:
        """What is still held."""
        if self._held.strip(" \r\n\t[],"):
            self.passed_over += 1
        yield from self._end()

    def _objects(self, number: int) -> Iterator[Item]:
        """The objects that are whole in what is held."""
        while True:
            text = self._held.lstrip(" \r\n\t[,]")
            self._held = text
            if not text:
                return
            if not text.startswith("{"):
                self.passed_over += 1
                self._held = ""
                return
            try:
                fields, end = _DECODER.raw_decode(text)
            except (ValueError, RecursionError):
                return
            self._held = text[end:]
            yield from self._object(fields, self._held_since, text[:end].encode(errors="replace"))
            self._held_since = number

    def _object(self, fields: dict[str, Any], number: int, raw: bytes) -> Iterator[Item]:
        key = "error" if "error" in fields else "debug"
        text = fields.get(key)
        if not isinstance(text, str):
            yield Damaged(number, raw, 'it has no "debug" or "error" that says something')
            return
        at = self._moment(number, from_rfc3339(fields.get("timestamp")))
        yield from self._sentence(at, text, key)


def is_entry(fields: dict[str, Any] | None) -> bool:
    """Whether an object is one of this log."""
    return (
        fields is not None
        and ("debug" in fields) != ("error" in fields)
        and isinstance(fields.get("debug", fields.get("error")), str)
        and isinstance(fields.get("timestamp"), str)
        and ("sessionId" in fields or "cwd" in fields)
    )


def _first(beginning: Beginning) -> list[dict[str, Any]]:
    """The first objects of the file, as far as they are entries."""
    lines = beginning.lines
    if is_entry(beginning.first_object):
        found = [object_of(line) for line in lines]
        entries = [fields for fields in found if fields is not None and is_entry(fields)]
        return entries if len(entries) * 2 >= len(lines) else []
    text = beginning.head.decode(errors="replace").lstrip("\ufeff \r\n\t")
    if not text.startswith("["):
        return []
    entries = []
    text = text[1:].lstrip()
    while text.startswith("{") and len(entries) < 1000:
        try:
            fields, end = _DECODER.raw_decode(text)
        except (ValueError, RecursionError):
            break
        if not is_entry(fields):
            break
        entries.append(fields)
        text = text[end:].lstrip(" \r\n\t,")
    return entries


def recognise(beginning: Beginning) -> ClaudeCodeDecoder | None:
    """A decoder if the first object is an entry. Raises RecordingError for a server over HTTP."""
    entries = _first(beginning)
    if not entries:
        return None
    texts = [str(fields.get("debug", fields.get("error"))) for fields in entries]
    if any(_HTTP.match(text) or _OVER.match(text) for text in texts):
        raise RecordingError("is Claude Code's log of a server over HTTP; mcptap reads sessions on stdio")
    cwd = entries[0].get("cwd")
    return ClaudeCodeDecoder(cwd if isinstance(cwd, str) else "", texts[0].startswith(STARTS.decode()))


FORMAT = Format(
    "Claude Code's logs of servers (mcp-logs-NAME)", Certainty.MARKED, recognise, Sessions(_STARTS, _ENDS)
)
