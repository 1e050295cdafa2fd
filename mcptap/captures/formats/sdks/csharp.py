"""What the C# SDK logs of a transport at the level Trace, as the console logger of .NET prints it.

Read from its source (`TransportBase`, `StdioClientTransport`): `Client (NAME) transport sending message.
Message: '{…}'.`, and the same as `Server (NAME)` with the directions turned round. A line that can't be
parsed is written out, after it was written as received; below Trace only that parsing failed. Times are
there where the logger was told to write them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mcptap.captures.evidence import LOCAL_TIME, Evidence
from mcptap.captures.format import Beginning, Certainty, Format
from mcptap.captures.lines import begun_line, from_local, from_rfc3339
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR, other_side

SAYS = re.compile(
    rb"\b(?P<end>(?P<side>Client|Server) \((?P<name>[^\n]{0,200}?)\)) "
    rb"(?P<text>transport |starting server process|"
    rb"started server process|failed to start server process|received stderr log: |shutting down|shut down)"
)
MESSAGE = re.compile(
    rb"^transport (sending|received|message parsing failed|received unexpected)"
    rb"(?: message)?\. "
    rb"Message: '(.*)'\.$",
    re.DOTALL,
)
WROTE = re.compile(rb"^received stderr log: '(.*)'\.$", re.DOTALL)
FAILED = re.compile(rb"^transport message parsing failed\.$")
STARTED = re.compile(rb"^started server process with PID (\d+)")
COMMAND = re.compile(rb"^starting server process\. Command: '(.*?)'(?:[,.]|$)", re.DOTALL)
STAMP = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,7})?(?:Z|[+-]\d\d:\d\d)?")
HEADING = re.compile(rb"\b(?:trce|dbug|info|warn|fail|crit): [\w.`]+\[\d+\]")
_FIRST = re.compile(rb"JsonException: '(.)' is an invalid start of a value")

EVIDENCE = Evidence(
    origin="what the C# SDK logged",
    times=False,
    framing=False,
    launch=False,
    process=False,
    status=False,
    whole=False,
)


class CSharpDecoder(LogDecoder):
    """Decodes the log of one end. `stamped`: whether its lines have times; `traced`: whether messages."""

    def __init__(self, stamped: bool, traced: bool) -> None:
        evidence = replace(EVIDENCE, times=stamped, assumptions=(LOCAL_TIME,) if stamped else ())
        super().__init__(evidence if traced else replace(evidence, messages=False, client=False))
        self._stamped = stamped
        self._end = b""
        self._wall_us = 0
        self._last = b""
        self._away = SERVER_TO_CLIENT
        """The channel of what this end receives."""
        self._failed: int | None = None
        """The line that says that parsing failed, but not of what; the library's error may follow."""

    def only(self, section: Section) -> None:
        """Take only the lines of this end."""
        self._end = section.name.encode()
        self.tell(name=_name_of(section.name))

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """What this line tells."""
        raw = raw.rstrip(b"\r")
        stamp = STAMP.search(raw, 0, 80) if self._stamped else None
        if stamp is not None:
            text = stamp[0].decode().replace(" ", "T")
            self._wall_us = from_rfc3339(text) if text[19:].strip(".0123456789") else from_local(text)
        found = SAYS.search(raw)
        if found is None:
            first = _FIRST.search(raw) if self._failed is not None else None
            if first is not None and self._failed is not None:
                text = first[1].decode(errors="replace")
                yield begun_line(self._failed, self._away, text, *self.moment(self._wall_us))
                self._failed = None
            elif HEADING.search(raw) is None:
                yield from self.pass_over(raw)
            return
        yield from self.finish()
        if not self._end:
            self._end = found["end"]
            self.tell(name=_name_of(found["end"].decode(errors="replace")))
        if found["end"] != self._end:
            return
        yield from self._says(raw[found.start("text") :], found["side"] == b"Client", number)

    def finish(self) -> Iterator[Item]:
        """A failure of which no more was said."""
        number, self._failed = self._failed, None
        if number is not None:
            yield self.log(number, "transport message parsing failed", self._wall_us, "error")

    def _says(self, text: bytes, is_client: bool, number: int) -> Iterator[Item]:
        away = CLIENT_TO_SERVER if is_client else SERVER_TO_CLIENT
        self._away = other_side(away)
        if FAILED.match(text):
            self._failed = number
            return
        if (message := MESSAGE.match(text)) is not None:
            kind, data = message.groups()
            if kind == b"sending":
                yield self.line(number, away, data, self._wall_us)
                return
            last, self._last = self._last, data if kind == b"received" else b""
            if kind == b"received" or data != last:
                yield self.line(number, other_side(away), data, self._wall_us)
        elif (wrote := WROTE.match(text)) is not None:
            yield self.line(number, STDERR, wrote[1], self._wall_us)
        elif (started := STARTED.match(text)) is not None:
            yield self.event(number, "spawn", self._wall_us, pid=int(started[1]))
        else:
            command = COMMAND.match(text)
            if command is not None:
                self.tell(argv=[command[1].decode(errors="replace")])
            yield self.log(number, text.decode(errors="replace"), self._wall_us)


def _name_of(end: str) -> str:
    """The server's name in `Client (NAME)` or `Server (stdio) (NAME)`."""
    return end.removesuffix(")").rpartition("(")[2]


def recognise(beginning: Beginning) -> CSharpDecoder | None:
    """A decoder if the lines are of the console logger, and some of an end of MCP."""
    lines = beginning.lines
    says = [found for found in map(SAYS.search, lines) if found]
    if not says or len(says) * 4 < len(lines):
        return None
    headings = [line for line in lines if HEADING.search(line)]
    if not headings and len(says) * 2 < len(lines):
        return None
    traced = any(b"Message: '" in line for line in lines)
    return CSharpDecoder(bool(headings) and all(STAMP.search(line, 0, 80) for line in headings), traced)


FORMAT = Format(
    "logs of the C# SDK",
    Certainty.SHAPED,
    recognise,
    Sessions(
        starts=re.compile(
            rb"(?m)\b(?P<name>Client \([^\n]{0,200}?\)) starting server process|"
            rb"\b(?P<key>Server \([^\n]{0,200}?\)) transport reading messages"
        ),
    ),
)
