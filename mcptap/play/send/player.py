"""Send a client's script to a fresh server: the conversation's core driven by a real process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import trio

from mcptap.clients.client import StopStep
from mcptap.play.client.client_script import ClientScript
from mcptap.play.send.actions import EndInput, Outcome, Pace, Send, Wait
from mcptap.play.send.conversation import Conversation
from mcptap.play.server.interrupt import unless_interrupted
from mcptap.play.server.launch import Launch
from mcptap.play.server.process import ServerProcess, running
from mcptap.play.server.stop import Exit
from mcptap.recording.format.model import Line
from mcptap.recording.writer import Recorder
from mcptap.wire import SERVER_TO_CLIENT

QUICK_STOP = (StopStep("SIGTERM", 1, group=True),)
"""How the server is stopped when the user wants to leave."""


@dataclass(slots=True)
class PlayResult:
    """A play that is over."""

    outcome: Outcome
    exit: Exit
    substitutes: dict[str | int, str | int]
    """Values of the recorded server, and those of the fresh one that took their place."""
    interrupted: int = 0
    """The signal that ended it early, 0 if none did."""
    signals: Sequence[str] = ()
    """The signals that the server was sent."""


@dataclass(slots=True)
class Listener:
    """Who is told what goes over the wire, as it goes."""

    sent: Callable[[bytes], None]
    received: Callable[[Line], None]
    """Lines of stdout and stderr alike."""


def play(
    script: ClientScript,
    launch: Launch,
    recorder: Recorder,
    listener: Listener,
    *,
    pace: Pace,
    timeout_s: float,
    stop: Sequence[StopStep],
) -> PlayResult:
    """Start the server, say the script, stop the server. Raises UserError if it can't be started."""
    player = _Player(Conversation(script, pace, round(timeout_s * 1e6)), recorder, listener, timeout_s)
    return trio.run(player.run, launch, stop)


class _Player:
    def __init__(
        self, conversation: Conversation, recorder: Recorder, listener: Listener, timeout_s: float
    ) -> None:
        self._conversation = conversation
        self._recorder = recorder
        self._listener = listener
        self._timeout_s = timeout_s
        self._news = trio.Event()
        self._out_ended = False

    async def run(self, launch: Launch, stop: Sequence[StopStep]) -> PlayResult:
        conversation = self._conversation
        async with running(launch, self._recorder, self._take_line, self._take_end) as server:
            _, told = await unless_interrupted(lambda: self._talk(server))
            sequence = QUICK_STOP if told else stop
            end, told_again = await unless_interrupted(lambda: server.stop(sequence))
            await server.kill()
            assert server.exit is not None
        return PlayResult(
            conversation.outcome,
            end or server.exit,
            conversation.substitutes,
            told or told_again,
            server.signals,
        )

    async def _talk(self, server: ServerProcess) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._note_exit, server)
            await self._converse(server)
            if self._out_ended:
                await server.leave_to_end()
            nursery.cancel_scope.cancel()

    async def _converse(self, server: ServerProcess) -> None:
        while True:
            self._news = trio.Event()
            action = self._conversation.next(self._now())
            if isinstance(action, Send):
                await self._send(server, action.data)
            elif isinstance(action, Wait):
                with trio.move_on_after(max(0, action.until_us - self._now()) / 1e6):
                    await self._news.wait()
            elif isinstance(action, EndInput):
                await server.close_stdin()
            else:
                return

    async def _send(self, server: ServerProcess, data: bytes) -> None:
        self._listener.sent(data)
        with trio.move_on_after(self._timeout_s):
            if not await server.send(data):
                self._conversation.take_end()
            return
        self._conversation.outcome.notes.append("the server does not read its input")
        self._conversation.take_end()

    def _now(self) -> int:
        return self._recorder.now()[0]

    def _take_line(self, line: Line) -> None:
        self._listener.received(line)
        if line.channel == SERVER_TO_CLIENT:
            self._conversation.take_line(line, line.t_us)
            self._news.set()

    def _take_end(self, channel: str) -> None:
        if channel == SERVER_TO_CLIENT:
            self._out_ended = True
            self._conversation.take_end()
            self._news.set()

    async def _note_exit(self, server: ServerProcess) -> None:
        await server.exited.wait()
        self._conversation.take_end()
        self._news.set()
