"""What `claude --debug` writes, of which lines about MCP servers are read; `--mcp-debug` gave no times.

`TIME [DEBUG] MCP server "NAME": TEXT`, `TIME [ERROR] MCP server "NAME" TEXT`; all servers mixed, among much
that is about other things.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import from_rfc3339
from mcptap.captures.logs.claude_code import ENDS, EVIDENCE, STARTS, ClaudeCodeLog
from mcptap.captures.logs.entries import UTC_STAMP, Entries, Entry
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item, RecordingError

_LEVELS = rb"\[(?P<level>DEBUG|ERROR|WARN|INFO|VERBOSE)\]"
ENTRY = re.compile(
    rb"^(?:" + UTC_STAMP + rb" )?" + _LEVELS + rb' (?:MCP server "(?P<name>[^"\n]{1,200})":? )?(?P<text>.*)$',
    re.DOTALL,
)
_OF_SERVER = (
    rb'(?m)^(?:\d{4}-\d\d-\d\dT[\d:.]{8,15}Z )?\[[A-Z]{4,7}\] MCP server "(?P<name>[^"\n]{1,200})":? '
)
_STARTS = re.compile(_OF_SERVER + STARTS)
_ENDS = re.compile(_OF_SERVER + ENDS)

_OWN = re.compile(
    rb"^(?:Stream started - received first chunk|Watching for changes in setting files|\[API REQUEST\]|"
    rb"\[API:request\]|Creating shell snapshot|Found \d+ plugins|Getting matching hook commands)"
)


class ClaudeCodeDebugDecoder(ClaudeCodeLog):
    """Decodes the entries of one server."""

    def __init__(self, name: str, times: bool, begins: bool) -> None:
        evidence = replace(EVIDENCE, origin="Claude Code's debug log", times=times, whole=False)
        super().__init__(evidence, name)
        self._name = name
        self._begins = begins
        self._entries = Entries(ENTRY, from_rfc3339)

    def only(self, section: Section) -> None:
        """Take the entries of this server, from a start on."""
        self._name = section.name
        super().only(section)
        self.evidence = replace(self.evidence, whole=section.first_line > 1 or self._begins)

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The items of the entry that ended before this line."""
        entry = self._entries.feed(raw, number)
        if entry is not None:
            yield from self._items(entry)

    def finish(self) -> Iterator[Item]:
        """The items of the last entry, and what is still held."""
        entry = self._entries.finish()
        if entry is not None:
            yield from self._items(entry)
        yield from self._end()

    def _items(self, entry: Entry) -> Iterator[Item]:
        if not entry.name:
            self.passed_over += 1 + entry.text.count(b"\n")
        elif entry.name == self._name:
            at = self._moment(entry.number, entry.wall_us)
            level = "error" if entry.level == "error" else "debug"
            yield from self._sentence(at, entry.text.decode(errors="replace"), level)


def recognise(beginning: Beginning) -> ClaudeCodeDebugDecoder | None:
    """A decoder if most lines are entries and one is about a server. Raises RecordingError if none is."""
    lines = beginning.lines
    found = [entry for line in lines if (entry := ENTRY.match(line)) is not None]
    if len(found) * 5 < len(lines) * 2 or not found:
        return None
    named = [entry for entry in found if entry["name"]]
    if named:
        begins = _STARTS.match(lines[0]) is not None
        name = named[0]["name"].decode(errors="replace")
        return ClaudeCodeDebugDecoder(name, named[0]["time"] is not None, begins)
    if any(_OWN.match(entry["text"]) for entry in found):
        raise RecordingError(
            "looks like Claude Code's debug log; of it mcptap reads the lines about MCP servers, "
            "and none is in it"
        )
    return None


FORMAT = Format("Claude Code's debug log", Certainty.MARKED, recognise, Sessions(_STARTS, _ENDS))
