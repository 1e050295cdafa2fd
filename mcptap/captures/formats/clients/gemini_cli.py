"""Gemini CLI's debug log (`GEMINI_DEBUG_LOG_FILE`): `[TIME] [LEVEL] text`. It has no messages.

What it tells of MCP: which server failed to be discovered and why, stderr in debug mode, and the beginning of
a line on stdout that the library could not parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mcptap.captures.evidence import MILLISECONDS
from mcptap.captures.format import HEAD, Beginning, Certainty, Format
from mcptap.captures.formats.clients.codex import EVIDENCE
from mcptap.captures.lines import from_rfc3339
from mcptap.captures.logs.decoder import LogDecoder, only_name
from mcptap.captures.logs.rejections import rejected
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item, RecordingError
from mcptap.wire import STDERR

LINE = re.compile(
    r"^\[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\] \[(LOG|WARN|ERROR|DEBUG)\] (.*)$", re.DOTALL
)
WROTE = re.compile(
    r"^(?:(?:\[DEBUG\] )?\[?MCP STDERR \((.+?)\)\]?: ?|MCP server '(.+?)': stderr: ?)(.*)$", re.DOTALL
)
REJECTED = re.compile(r"(?:SyntaxError: )?((?:Unexpected|Expected|Unterminated) .* JSON.*)$", re.DOTALL)
NAMED = re.compile(r"(?:\b(?:[Ss]erver|for) '|MCP STDERR \()([^')\n]+)")
_OTHERWISE = re.compile(r"(?:.*\b(?:notification|update) from '|\[MCP \w+\] )([^'\s:]+)(?:'|: )")
_STARTS = re.compile(
    rb"(?m)^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] \[[A-Z]+\] [^\n]*?(?:\b[Ss]erver '|MCP STDERR \()(?P<name>[^')\n]+)"
)
ABOUT = re.compile(r"(?i)\bmcp\b|\b(?:for|from|server) '|^Server '")


class GeminiDecoder(LogDecoder):
    """Decodes the log of all servers of a Gemini CLI."""

    def __init__(self, name: str) -> None:
        super().__init__(replace(EVIDENCE, origin="Gemini CLI's debug log", fineness_us=MILLISECONDS), name)
        self._only = ""
        self._stderr = False
        """Whether lines without a time continue stderr."""
        self._wall_us = 0

    def only(self, section: Section) -> None:
        """Take only what names this server."""
        super().only(section)
        self._only = section.name

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """What this line tells of a server."""
        text = raw.decode(errors="replace").rstrip("\r")
        found = LINE.match(text)
        if found is None:
            if self._stderr and text.strip():
                yield self.text(number, STDERR, text, self._wall_us)
            else:
                yield from self.pass_over(raw)
            return
        self._wall_us, self._stderr = from_rfc3339(found[1]), False
        level, said = found[2].lower(), found[3]
        if self._only and (named := _name_in(said)) != self._only:
            if not named:
                yield from self.pass_over(raw)
            return
        wrote = WROTE.match(said)
        if wrote is not None:
            self._stderr = True
            yield self.text(number, STDERR, wrote[3], self._wall_us)
        elif ABOUT.search(said) is None:
            yield from self.pass_over(raw)
        else:
            yield self._says(said, level, number)

    def _says(self, said: str, level: str, number: int) -> Item:
        unreadable = REJECTED.search(said) if level == "error" else None
        item = None
        if unreadable is not None:
            item = rejected(unreadable[1], (number, *self.moment(self._wall_us)))
        return item if item is not None else self.log(number, said, self._wall_us, level)


def _name_in(said: str) -> str:
    """The server that a sentence names; empty if it names none."""
    found = NAMED.search(said) or _OTHERWISE.match(said)
    return found[1] if found is not None else ""


def recognise(beginning: Beginning) -> GeminiDecoder | None:
    """A decoder if most lines are such entries, and some about MCP.

    Raises RecordingError for such a log that says nothing of MCP.
    """
    found = [LINE.match(line.decode(errors="replace")) for line in beginning.lines]
    entries = [entry for entry in found if entry is not None]
    if not entries or len(entries) * 3 < len(found):
        return None
    if any(re.search(r"(?i)\bmcp\b", entry[3]) for entry in entries) or len(beginning.head) >= HEAD:
        return GeminiDecoder(only_name(name for entry in entries for name in NAMED.findall(entry[3])))
    raise RecordingError(
        "looks like Gemini CLI's debug log; of it mcptap reads what it says of MCP servers, and none of that "
        "is in it: run gemini --debug with GEMINI_DEBUG_LOG_FILE set, and use the server again"
    )


FORMAT = Format("debug logs of Gemini CLI", Certainty.MARKED, recognise, Sessions(_STARTS, each_name=True))
