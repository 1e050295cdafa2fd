"""What the decoders of clients' logs have in common: the clock, the header, items made of sentences."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable
from typing import Any, ClassVar

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Decoder
from mcptap.captures.lines import Clock, log_event, process_event, text_line, unknown_header
from mcptap.captures.logs.rejections import Moment
from mcptap.captures.sections import Section, selected
from mcptap.recording.format.model import Event, Header, Item, Line
from mcptap.recording.reader import State
from mcptap.wire import CLIENT_TO_SERVER, STDERR

UNNAMED = "server"
"""How a server is called whose name is not known."""

NOT_STARTED = re.compile(
    r"\bspawn (?P<command>[^\n]{0,300}?) ?(?P<code>E[A-Z]{2,15}|UNKNOWN)\b"
    r"|^Failed to spawn process: (?P<why>[^\n]{1,200})"
    r"|\bExecutable not found in \$PATH: (?P<missing>[^\n]{1,200})"
)
"""How Node, Electron and Bun say that a command could not be started."""

CLOSED_BY_SERVER = re.compile(r"MCP error -32000: Connection closed")
"""What the SDK says of a request when the server's end was closed."""
TIMED_OUT = re.compile(r"MCP error -32001|\btimed out\b|CONNECT_TIMEOUT|Request timed out")

_ERROR = re.compile(r"MCP error (-?\d{1,9})(?:: |$)")


class ClientLog(Decoder):
    """A client's log of one server, told from the client's side. `client` is how the client is called."""

    def __init__(self, evidence: Evidence, client: str, name: str = "", argv: Iterable[str] = ()) -> None:
        self.evidence = evidence
        self._fields: dict[str, Any] = {"argv": list(argv), "parent": {"name": client}}
        self.header: Header = unknown_header(name.strip() or UNNAMED, **self._fields)
        self._clock = Clock()
        self._started = False
        """Whether the log told that the server was started."""
        self._over = False
        """Whether the log told how the session ended."""

    places: ClassVar[re.Pattern[str] | None] = None
    """How the path of a file ends that names its server, if the log itself does not: a group `name`."""

    def lies_at(self, path: str) -> None:
        """Take the server's name from the path, if that has it and the log so far did not."""
        found = self.places.search(selected(path)[0]) if self.places is not None else None
        if found is not None and self.header.name == UNNAMED:
            self.header = Header({**self.header.fields, "name": found["name"]})

    def only(self, section: Section) -> None:
        """Take the lines of one session. Of two processes nobody knows which one ended."""
        self._over = section.shared
        self.header = unknown_header(section.name.strip() or self.header.name, **self._fields)

    def _moment(self, number: int, wall_us: int) -> Moment:
        """When an entry was written; the first one is the start."""
        first = not self._clock.start_us
        t_us, wall_us = self._clock.at(wall_us)
        if first and self._clock.start_us:
            self.header = Header({**self.header.fields, "wall": self._clock.start_us})
        return number, t_us, wall_us

    def _closed(self, at: Moment, by_server: bool) -> list[Item]:
        """That a side ended the session, the first time that it is told.

        The libraries of these clients tell that a connection closed when the process has ended: it is an
        exit whose status is not in the log.
        """
        if by_server:
            return self._exited(at)
        if self._over:
            return []
        self._over, self.state = True, State.FINISHED
        return [process_event(at[0], "eof", at[1], at[2], ch=CLIENT_TO_SERVER)]

    def _exited(self, at: Moment, **how: Any) -> list[Item]:
        """That the process ended, with a code or by a signal, if that is told."""
        if self._over:
            return []
        self._over, self.state = True, State.FINISHED
        return [process_event(at[0], "exit", at[1], at[2], **how)]

    def _not_started(self, at: Moment, said: str) -> list[Item]:
        """That the command could not be started, if a sentence says so and nothing was started before."""
        found = NOT_STARTED.search(said)
        if found is None or self._over or self._started:
            return []
        self._over, self.state = True, State.FINISHED
        code = getattr(errno, found["code"] or "ENOENT", 0)
        return [process_event(at[0], "spawn", at[1], at[2], errno=code, error=" ".join(found[0].split()))]


def said(at: Moment, text: str, level: str = "") -> Event:
    """A sentence of the log."""
    return log_event(at[0], text.strip(), at[1], at[2], "" if level in ("info", "debug") else level)


def stderr_lines(at: Moment, text: str) -> list[Line]:
    """What a server wrote to stderr, line by line; what stands behind its last newline is nothing."""
    return [
        text_line(at[0], STDERR, line.removesuffix("\r"), at[1], at[2])
        for line in text.rstrip("\n").split("\n")
    ]


def code_of(text: str) -> int | None:
    """The code of an error of JSON-RPC that a client's sentence names, if the server sent it."""
    found = _ERROR.search(text)
    if found is None or CLOSED_BY_SERVER.search(text) or TIMED_OUT.search(text):
        return None
    return int(found[1])
