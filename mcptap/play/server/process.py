"""A server's process, for whoever plays its client: start, send, hear, stop, all of it recorded.

The player hears each line in a plain function, called in the order of the channel as soon
as the line is recorded. So nothing queues up between the server and the player, and a player
that is sending can't keep the server from being read: the deadlock of two full pipes.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import trio

from mcptap.clients.client import CLOSE, StopStep
from mcptap.errors import UserError
from mcptap.play.server import process_tree
from mcptap.play.server.child import Child, start_child
from mcptap.play.server.launch import Launch
from mcptap.play.server.line_cutter import LineCutter
from mcptap.play.server.stop import Exit, signal_name, signal_number
from mcptap.recording.format import events
from mcptap.recording.format.model import Line
from mcptap.recording.writer import ChannelRecorder, Recorder
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

CHUNK = 1 << 16
DRAIN_S = 0.5
"""How long, once the server has ended, whatever still holds its stdout may go on writing."""

BLOCKED_S = 1.0
"""A send that takes longer is recorded as `blocked`: the server does not read."""

_leaders: set[int] = set()  # the servers of this process that live


class ServerProcess:
    """A server that runs. Made by `running`, which sees to its end."""

    def __init__(
        self,
        process: Child | trio.Process,
        recorder: Recorder,
        hear: Callable[[Line], None],
        heard_end: Callable[[str], None],
    ) -> None:
        self.pid = process.pid
        self.exit: Exit | None = None
        self.exited = trio.Event()
        """Set when the server has ended, its channels are read and its tree is gone."""
        self.signals: list[str] = []
        """The signals that it was sent."""
        self._process = process
        self._recorder = recorder
        self._hear = hear
        self._heard_end = heard_end
        self._stdin = ChannelRecorder(recorder, CLIENT_TO_SERVER)
        self._stdin_open = True
        self._sending = trio.Lock()
        self._started = process_tree.start_of(process.pid)
        self._born_us = recorder.now()[0]
        self._read_out = trio.Event()

    async def send(self, data: bytes) -> bool:
        """Send bytes as they are. False if the server reads no more (also what went before).

        They are recorded before they are sent: what the server has seen stands in the recording.
        """
        async with self._sending:
            if not self._stdin_open:
                return False
            self._stdin.take(data)
            began = trio.current_time()
            assert self._process.stdin is not None
            try:
                await self._process.stdin.send_all(data)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                if self._stdin_open:
                    await self._end_stdin(events.RECEIVER_CLOSED)
                return False
            finally:
                took = trio.current_time() - began
                if took > BLOCKED_S:
                    self._recorder.event(events.blocked(CLIENT_TO_SERVER, round(took * 1e6)))
            return True

    def note(self, event: tuple[bytes, bytes]) -> None:
        """Record an event of the player's own."""
        self._recorder.event(event)

    async def leave_to_end(self) -> None:
        """Give a server whose stdout has ended a moment to end by itself.

        A client that closes stdin at once would look as if it had ended the session.
        """
        with trio.move_on_after(DRAIN_S):
            await self.exited.wait()

    async def close_stdin(self) -> None:
        """End of input for the server. What is being sent is sent first."""
        async with self._sending:
            await self._end_stdin()

    async def stop(self, sequence: Sequence[StopStep]) -> Exit:
        """Take the server through a stop sequence; after its last step, KILL to the whole tree."""
        for step in sequence:
            if self.exited.is_set():
                break
            with trio.move_on_after(step.wait_s):
                if step.action == CLOSE:
                    await self.close_stdin()
                else:
                    self.signal(step.action, group=step.group)
                await self.exited.wait()
        await self.kill()
        assert self.exit is not None
        return self.exit

    def signal(self, name: str, *, group: bool = True) -> None:
        """Send a signal (`"SIGTERM"`) to the server's process group, or to it alone."""
        if self._process.returncode is not None:
            return
        self._recorder.event(events.signal(name, os.getpid(), forwarded=True))
        self.signals.append(name)
        number = signal_number(name)
        if group:
            process_tree.signal_group(self.pid, number)
        else:
            self._process.send_signal(number)

    async def kill(self) -> None:
        """End the server and its tree at once, and wait until they are gone."""
        if not self.exited.is_set():
            self.signal("SIGKILL")
            if self._process.returncode is None:
                self._process.kill()
        await self.exited.wait()

    async def _end_stdin(self, why: str = "") -> None:
        if self._stdin_open:
            self._stdin_open = False
            self._stdin.end(why)
            assert self._process.stdin is not None
            await self._process.stdin.aclose()

    async def _live(self) -> None:
        # The player may be cancelled; the server's last words are heard and recorded all the same.
        with trio.CancelScope(shield=True):
            async with trio.open_nursery() as nursery:
                readers = trio.CancelScope()
                nursery.start_soon(self._read_both, readers)
                nursery.start_soon(self._watch, readers)

    async def _read_both(self, scope: trio.CancelScope) -> None:
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        with scope:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._read, SERVER_TO_CLIENT, self._process.stdout)
                nursery.start_soon(self._read, STDERR, self._process.stderr)
        self._read_out.set()

    async def _read(self, channel: str, stream: trio.abc.ReceiveStream) -> None:
        numbers: list[int] = []

        def note(first: int, _: bytes, values: list[Any]) -> None:
            numbers.extend(range(first, first + len(values)))

        recorder = ChannelRecorder(self._recorder, channel, note)
        cutter = LineCutter()
        why = ""
        try:
            async with stream:
                while chunk := bytes(await stream.receive_some(CHUNK)):
                    recorder.take(chunk)
                    t, wall = self._recorder.now()
                    for number, piece in zip(numbers, cutter.feed(chunk, t), strict=True):
                        self._hear(Line(number, channel, piece.data, piece.eol, t, piece.first_us, wall))
                    numbers.clear()
                    if channel == SERVER_TO_CLIENT and cutter.is_full:
                        # As real clients do, if later: what never ends would fill the disk.
                        why = events.RECEIVER_CLOSED
                        break
        except trio.BrokenResourceError:
            pass
        finally:
            t, wall = self._recorder.now()
            numbers.clear()
            recorder.end(why)
            if (rest := cutter.rest()) is not None:
                self._hear(Line(numbers[0], channel, rest.data, rest.eol, t, rest.first_us, wall))
            self._heard_end(channel)

    async def _watch(self, readers: trio.CancelScope) -> None:
        """Wait for the end of the server; then see to its channels, its tree and the record of it."""
        code = await self._process.wait()
        us = self._recorder.now()[0] - self._born_us
        with trio.move_on_after(DRAIN_S):
            await self._read_out.wait()
        left = await self._clear_tree()
        # What still holds a channel open now can't be found, and is not waited for.
        with trio.move_on_after(DRAIN_S):
            await self._read_out.wait()
        readers.cancel()
        await self._read_out.wait()
        name = signal_name(-code) if code < 0 else None
        self.exit = Exit(code if name is None else None, name, left)
        self._recorder.event(events.exited(self.exit.code, name, us, left))
        await self._end_stdin(events.RECEIVER_CLOSED)
        self.exited.set()

    async def _clear_tree(self) -> list[int]:
        """End what lives of the server's tree; return the pids of what was found first."""
        if not self._started:
            process_tree.signal_group(self.pid, signal_number("SIGKILL"))
            return []
        alone = _leaders == {self.pid}
        first = found = process_tree.living_members(self.pid, self._started, alone)
        while found:
            for pid in found:
                process_tree.kill(pid)
            await trio.sleep(0.01)
            found = process_tree.living_members(self.pid, self._started, alone)
        return first


async def _start(launch: Launch, recorder: Recorder) -> Child | trio.Process:
    """Start the server as the leader of a session of its own. Raises UserError."""
    try:
        process = await start_child(launch.argv, launch.cwd, launch.env)
    except (OSError, ValueError) as error:
        sentence, status = launch.why_not_started(error)
        number = getattr(error, "errno", None) or 0
        recorder.event(events.failed_spawn(number, sentence, status))
        raise UserError(sentence) from error
    recorder.event(events.spawn(process.pid))
    return process


def _nothing(channel: str) -> None:
    """What a player does that needs not know that a channel has ended."""


@asynccontextmanager
async def running(
    launch: Launch,
    recorder: Recorder,
    hear: Callable[[Line], None],
    heard_end: Callable[[str], None] = _nothing,
) -> AsyncIterator[ServerProcess]:
    """Start a server; leaving the block ends it and its whole tree at once, if it has not ended yet.

    `hear(line)` is called for each line of its stdout and stderr, `heard_end(channel)` when
    one of them has ended; neither may raise. Raises UserError if the server can't be started,
    after the recording says so.
    """
    with process_tree.adopting_orphans():
        async with _started(launch, recorder, hear, heard_end) as server:
            yield server


@asynccontextmanager
async def _started(
    launch: Launch, recorder: Recorder, hear: Callable[[Line], None], heard_end: Callable[[str], None]
) -> AsyncIterator[ServerProcess]:
    process = await _start(launch, recorder)
    _leaders.add(process.pid)
    server = ServerProcess(process, recorder, hear, heard_end)
    failure: Exception | None = None
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server._live)
            try:
                yield server
            except Exception as error:  # raised again below, outside of the nursery's group
                failure = error
            finally:
                with trio.CancelScope(shield=True):
                    await server.kill()
    finally:
        _leaders.discard(process.pid)
    if failure is not None:
        raise failure
