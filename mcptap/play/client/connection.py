"""A fresh server, and a played client's conversation with it: requests, responses, the end.

The client reads as tolerantly as a client may, or as strictly as the one it stands for: messages
with one of the flaws in `drops` are ignored. Requests of the server are refused,
except ping, unless somebody sets another `reply`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import trio

from mcptap.clients.client import StopStep
from mcptap.clients.faults import Fault
from mcptap.play.client.messages import as_line, notification_line, refusal, request_line
from mcptap.play.server.launch import Launch
from mcptap.play.server.process import ServerProcess, running
from mcptap.play.server.recording import open_recording
from mcptap.play.server.stop import Exit, stop_sequence
from mcptap.protocol.model.broken import Broken
from mcptap.protocol.model.message import BYTES, MESSAGES, REQUEST, RESPONSE, TEXT, Flaw, Message, classify
from mcptap.protocol.revisions.names import OPENERS
from mcptap.recording.format import events
from mcptap.recording.format.content import NOT_JSON
from mcptap.recording.format.model import Line
from mcptap.wire import SERVER_TO_CLIENT

ALWAYS_DROPPED = frozenset({Flaw.BAD_VERSION})
STOP = stop_sequence(5.0)
"""How a server is stopped: five seconds to end by itself before it is told to."""

LEAVE_S = 0.5
"""How long a server that closed its stdout is given to end by itself."""

FLOOD = 20_000
"""So many lines that are no messages are enough: more would fill memory and disk and say nothing new."""

STOP_FLOOD = (StopStep("SIGTERM", 1.0, group=True),)


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """How processes are started and waited for."""

    launch: Launch
    timeout_s: float = 10.0
    """For each answer."""
    start_s: float = 60.0
    """For the first answer of a process, which may have to be downloaded first."""
    call_s: float = 60.0
    """For the answer of a tool."""
    record: str | None = None
    """A file or folder for the recordings; None for the user's own folder."""
    tell: Callable[[str], None] = print
    """Takes sentences about trouble with a recording."""


class Connection:
    """One process and the conversation with it. Made by `connect`."""

    def __init__(
        self, settings: ConnectionSettings, what: str = "", drops: frozenset[str] = ALWAYS_DROPPED
    ) -> None:
        self.settings = settings
        self.what = what
        """What the session is for, in words."""
        self.meta: dict[str, Any] = {}
        """What every request carries in `_meta`; its progress token apart, nothing in the handshake era."""
        self.received: list[Message] = []
        """What came on stdout, in order."""
        self.stderr: list[Line] = []
        self.ended = False
        """Whether the server's stdout has ended."""
        self.recording_path = ""
        """The recording's file; empty if there is none."""
        self.exit: Exit | None = None
        self.left = False
        """Whether the server ended by itself, before it was stopped."""
        self.echoed = 0
        """How many of the client's opening lines came back, as from a terminal or from `cat`."""
        self._openings: set[bytes] = set()
        self.reply: Callable[[Message], bytes] = refusal
        """Makes the response to a request of the server, as a line."""
        self.forgives: frozenset[Fault] = frozenset()
        """For which of `NOT_A_NUMBER`, `INVALID_UTF8` and `BYTE_ORDER_MARK` a line is read all the same."""
        self._drops = drops
        self._server: ServerProcess | None = None
        self._changed = trio.Event()
        self._requests_to_refuse: list[Message] = []
        self._next_id = 0
        self._has_responded = False
        self._stray_lines = 0

    @property
    def is_flooded(self) -> bool:
        """Whether so much came that is no message that no message is waited for any more."""
        return self._stray_lines > FLOOD

    @property
    def server(self) -> ServerProcess:
        """The server's process."""
        assert self._server is not None
        return self._server

    def take_line(self, line: Line) -> None:
        """Take a line of the server; called by the process."""
        if line.channel != SERVER_TO_CLIENT:
            self.stderr.append(line)
            return
        if line.data in self._openings:
            self.echoed += 1
            return
        message = classify(line)
        if message.kind in (TEXT, BYTES) and self.forgives:
            message = _forgiven(message, self.forgives)
        self._stray_lines += message.kind not in MESSAGES
        self.received.append(message)
        if message.kind == REQUEST and message.id is not None:
            self._requests_to_refuse.append(message)
        self._changed.set()

    def take_end(self, channel: str) -> None:
        """Take the end of a channel; called by the process."""
        if channel == SERVER_TO_CLIENT:
            self.ended = True
            self._changed.set()

    def new_id(self) -> int:
        """An id that was not used before."""
        self._next_id += 1
        return self._next_id

    def request_line(self, method: str, params: dict[str, Any] | None = None, key: Any = None) -> bytes:
        """A request as a line, with the `_meta` of the era."""
        return request_line(method, params, key, self.meta)

    async def request(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        key: str | int | None = None,
        limit_s: float | None = None,
    ) -> Message | None:
        """Send a request and wait for its answer; None if it does not come in time, or the server ends."""
        key = self.new_id() if key is None else key
        begin = len(self.received)
        await self.send(self.request_line(method, params, key))
        return await self.response_to(key, begin, limit_s)

    async def response_to(
        self, key: str | int, begin: int = 0, limit_s: float | None = None
    ) -> Message | None:
        """Wait for the answer with this id among what was heard from `begin` on."""
        if limit_s is None:
            limit_s = self.settings.timeout_s if self._has_responded else self.settings.start_s
        await self.wait_until(lambda: self._find(key, begin) is not None, limit_s)
        found = self._find(key, begin)
        self._has_responded = self._has_responded or found is not None
        return found

    async def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a notification."""
        await self.send(notification_line(method, params))

    async def send(self, data: bytes) -> None:
        """Send bytes as they are; a server that does not read them in time is left alone with them."""
        # Of these no server has an equal one of its own; a ping with the same id it may well have.
        if any(b'"%b"' % method.encode() in data for method in OPENERS):
            self._openings.update(data.splitlines())
        with trio.move_on_after(self.settings.timeout_s):
            await self.server.send(data)

    def note_question(self, what: str = "") -> None:
        """Note in the recording that what is sent now is odd; without words, that this is over."""
        self.server.note(events.question(what))

    async def wait_until(self, enough: Callable[[], bool], limit_s: float) -> None:
        """Wait until `enough()`, the server's end, or the limit; answer the server meanwhile."""
        with trio.move_on_after(limit_s):
            while True:
                changed = self._changed = trio.Event()
                while self._requests_to_refuse:
                    await self.server.send(self.reply(self._requests_to_refuse.pop(0)))
                if enough() or self.ended or self.is_flooded:
                    return
                await changed.wait()

    async def stop(self, sequence: tuple[StopStep, ...] | None = None) -> Exit:
        """Stop the server and say how it ended."""
        if self.ended and self.exit is None:
            with trio.move_on_after(LEAVE_S):
                await self.server.exited.wait()
            self.left = self.server.exited.is_set()
        if self.is_flooded:
            sequence = STOP_FLOOD
        self.exit = await self.server.stop(STOP if sequence is None else sequence)
        return self.exit

    def accepts(self, message: Message) -> bool:
        """Whether the client that is played takes this message for one."""
        return not any(flaw in self._drops for flaw in message.flaws)

    def _find(self, key: str | int, begin: int) -> Message | None:
        # As libraries match, not as a session pairs: `"1"` is the response to `1` for most of them.
        for message in self.received[begin:]:
            if message.kind == RESPONSE and self.accepts(message) and str(message.id) == str(key):
                return message
        return None


def _forgiven(message: Message, faults: frozenset[Fault]) -> Message:
    """The message that a line is to a reader which does not mind these faults; null stands for NaN."""
    broken = Broken(message.line.data)
    if broken.constant:
        fault, value = Fault.NOT_A_NUMBER, broken.meant
    else:
        fault, value = Fault.BYTE_ORDER_MARK if broken.bom else Fault.INVALID_UTF8, broken.value
    if fault not in faults or value is NOT_JSON or broken.utf16:
        return message
    line, data = message.line, as_line(value).removesuffix(b"\n")
    return classify(Line(line.number, line.channel, data, line.eol, line.t_us, line.first_us, line.wall_us))


@asynccontextmanager
async def connect(
    settings: ConnectionSettings,
    what: str = "a session",
    launch: Launch | None = None,
    drops: frozenset[str] = ALWAYS_DROPPED,
) -> AsyncIterator[Connection]:
    """A fresh server to talk to, recorded; it is gone when the block is left. Raises UserError.

    `what` says in words what the session is for.
    """
    launch = launch or settings.launch
    recorder, file = open_recording(launch, settings.record, "probe", settings.tell, probe=what)
    connection = Connection(settings, what, drops)
    connection.recording_path = file.path or ""
    try:
        async with running(launch, recorder, connection.take_line, connection.take_end) as server:
            connection._server = server
            yield connection
            if connection.exit is None:
                await connection.stop()
    finally:
        recorder.close()
