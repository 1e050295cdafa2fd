"""Servers that are functions, for tests of a played client: no process, and a clock that never waits."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import trio
from trio.testing import MockClock

from mcptap.clients.client import StopStep
from mcptap.play.server.stop import Exit
from mcptap.recording.format.model import Line
from tests.helpers import as_bytes

T = TypeVar("T")
Answer = Callable[[Any], Iterable[Any]]
"""From a line of the client (its value, or its bytes if it is no JSON) to the lines that come of it."""

GONE = object()
"""In place of a line: the server ends."""


def run(play: Callable[..., Awaitable[T]], *arguments: Any) -> T:
    """What `play` returns; where everything waits, the time of what is waited for has come."""
    return trio.run(play, *arguments, clock=MockClock(autojump_threshold=0))


def answering(results: Mapping[str, Any]) -> Answer:
    """A server that answers each method with its result, an int as an error's code, None not at all.

    A function is given the params; other methods are refused.
    """

    def answer(message: Any) -> Iterable[Any]:
        if not isinstance(message, dict) or message.get("id") is None or "method" not in message:
            return
        value = results.get(message["method"], -32601)
        if callable(value):
            value = value(message.get("params") or {})
        if value is GONE:
            yield GONE
        elif isinstance(value, int):
            yield {"jsonrpc": "2.0", "id": message["id"], "error": {"code": value, "message": "no"}}
        elif value is not None:
            yield {"jsonrpc": "2.0", "id": message["id"], "result": value}

    return answer


class FunctionServer:
    """Stands for a `ServerProcess`."""

    def __init__(
        self, answer: Answer, hear: Callable[[Line], None], heard_end: Callable[[str], None]
    ) -> None:
        self.sent: list[bytes] = []
        self.noted: list[tuple[bytes, bytes]] = []
        self.stopped_by: Sequence[StopStep] = ()
        self.exited = trio.Event()
        self._answer = answer
        self._hear = hear
        self._heard_end = heard_end
        self._heard = 0

    async def send(self, data: bytes) -> bool:
        """Take lines of the client, and give what comes of them."""
        await trio.lowlevel.checkpoint()
        self.sent.append(data)
        for line in data.splitlines():
            try:
                value = json.loads(line)
            except ValueError:
                value = line
            for content in self._answer(value):
                if content is GONE:
                    self._heard_end("s2c")
                    self.exited.set()
                    return True
                self._heard += 1
                raw = as_bytes(content).removesuffix(b"\n")
                self._hear(Line(self._heard, "s2c", raw, b"\n", 0, 0, 0))
        return True

    def note(self, event: tuple[bytes, bytes]) -> None:
        """Take an event for the recording, which there is none of."""
        self.noted.append(event)

    async def stop(self, sequence: Sequence[StopStep]) -> Exit:
        """End with code 0."""
        await trio.lowlevel.checkpoint()
        self.stopped_by = sequence
        return Exit(0, None)


def running(answer: Answer) -> Any:
    """In place of `process.running`."""

    @asynccontextmanager
    async def started(
        launch: object, recorder: object, hear: Callable[[Line], None], heard_end: Callable[[str], None]
    ) -> AsyncIterator[FunctionServer]:
        yield FunctionServer(answer, hear, heard_end)

    return started
