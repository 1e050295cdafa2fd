"""Zed's log (`Zed.log`), best with `"log": {"context_server": "trace"}` in its settings.

Read from its source (`crates/context_server/src/client.rs`): each line is written as it was sent or
received, before anything parses it. The transport logs what is sent once more, under a target of its own;
what can't be used is repeated at the level of errors. No line names the server that it is of.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from mcptap.captures.evidence import SECONDS, Evidence, fineness_of
from mcptap.captures.format import HEAD, Beginning, Certainty, Format
from mcptap.captures.lines import from_rfc3339
from mcptap.captures.logs.decoder import LogDecoder
from mcptap.captures.sections import Section, Sessions
from mcptap.recording.format.model import Item, RecordingError
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

LINE = re.compile(
    rb"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) +"
    rb"(TRACE|DEBUG|INFO|WARN|ERROR) +\[([\w:/.-]+)\] ?(.*)$",
    re.DOTALL,
)
CLIENT = b"context_server::client"
SENT = b"outgoing message: "
RECEIVED = b"recv: "
UNUSABLE = b"Unhandled JSON from context_server: "
WROTE = b"context server stderr: "
NAMED = b"starting context server "
_STARTS = rb"starting context server \(executable="
_LAUNCH = re.compile(rb'starting context server \(executable="((?:[^"\\]|\\.)*)", args=\[(.*)\]\)', re.DOTALL)
_FRACTION = re.compile(rb"\.(\d+)")
_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(rb"\\(.)", re.DOTALL)
_OWN = re.compile(rb"^(?:zed|gpui|workspace|project|extension_host|agent|lsp|auto_update)(?:::|$|_)")

EVIDENCE = Evidence(
    origin="Zed's log",
    framing=False,
    launch=False,
    process=False,
    status=False,
    whole=False,
    assumptions=("no line names its server: all were taken to be of the one that was started",),
)


class ZedDecoder(LogDecoder):
    """Decodes Zed's log. `traced`: whether messages are in it."""

    def __init__(self, traced: bool, fineness_us: int = SECONDS) -> None:
        evidence = replace(EVIDENCE, fineness_us=fineness_us)
        super().__init__(evidence if traced else replace(evidence, messages=False, client=False))
        self.tell(parent={"name": "Zed"})
        self._last = b""
        self._stamp, self._wall_us = b"", 0
        self._shared = False

    def only(self, section: Section) -> None:
        """The section begins where the server was started."""
        super().only(section)
        self._shared = section.shared

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The line that this entry tells of."""
        found = LINE.match(raw.removesuffix(b"\r"))
        if found is None:
            return self.pass_over(raw)
        stamp, level, target, text = found.groups()
        if stamp != self._stamp:
            self._stamp, self._wall_us = stamp, from_rfc3339(stamp.decode())
        if target == CLIENT:
            return self._client(text, number, level)
        if target.startswith(b"context_server::"):
            return iter(())  # the transport repeats what is sent
        if b"context_server" in target:
            if text.startswith(NAMED) and not self._shared:
                self.tell(name=text[len(NAMED) :].decode(errors="replace"))
            return self._says(text, number, level)
        return self.pass_over(raw)

    def _client(self, text: bytes, number: int, level: bytes) -> Iterator[Item]:
        if text.startswith(SENT):
            yield self.line(number, CLIENT_TO_SERVER, text[len(SENT) :], self._wall_us)
        elif text.startswith(RECEIVED):
            self._last = text[len(RECEIVED) :]
            yield self.line(number, SERVER_TO_CLIENT, self._last, self._wall_us)
        elif text.startswith(UNUSABLE):
            line, last, self._last = text[len(UNUSABLE) :], self._last, b""
            if line != last:
                yield self.line(number, SERVER_TO_CLIENT, line, self._wall_us)
        elif text.startswith(WROTE):
            yield self.line(number, STDERR, text[len(WROTE) :], self._wall_us)
        elif text.startswith(b"took "):
            return
        else:
            launch = _LAUNCH.match(text)
            if launch is not None and not self._shared:
                self.tell(argv=[_unescaped(launch[1]), *map(_unescaped, _STRING.findall(launch[2]))])
            yield from self._says(text, number, level)

    def _says(self, text: bytes, number: int, level: bytes) -> Iterator[Item]:
        yield self.log(number, text.decode(errors="replace"), self._wall_us, level.decode().lower())


def _unescaped(text: bytes) -> str:
    return _ESCAPE.sub(rb"\1", text).decode(errors="replace")


def recognise(beginning: Beginning) -> ZedDecoder | None:
    """A decoder if most lines are entries of Zed, and some of a context server.

    Raises RecordingError for a log of Zed without any.
    """
    entries = [found for found in map(LINE.match, beginning.lines) if found]
    if len(entries) * 2 <= len(beginning.lines):
        return None
    if any(b"context_server" in entry[3] for entry in entries):
        traced = any(e[3] == CLIENT and e[4].startswith((SENT, RECEIVED)) for e in entries)
        fractions = (_FRACTION.search(entry[1]) for entry in entries)
        return ZedDecoder(traced, fineness_of(found[1].decode() if found else "" for found in fractions))
    if not any(_OWN.match(entry[3]) for entry in entries):
        return None
    if len(beginning.head) >= HEAD:
        return ZedDecoder(traced=False)  # there may be some further on
    raise RecordingError(
        "looks like Zed's log; of it mcptap reads what [context_server] says, and none of that is in it: "
        'put "log": {"context_server": "trace"} into Zed\'s settings, and use the server again'
    )


FORMAT = Format(
    "Zed.log",
    Certainty.MARKED,
    recognise,
    Sessions(
        starts=re.compile(
            rb"(?m)^(?:\S+ +\w+ +\[context_server\] starting context server [^\n(]+\n)?"
            rb"\S+ +\w+ +\[context_server(?:::client)?\] (?:" + _STARTS + rb"|Using HTTP transport for )"
        ),
        ends=re.compile(rb"(?!)"),  # no line tells the end of one
        breaks=re.compile(rb"(?m)^\S+ +INFO +\[zed\w*\] =+ starting zed"),
    ),
)
