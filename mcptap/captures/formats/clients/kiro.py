"""Kiro's output "Kiro - MCP Logs": `TIME [LEVEL] [NAME] TEXT`, without messages, all servers mixed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mcptap.captures.evidence import LOCAL_TIME, MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.logs.client_log import CLOSED_BY_SERVER, TIMED_OUT, said, stderr_lines
from mcptap.captures.logs.entries import LEVEL, LOCAL_STAMP, Entries, Entry, entries_of, is_log
from mcptap.captures.logs.entry_log import EntryLog
from mcptap.captures.logs.rejections import Moment
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item, RecordingError

ENTRY = re.compile(
    rb"^" + LOCAL_STAMP + rb" " + LEVEL + rb" \[(?P<name>[^\]\n]{1,200})\] ?(?P<text>.*)$", re.DOTALL
)
_STAMPED = rb"(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[\w+\] \[(?P<name>[^\]\n]{1,200})\] "
STARTS = re.compile(_STAMPED + rb"Registering MCP server and starting connection")
ENDS = re.compile(_STAMPED + rb"(?:MCP connection closed successfully|Error closing MCP connection)")

_STDERR = "Log from MCP Server: "
_KNOWN = re.compile(
    rb"^(?:Registering MCP server and starting connection|Log from MCP Server: |"
    rb"Error connecting to MCP server|MCP connection closed successfully|Error closing MCP connection|"
    rb"Connected to server with transport type|Successfully connected and synced tools|"
    rb"MCP server (?:is already|connection and syncing|does not support)|"
    rb"Error getting tools and resources from MCP server|Connection disabled or removed)"
)
_CONNECTED = re.compile(
    r"^Connected to server with transport type: |^Successfully connected and synced tools"
)

EVIDENCE = Evidence(
    origin="Kiro's log of MCP servers",
    fineness_us=MILLISECONDS,
    framing=False,
    messages=False,
    contents=False,
    members=False,
    values=False,
    launch=False,
    status=False,
    assumptions=(LOCAL_TIME,),
)


class KiroDecoder(EntryLog):
    """Decodes the entries of one server. `head` is the beginning of the file."""

    def __init__(self, head: list[bytes]) -> None:
        self._head = list(entries_of(head, ENTRY))
        self._name = next((entry.name for entry in self._head if _KNOWN.match(entry.text)), "")
        super().__init__(replace(EVIDENCE, whole=False), "Kiro", self._name, Entries(ENTRY))

    def only(self, section: Section) -> None:
        """Take the entries of this server, from a start on."""
        self._name = section.name
        super().only(section)
        begins = section.first_line > 1 or (
            bool(self._head) and self._head[0].text.startswith(b"Registering")
        )
        self.evidence = replace(self.evidence, whole=begins)

    def _items(self, entry: Entry) -> Iterator[Item]:
        if entry.name != self._name:
            return
        at = self._moment(entry.number, entry.wall_us)
        text = entry.text.decode(errors="replace")
        if text.startswith(_STDERR):
            yield from self._opening.hold(list(stderr_lines(at, text[len(_STDERR) :])))
        elif text.strip():
            yield from self._opening.hold([said(at, text, entry.level)])
            yield from self._sentence(at, text)

    def _sentence(self, at: Moment, text: str) -> Iterator[Item]:
        if text.startswith("Registering MCP server"):
            self._opening.begin(at)
        elif _CONNECTED.match(text):
            self._started = True
            yield from self._opening.answered(at, {})
        elif text.startswith("Error connecting to MCP server"):
            if failed := self._not_started(at, text):
                yield from self._opening.nothing()
                yield from failed
            elif CLOSED_BY_SERVER.search(text):
                yield from self._opening.asked()
                yield from self._closed(at, by_server=True)
            elif TIMED_OUT.search(text):
                yield from self._opening.asked()
                yield from self._closed(at, by_server=False)
        elif text.startswith("MCP connection closed"):
            yield from self._opening.nothing()
            yield from self._closed(at, by_server=False)


def recognise(beginning: Beginning) -> KiroDecoder | None:
    """A decoder if entries are Kiro's. Raises RecordingError if all servers in it are over HTTP."""
    entries = list(entries_of(beginning.lines, ENTRY))
    known = sum(1 for entry in entries if _KNOWN.match(entry.text))
    if not known or known * 4 < len(entries) or not is_log(beginning.lines, len(entries), ENTRY):
        return None
    types = {
        entry.text for entry in entries if entry.text.startswith(b"Connected to server with transport type")
    }
    if types and not any(b"Stdio" in one for one in types):
        raise RecordingError("is Kiro's log of servers over HTTP; mcptap reads sessions on stdio")
    return KiroDecoder(beginning.numbered)


FORMAT = Format('Kiro\'s output "Kiro - MCP Logs"', Certainty.MARKED, recognise, Sessions(STARTS, ENDS))
