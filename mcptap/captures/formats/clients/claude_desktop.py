"""Logs of Claude Desktop: `mcp-server-NAME.log`, and `mcp.log` of all servers.

An entry is `TIME [NAME] [LEVEL] TEXT`; in `mcp.log` level and name are swapped. Lines without a time in the
log of one server are that server's stderr, but for objects that an entry was printed with. Since July 2026
messages are told by method, id and outcome alone. What the server printed on stdout and is no message is
there as the error that parsing it made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from mcptap.captures.evidence import MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import from_rfc3339, outline_line
from mcptap.captures.logs.client_log import ClientLog, said
from mcptap.captures.logs.entries import UTC_STAMP, Times, is_log
from mcptap.captures.logs.inspected import MOST_LINES, arguments_of
from mcptap.captures.logs.rejections import Moment, rejected
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import NOT_JSON, Damaged, Item, Line, RecordingError, parse_line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

_LEVEL = rb"\[(?P<level>info|error|warn|warning|debug)\]"
OF_SERVER = re.compile(
    rb"^" + UTC_STAMP + rb" \[(?P<name>[^\n]{1,200}?)\] " + _LEVEL + rb" ?(?P<text>.*)$", re.DOTALL
)
OF_ALL = re.compile(
    rb"^" + UTC_STAMP + rb" " + _LEVEL + rb" \[(?P<name>[^\]\n]{1,200})\] ?(?P<text>.*)$", re.DOTALL
)
_NAMELESS = re.compile(rb"^" + UTC_STAMP + rb" " + _LEVEL + rb" (?P<text>.*)$", re.DOTALL)

_HEAD = (
    rb"(?m)^\d{4}-\d\d-\d\dT[\d:.]{8,15}Z (?:\[(?:info|error|warn)\] )?"
    rb"\[(?P<name>[^\n]{1,200}?)\] (?:\[(?:info|error|warn)\] )?"
)
STARTS = re.compile(_HEAD + rb"Initializing server\.\.\.")
ENDS = re.compile(_HEAD + rb"Server transport closed(?: \{[^\n]*\})?\r?$")
"""Once for each process; other sentences about its end follow."""

MENTIONS = re.compile(_HEAD + rb"Message from server: ")

_TEXTS = re.compile(
    rb"^(?:Message from (?:client|server): |Initializing server\.\.\.|Server started and connected|"
    rb"(?:Server|Client) transport closed|Shutting down server|Server disconnected|Era probe verdict|"
    rb"Using (?:MCP server command|built-in Node\.js)|Couldn't start this server|"
    rb"(?:Attempting to connect|Connected) to MCP server |spawn \S+ E[A-Z]+)"
)
"""Sentences that Claude Desktop writes."""

_CHANNELS = {b"Message from client: ": CLIENT_TO_SERVER, b"Message from server: ": SERVER_TO_CLIENT}
_UNDEFINED = b" { metadata: undefined }"
_METADATA = re.compile(rb" \{ metadata: (?:undefined|\{.*\}) \}$")
_CONTEXT = re.compile(rb' \{"context":"[^\n]*\}$')
_OUTLINE = re.compile(
    rb'^(?:method="(?P<method>[^"\n]{1,200})")?(?: ?\bid=(?P<id>"[^"\n]*"|[^\s"]+))?'
    rb"(?: ?\b(?:(?P<params>params)|(?P<result>result)(?:\([^()\n]*\))?"
    rb"|(?P<error>error)\((?:code=(?P<code>-?\d{1,9}))?[^\n]*\)))?$"
)
_STAMP = re.compile(rb"^" + UTC_STAMP)
_OPENS = re.compile(rb"[{\[]$")
_CLOSES = re.compile(rb"^[}\]]")

EVIDENCE = Evidence(
    origin="Claude Desktop's log of a server",
    fineness_us=MILLISECONDS,
    framing=False,
    launch=False,
    status=False,
    assumptions=(
        "lines without a time were taken for the server's stderr, and came when the line before did or later",
    ),
)
ALL_SERVERS = replace(
    EVIDENCE, origin="Claude Desktop's log of all servers (mcp.log)", stderr=False, assumptions=()
)


class ClaudeDesktopDecoder(ClientLog):
    """Decodes the lines of one server. `head` is the beginning of the file."""

    def __init__(self, pattern: re.Pattern[bytes], head: list[bytes]) -> None:
        self._pattern = pattern
        self._match = pattern.match
        self._times = Times(from_rfc3339)
        found = [entry for line in head if (entry := pattern.match(line))]
        self._name = found[0]["name"]
        self._head = head
        evidence = ALL_SERVERS if pattern is OF_ALL else EVIDENCE
        if any(_is_outline(entry["text"]) for entry in found):
            evidence = replace(evidence, contents=False)
        super().__init__(replace(evidence, whole=False), "Claude Desktop", _decoded(self._name))
        self._inside = 0
        """How many lines of the object that the last entry was printed with were read; 0 outside of one."""
        self._object: list[bytes] = []
        self._entry: tuple[Moment, str, bytes] | None = None
        """The entry that is being continued by an object: when, level, text."""
        self._closing: Moment | None = None
        """When the server's end was closed, until it is told who did it."""
        self._mine = False
        """Whether the last entry was of this server."""

    def only(self, section: Section) -> None:
        """Take the entries of this server, from the start that the section begins with."""
        self._name = section.name.encode()
        self._fields["argv"] = self._command(section.first_line)
        super().only(section)
        begins = section.begun and (
            section.first_line > 1 or STARTS.match(b"\n".join(self._head[:1])) is not None
        )
        self.evidence = replace(self.evidence, whole=begins)

    def feed(self, raw: bytes, number: int) -> Iterable[Item]:
        """The items that a line completes."""
        if raw.endswith(b"\r"):
            raw = raw[:-1]
        found = self._match(raw)
        if found is None:
            return self._without_time(raw, number)
        time, name, level, text = found.group("time", "name", "level", "text")
        if self._entry is None and self._closing is None and name == self._name:
            channel = _CHANNELS.get(text[:21])
            if channel is not None:
                self._mine = True
                at = self._moment(number, self._times.of(time))
                return (self._message(at, channel, _without_metadata(text)[21:]),)
        return self._entry_of(number, time, name, level.decode(), text)

    def _entry_of(self, number: int, time: bytes, name: bytes, level: str, text: bytes) -> Iterator[Item]:
        yield from self._end_of_object()
        self._mine = name == self._name
        if not self._mine:
            return
        at = self._moment(number, self._times.of(time))
        text = _without_metadata(text)
        if _OPENS.search(text) and text[:21] not in _CHANNELS:
            self._entry, self._inside, self._object = (at, level, text), 1, []
        else:
            yield from self._items(at, level, text)

    def finish(self) -> Iterator[Item]:
        """What is still held."""
        yield from self._end_of_object()
        yield from self._closed_by(by_server=True)

    def _without_time(self, raw: bytes, number: int) -> Iterator[Item]:
        if self._inside:
            closes = _CLOSES.match(raw) is not None
            if closes or raw.startswith(b" ") or not raw:
                self._inside += 1
                self._object.append(raw)
                if closes or self._inside > MOST_LINES:
                    yield from self._end_of_object()
                return
            yield from self._end_of_object()
        if self._pattern is OF_ALL or not self._clock.start_us or self._is_cut(raw):
            self.passed_over += bool(raw.strip())
            return
        if self._mine:
            number, t_us, wall_us = self._moment(number, 0)
            yield Line(number, STDERR, raw, b"\n", t_us, t_us, wall_us)

    def _is_cut(self, raw: bytes) -> bool:
        """Whether a line is an entry of this server that was cut with the file, before its text."""
        stamp = _STAMP.match(raw)
        if stamp is None:
            return False
        rest, head = raw[stamp.end() :], b" [" + self._name + b"] ["
        return head.startswith(rest) or (rest.startswith(head) and b"]" not in rest[len(head) :])

    def _end_of_object(self) -> Iterator[Item]:
        """The entry whose object is complete."""
        entry, self._entry, self._inside = self._entry, None, 0
        if entry is not None:
            at, level, text = entry
            is_list = text.endswith(b"[")
            more = b"\n".join(self._object) if is_list else b""
            yield from self._items(at, level, text[:-1].rstrip() + (b"[\n" + more if is_list else b""))

    def _items(self, at: Moment, level: str, text: bytes) -> Iterator[Item]:
        channel = _CHANNELS.get(text[:21])
        if channel is not None:
            yield from self._closed_by(by_server=True)
            yield self._message(at, channel, text[21:])
            return
        sentence = _decoded(_CONTEXT.sub(b"", text))
        if sentence.startswith("Server transport closed"):
            yield from self._ending(at, sentence, level)
            return
        if level == "error" and (line := rejected(sentence, at)) is not None:
            yield line
            return
        yield from self._not_started(at, sentence)
        if sentence.startswith(("Client transport closed", "Shutting down server")):
            if self._closing is None and self._started:
                yield from self._closed(at, by_server=False)
        elif sentence.startswith("Server started and connected"):
            self._started = True
        elif not sentence.startswith(("Server disconnected", "Initializing server")):
            yield from self._closed_by(by_server=True)
        yield said(at, sentence, level)

    def _ending(self, at: Moment, sentence: str, level: str) -> Iterator[Item]:
        """Who closed, as far as it is told: a client that closed first said so before."""
        if "unexpectedly" in sentence:
            yield from self._closed_by(by_server=True)
        elif "intentional" in sentence:
            yield from self._closed_by(by_server=False)
        elif self._closing is None and self._started and not self._over:
            self._closing = at
        yield said(at, sentence, level)

    def _closed_by(self, by_server: bool) -> list[Item]:
        at, self._closing = self._closing, None
        return self._closed(at, by_server) if at is not None else []

    def _message(self, at: Moment, channel: str, data: bytes) -> Item:
        number, t_us, wall_us = at
        self._started = True
        if data.startswith((b"{", b"[")):
            value = parse_line(data)
            if value is NOT_JSON:
                return Damaged(number, data, "the log does not hold all of its message")
            return Line(number, channel, data, b"\n", t_us, t_us, wall_us, value=value)
        members = _members(data)
        if members is None:
            return Damaged(number, data, "what the log tells of its message is not understood")
        return outline_line(number, channel, members, t_us, wall_us)

    def _command(self, first_line: int) -> list[str]:
        """The command line that stands behind a start, if it is within the beginning of the file."""
        for number, line in enumerate(self._head[first_line - 1 :], first_line):
            found = self._pattern.match(line)
            if found is None or found["name"] != self._name:
                continue
            if number > first_line and found["text"].startswith(b"Initializing server"):
                return []
            named = re.match(rb"Using MCP server command: (.+?) with (args and )?path: ", found["text"])
            if named is not None:
                return [_decoded(named[1]), *(arguments_of(self._head[number:]) if named[2] else [])]
        return []


def _without_metadata(text: bytes) -> bytes:
    if text.endswith(_UNDEFINED):
        return text[: -len(_UNDEFINED)]
    return _METADATA.sub(b"", text) if text.endswith(b"} }") and b" { metadata: " in text else text


def _is_outline(text: bytes) -> bool:
    if not text.startswith(b"Message from "):
        return False
    data = _without_metadata(text)[21:]
    return not data.startswith((b"{", b"[")) and _members(data) is not None


def _members(data: bytes) -> dict[str, Any] | None:
    """The members that a message is told to have, its contents empty; None if that is not understood."""
    found = _OUTLINE.match(data)
    if found is None or not data:
        return None
    members: dict[str, Any] = {"jsonrpc": "2.0"}
    if found["method"] is not None:
        members["method"] = _decoded(found["method"])
    if found["id"] is not None:
        key = parse_line(found["id"])
        members["id"] = _decoded(found["id"]) if key is NOT_JSON else key
    for name in ("params", "result"):
        if found[name] is not None:
            members[name] = {}
    if found["error"] is not None:
        members["error"] = {"code": int(found["code"])} if found["code"] is not None else {}
    return members if len(members) > 1 else None


def _decoded(data: bytes) -> str:
    return data.decode(errors="replace")


def recognise(beginning: Beginning) -> ClaudeDesktopDecoder | None:
    """A decoder if entries are as Claude Desktop writes them, and say what it says.

    Raises RecordingError if none of them is about a session.
    """
    lines = beginning.lines
    for pattern in (OF_SERVER, OF_ALL):
        found = [entry for line in lines if (entry := pattern.match(line)) is not None]
        known = sum(1 for entry in found if _TEXTS.match(entry["text"]))
        if known and known * 4 >= len(found) and is_log(lines, len(found), pattern):
            return ClaudeDesktopDecoder(pattern, beginning.numbered)
    nameless = [entry for line in lines if (entry := _NAMELESS.match(line)) is not None]
    if nameless and sum(1 for entry in nameless if _TEXTS.match(entry["text"])) * 2 >= len(lines):
        raise RecordingError(
            "looks like Claude Desktop's main log; of its logs mcptap reads what names a server: "
            "mcp-server-NAME.log has its messages"
        )
    return None


FORMAT = Format(
    "Claude Desktop's logs (mcp-server-NAME.log, mcp.log)",
    Certainty.MARKED,
    recognise,
    Sessions(
        STARTS,
        ENDS,
        mentions=MENTIONS,
        start_words=b"Initializing server...",
        end_words=b"Server transport closed",
        mention_words=b"] Message from server: ",
    ),
)
