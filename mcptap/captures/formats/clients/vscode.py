"""The output channel "MCP: NAME" of VS Code, also as it lies on disk (`mcpServer.ID.log`).

Messages are in it at the levels debug and trace, or if the server has a `dev` key; in March 2025 at info.
A line of stdout that is no JSON is in it whole, as a JSON string.
"""

from __future__ import annotations

import json
import re
import shlex
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import orjson

from mcptap.captures.evidence import LOCAL_TIME, MILLISECONDS, SEVERAL_PROCESSES, Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import begun_line, text_line
from mcptap.captures.logs.client_log import said, stderr_lines
from mcptap.captures.logs.entries import EDITOR, Entries, Entry, entries_of, is_log
from mcptap.captures.logs.entry_log import EntryLog
from mcptap.captures.logs.rejections import Moment
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import NOT_JSON, Damaged, Item, Line, RecordingError, parse_line
from mcptap.recording.reader import State
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

STARTS = re.compile(
    rb"(?m)^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[.,]\d{3} \[info\] Starting server (?!from [^\n]* extension host)"
)

_SIDES = {
    b"[editor -> server] ": CLIENT_TO_SERVER,
    b"[server -> editor] ": SERVER_TO_CLIENT,
    b"[Client Says] ": CLIENT_TO_SERVER,
    b"[Server Says] ": SERVER_TO_CLIENT,
}
_MESSAGE = re.compile(rb"\[(?:editor -> server|server -> editor|Client Says|Server Says)\] ")
_OPENING = re.compile(rb'\[(?:editor -> server|Client Says)\] \{(?=[^\n]*"method":\s*"initialize")')
_UNPARSED = b"Failed to parse message: "
_STDERR = b"[server stderr] "
_NAME = re.compile(rb"^Starting server (?!from .* extension host)(.+)")
_COMMAND = re.compile(rb"^Server command line: (.+)")
_EXITED = re.compile(
    r"^Connection state: Error Process exited with (?:code (-?\d{1,10})|signal (SIG[A-Z0-9]+))"
)
_FAILED = re.compile(r"^Connection state: Error (.+)", re.DOTALL)
_DISCOVERED = re.compile(r"^Discovered (\d{1,6}) tools?\b")
_WAITS = "Waiting for server to respond to `initialize` request"
_LEFT = "Server exited before responding to `initialize` request"

_KNOWN = re.compile(
    rb"^(?:\[(?:editor -> server|server -> editor|Client Says|Server Says|server stderr)\]|"
    rb"(?:Starting|Stopping) server |Connection state: |Failed to parse message: |Discovered \d+ tools?|"
    rb"Waiting for server to respond to `initialize`|Server exited before responding to `initialize`|"
    rb"Server command line: )"
)
"""Entries that only this log has."""
_STDIO = re.compile(
    rb"^(?:\[server stderr\]|Server command line: |Connection state: Error (?:Process exited|spawn ))"
)
_HTTP = re.compile(
    rb"^(?:Fetching https?://|\d{3} status (?:sending message to|connecting to|getting) http|"
    rb"[^\n]{0,120}\b(?:fall back to legacy SSE|async stream, we will reconnect)|"
    rb"Error sending message to https?://|Starting OAuth|"
    rb"Discovered (?:resource|authorization server) metadata)"
)

WITH_MESSAGES = Evidence(
    origin="VS Code's log of an MCP server",
    fineness_us=MILLISECONDS,
    framing=False,
    launch=False,
    assumptions=(LOCAL_TIME,),
)
WITHOUT = replace(WITH_MESSAGES, messages=False, contents=False, members=False, values=False)
"""At level info messages are not in it."""


class VSCodeDecoder(EntryLog):
    """Decodes the entries of one server. `head` is the beginning of the file."""

    def __init__(self, head: list[bytes]) -> None:
        self._head = list(entries_of(head, EDITOR))
        has_messages = any(_MESSAGE.match(entry.text) for entry in self._head)
        names = {found[1] for entry in self._head if (found := _NAME.match(entry.text))}
        name = names.pop().decode(errors="replace").strip() if len(names) == 1 else ""
        evidence = WITH_MESSAGES if has_messages else WITHOUT
        opened = sum(1 for entry in self._head if _OPENING.match(entry.text))
        if opened > 1 and not names:  # a restart that the log does not tell in words
            evidence = replace(evidence, one_process=False, notes=(SEVERAL_PROCESSES,))
        super().__init__(replace(evidence, whole=False), "Visual Studio Code", name, Entries(EDITOR))
        self._tells = not has_messages
        self._stopped = False
        """Whether the process ended, with status 0 or because the editor wanted it."""

    def only(self, section: Section) -> None:
        """Take the entries from a start of the server on."""
        self._fields["argv"] = self._command(section.first_line)
        super().only(section)
        if not self._tells and self._is_without_messages(section.first_line):
            self._tells = True
            self.evidence = replace(WITHOUT, assumptions=self.evidence.assumptions)
        self.evidence = replace(self.evidence, whole=True)

    def _is_without_messages(self, first_line: int) -> bool:
        """Whether this start was logged at a level without messages, though others were not: it is seen to go
        on, or to end, without one, within the beginning of the file."""
        behind = bisect_right(self._head, first_line, key=lambda entry: entry.number)
        for entry in self._head[behind:]:
            if _MESSAGE.match(entry.text):
                return False
            if _NAME.match(entry.text) or entry.text.startswith(b"Discovered "):
                return True
            if entry.text.startswith((b"Connection state: Error", b"Connection state: Stopped")):
                return True
        return False

    def _items(self, entry: Entry) -> Iterable[Item]:
        at = self._moment(entry.number, entry.wall_us)
        text = entry.text
        if (found := _MESSAGE.match(text)) is not None:
            return (self._message(at, _SIDES[found[0]], text[found.end() :]),)
        if text.startswith(_UNPARSED):
            return self._opening.hold([_unparsed(at, text[len(_UNPARSED) :])])
        if text.startswith(_STDERR):
            return self._opening.hold([*stderr_lines(at, text[len(_STDERR) :].decode(errors="replace"))])
        return self._sentence(at, text.decode(errors="replace"), entry.level) if text else ()

    def _sentence(self, at: Moment, text: str, level: str) -> Iterator[Item]:
        yield from self._opening.hold([said(at, text, level)])
        if text.startswith("Connection state: Running"):
            self._started = True
            if self._tells and not self._over:
                self._opening.begin(at)
        elif (exited := _EXITED.match(text)) is not None:
            code, signal = exited.groups()
            how = {"code": int(code)} if code is not None else {"signal": signal}
            yield from self._opening.asked()
            yield from self._exited(at, **how)
        elif (failed := _FAILED.match(text)) is not None:
            yield from self._not_started(at, failed[1])
        elif text.startswith("Stopping server"):
            yield from self._opening.asked()
            yield from self._closed(at, by_server=False)
        elif text.startswith("Connection state: Stopped"):
            self._stopped, self.state = True, State.FINISHED
        elif text.startswith(_LEFT) and self._stopped:
            yield from self._opening.asked()
            yield from self._closed(at, by_server=True)
        elif self._tells and not self._over:
            yield from self._told(at, text)

    def _told(self, at: Moment, text: str) -> Iterator[Item]:
        """What a log without messages tells of them."""
        if text.startswith(_WAITS):
            yield from self._opening.asked()
        elif (found := _DISCOVERED.match(text)) is not None:
            yield from self._opening.answered(at, {})
            yield self._teller.asks(at, "tools/list")
            result: dict[str, Any] = {} if int(found[1]) else {"tools": []}
            yield from self._teller.answers(at, "tools/list", result=result)

    def _message(self, at: Moment, channel: str, data: bytes) -> Item:
        number, t_us, wall_us = at
        data = data.strip()
        value = parse_line(data)
        if value is NOT_JSON:
            return Damaged(number, data, "the log does not hold all of its message")
        if b"\n" in data:
            data = data.replace(b"\n", b" ")
        return Line(number, channel, data, b"\n", t_us, t_us, wall_us, value=value)

    def _command(self, first_line: int) -> list[str]:
        """The command line that stands behind a start, if it is within the beginning of the file."""
        behind = bisect_right(self._head, first_line, key=lambda entry: entry.number)
        for entry in self._head[behind:]:
            if _NAME.match(entry.text):
                break
            if (found := _COMMAND.match(entry.text)) is not None:
                return split_command(found[1].decode(errors="replace"))
        return []


def split_command(text: str) -> list[str]:
    """The words of a command line that was joined by spaces: as a shell would take it, if it can."""
    try:
        return shlex.split(text) if "\\" not in text else text.split()
    except ValueError:
        return text.split()


def _unparsed(at: Moment, quoted: bytes) -> Line:
    """A line of stdout that is no JSON."""
    number, t_us, wall_us = at
    try:
        text = orjson.loads(quoted)
    except orjson.JSONDecodeError:
        try:
            text = json.loads(quoted)  # a lone surrogate
        except ValueError:
            text = None
    if not isinstance(text, str):
        return begun_line(
            number, SERVER_TO_CLIENT, quoted.decode(errors="replace").lstrip('"'), t_us, wall_us
        )
    text = text.removesuffix("\n").removesuffix("\r")
    return text_line(number, SERVER_TO_CLIENT, text, t_us, wall_us)


def recognise(beginning: Beginning) -> VSCodeDecoder | None:
    """A decoder if entries are those of such a channel. Raises RecordingError for a server over HTTP."""
    entries = list(entries_of(beginning.lines, EDITOR))
    known = sum(1 for entry in entries if _KNOWN.match(entry.text))
    http = sum(1 for entry in entries if _HTTP.match(entry.text))
    first = sum(1 for entry in entries[:20] if _KNOWN.match(entry.text) or _HTTP.match(entry.text))
    if not known or (first * 4 < min(20, len(entries)) and (known + http) * 4 < len(entries)):
        return None
    if not is_log(beginning.lines, len(entries), EDITOR):
        return None
    if http and not any(_STDIO.match(entry.text) for entry in entries):
        raise RecordingError("is VS Code's log of a server over HTTP; mcptap reads sessions on stdio")
    return VSCodeDecoder(beginning.numbered)


FORMAT = Format(
    'VS Code\'s output "MCP: NAME"',
    Certainty.MARKED,
    recognise,
    Sessions(STARTS, one_at_a_time=True, start_words=b"[info] Starting server "),
)
