"""Cursor's logs of MCP servers: one of each (`MCP user-NAME.log`), or of all (`Cursor MCP.log`, early 2025).

They hold no messages: starts, connections, the number of tools, calls by name, errors. A line of stdout that
is no JSON is there as the error that parsing it made. What the server wrote to stderr stands at level error
without a mark, and is told from Cursor's own errors by their words. In the log of all servers the last four
characters of a name stand in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from mcptap.captures.evidence import LOCAL_TIME, MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.formats.clients.vscode import split_command
from mcptap.captures.logs.client_log import (
    CLOSED_BY_SERVER,
    TIMED_OUT,
    code_of,
    said,
    stderr_lines,
)
from mcptap.captures.logs.entries import LEVEL, LOCAL_STAMP, Entries, Entry, entries_of, is_log
from mcptap.captures.logs.entry_log import EntryLog
from mcptap.captures.logs.rejections import Moment, rejected
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item, RecordingError

LETTERS = 4
"""So many letters at the end of a name stand in the log of all servers."""
SAID_TWICE_US = 100_000
"""The same error so soon after (µs) is the same, told by another part of Cursor."""

ENTRY = re.compile(rb"^" + LOCAL_STAMP + rb" " + LEVEL + rb" (?P<text>.*)$", re.DOTALL)
_NAMED = r"^(?:(?P<name>[^\n:\[\]]{0,80}): ?)??(?P<text>(?:\[V2\] ?)?"
_OWN = (
    r"Handling \w+ action|getOrCreateClient for |Starting new stdio process with command: "
    r"|Client closed for command|Client error(?: for command)?:? |Error in MCP: |Successfully connected to "
    r"|Storing \w+ client"
    r"|CreateClient completed|Connected to \w+ server, fetching|listOfferings: |Listing offerings"
    r"|Found \d+ tools|Reusing existing |No server info found|Failed to reload client|Calling tool '"
    r"|Successfully called tool '|Error calling tool '|Error listing |Connection failed: |Cleaning up"
    r"|Creating \w+ transport"
    r"|Error connecting to |\[V2 FSM\] |Server \"[^\"]*\" fingerprint changed|Unauthorized|Client disposed"
)
"""How sentences of Cursor itself begin."""
_SENTENCE = re.compile(_NAMED + rf"(?:{_OWN}).*)$", re.DOTALL)
_KNOWN = re.compile(_SENTENCE.pattern.encode(), re.DOTALL)
_PREFIX = re.compile(r"^(?P<name>[^\n:\[\]]{1,80}): (?P<text>.*)$", re.DOTALL)

_STAMPED = (
    rb"(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[\w+\] (?:(?P<name>[^\n:\[\]]{0,80}): )?(?:\[V2\] ?)?"
)
STARTS = re.compile(_STAMPED + rb"Starting new stdio process with command: ")
ENDS = re.compile(_STAMPED + rb"(?:Client closed for command|Connection failed: )")

_COMMAND = "Starting new stdio process with command: "
_OF_CALL = re.compile(r"(?:Calling|Successfully called|Error calling) tool '")
_CALLS = re.compile(r"^Calling tool '([^'\n]{1,200})'")
_CALLED = re.compile(r"^Successfully called tool '([^'\n]{1,200})'")
_FAILED_CALL = re.compile(r"^Error calling tool '([^'\n]{1,200})': (.*)", re.DOTALL)
_FOUND = re.compile(r"^Found (\d{1,6}) tools\b")
_CLIENT_ERROR = re.compile(r"^Client error(?P<command> for command)?:? (?P<said>.*)", re.DOTALL)
_LEAVES = re.compile(r"^(?:Handling (?:Delete|Reload)Client action|Cleaning up|Client disposed)")
_STORED = re.compile(r"^Storing stdio client (\S[^\n]{0,200})")
_HTTP = re.compile(
    rb"\b(?:to (?:sse|streamableHttp) server|(?:sse|streamableHttp) (?:server|transport)|"
    rb"Error POSTing to endpoint|falling back to SSE)\b"
)

EVIDENCE = Evidence(
    origin="Cursor's log of MCP servers",
    fineness_us=MILLISECONDS,
    framing=False,
    messages=False,
    contents=False,
    members=False,
    values=False,
    launch=False,
    status=False,
    assumptions=(
        LOCAL_TIME,
        "lines at level error in words that are not Cursor's were taken for the server's stderr",
    ),
)


class CursorDecoder(EntryLog):
    """Decodes the entries of one server. `head` is the beginning of the file."""

    places = re.compile(r"(?:^|[/\\])MCP user-(?P<name>[^/\\]+)\.log$")

    def __init__(self, head: list[bytes]) -> None:
        self._head = list(entries_of(head, ENTRY))
        super().__init__(replace(EVIDENCE, whole=False), "Cursor", self._first_name(), Entries(ENTRY))
        self._name = ""
        self._leaving = False
        """Whether Cursor itself ends the session."""
        self._error: tuple[str, int] = ("", 0)
        """The last error that was told once, and when."""

    def only(self, section: Section) -> None:
        """Take the entries of the server that the section names, or all if it names none."""
        self._name = section.name
        self._fields["argv"] = self._command(section.first_line)
        super().only(replace(section, name=self._full_name()))
        begins = section.first_line > 1 or (bool(self._head) and _COMMAND.encode() in self._head[0].text)
        self.evidence = replace(self.evidence, whole=begins)

    def _items(self, entry: Entry) -> Iterable[Item]:
        text = entry.text.decode(errors="replace")
        found = _SENTENCE.match(text)
        if found is None:
            prefix = _PREFIX.match(text) if self._name else None
            if prefix is not None and self._is_mine(prefix["name"]):
                text = prefix["text"]
            elif self._name:
                return ()
        elif (found["name"] is not None and self._name and not self._is_mine(found["name"])) or (
            found["name"] is None and self._name
        ):
            return ()
        else:
            text = found["text"].removeprefix("[V2]").lstrip()
        at = self._moment(entry.number, entry.wall_us)
        if found is None and entry.level == "error":
            return self._opening.hold([*stderr_lines(at, text)])
        return self._sentence(at, text, entry.level) if text.strip() else ()

    def _is_mine(self, name: str) -> bool:
        return name.endswith(self._name) or self._name.endswith(name or "\n")

    def _sentence(self, at: Moment, text: str, level: str) -> Iterable[Item]:
        if _OF_CALL.match(text):  # most are
            items = self._opening.hold([said(at, text, level)])
            return items if self._opening.pending else [*items, *self._told(at, text)]
        error = _CLIENT_ERROR.match(text)
        if error is not None:
            return self._opening.hold(self._client_error(at, text, error["said"], bool(error["command"])))
        return chain(self._opening.hold([said(at, text, level)]), self._step(at, text))

    def _step(self, at: Moment, text: str) -> Iterator[Item]:
        """What a sentence means that is not about a call."""
        if text.startswith(_COMMAND):
            self._started = False
            self._opening.begin(at)
        elif text.startswith("Successfully connected to stdio"):
            self._started = True
            yield from self._opening.answered(at, {})
        elif _LEAVES.match(text):
            self._leaving = not self._over and self._started
        elif text.startswith("Client closed for command"):
            yield from self._opening.asked()
            yield from self._closed(at, by_server=not self._leaving)
        elif text.startswith("Connection failed: "):
            yield from self._not_connected(at, text)
        elif not self._opening.pending:
            yield from self._told(at, text)

    def _not_connected(self, at: Moment, text: str) -> Iterator[Item]:
        if failed := self._not_started(at, text):
            yield from self._opening.nothing()
            yield from failed
        elif CLOSED_BY_SERVER.search(text):
            yield from self._opening.asked()
            yield from self._closed(at, by_server=True)
        elif TIMED_OUT.search(text):
            yield from self._opening.asked()
            yield from self._closed(at, by_server=False)

    def _told(self, at: Moment, text: str) -> Iterator[Item]:
        """What a sentence tells of messages."""
        if (found := _CALLS.match(text)) is not None:
            yield self._teller.asks(at, "tools/call", found[1])
        elif (found := _CALLED.match(text)) is not None:
            yield from self._teller.answers(at, "tools/call", found[1])
        elif (found := _FAILED_CALL.match(text)) is not None:
            if (code := code_of(found[2])) is not None:
                yield from self._teller.answers(at, "tools/call", found[1], error={"code": code})
            elif not CLOSED_BY_SERVER.search(found[2]) and not TIMED_OUT.search(found[2]):
                yield from self._teller.answers(at, "tools/call", found[1])
        elif (found := _FOUND.match(text)) is not None and self._started:
            yield self._teller.asks(at, "tools/list")
            result: dict[str, Any] = {} if int(found[1]) else {"tools": []}
            yield from self._teller.answers(at, "tools/list", result=result)

    def _client_error(self, at: Moment, text: str, error: str, is_told_once: bool) -> list[Item]:
        """What an error of the client means. In 2026 each is told twice."""
        last, when = self._error
        if not is_told_once and last == error and at[1] - when <= SAID_TWICE_US:
            self._error = ("", 0)
            return [said(at, text)]
        self._error = (error, at[1])
        if failed := self._not_started(at, error):
            return [*self._opening.nothing(), *failed, said(at, text, "error")]
        return [rejected(error, at) or said(at, text, "error")]

    def _full_name(self) -> str:
        """The name that ends in the last four letters by which a log of all servers knows it."""
        if not self._name:
            return ""
        stored = (_SENTENCE.match(entry.text.decode(errors="replace")) for entry in self._head)
        named = (_STORED.match(found["text"]) for found in stored if found is not None)
        names = {found[1].removeprefix("user-").strip() for found in named if found is not None}
        fitting = [name for name in names if name.endswith(self._name)]
        if len(fitting) == 1:
            return fitting[0]
        return f"…{self._name}" if len(self._name) == LETTERS else self._name

    def _first_name(self) -> str:
        for entry in self._head:
            found = _SENTENCE.match(entry.text.decode(errors="replace"))
            if found is not None and found["name"] and _COMMAND in found["text"]:
                return found["name"]
            if found is not None and (stored := _STORED.match(found["text"])) is not None:
                return stored[1].removeprefix("user-")
        return ""

    def _command(self, first_line: int) -> list[str]:
        """The command line of a start, if it is within the beginning of the file."""
        for entry in self._head:
            if entry.number >= first_line and _COMMAND.encode() in entry.text:
                words = entry.text.decode(errors="replace").partition(_COMMAND)[2]
                return split_command(words) if entry.number == first_line else []
        return []


def recognise(beginning: Beginning) -> CursorDecoder | None:
    """A decoder if entries are Cursor's. Raises RecordingError for a log of servers over HTTP alone."""
    entries = list(entries_of(beginning.lines, ENTRY))
    known = sum(1 for entry in entries if _KNOWN.match(entry.text))
    if not known or known * 4 < len(entries) or not is_log(beginning.lines, len(entries), ENTRY):
        return None
    texts = [entry.text for entry in entries]
    if any(map(_HTTP.search, texts)) and not any(b"stdio" in text or b"command" in text for text in texts):
        raise RecordingError("is Cursor's log of a server over HTTP; mcptap reads sessions on stdio")
    return CursorDecoder(beginning.numbered)


FORMAT = Format(
    "Cursor's MCP logs", Certainty.MARKED, recognise, Sessions(STARTS, ENDS, start_words=_COMMAND.encode())
)
