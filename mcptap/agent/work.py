"""Calls at work, beside each other: answers, progress, cancelling. Imported with the first call."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial

import trio

from mcptap.agent.conversation import Batch, Call, Cancelled, Conversation, batched
from mcptap.agent.desk import Desk
from mcptap.agent.lines import LONGEST_LINE, READ_SIZE, Lines, write
from mcptap.agent.messages import Key, notification
from mcptap.agent.pace import LIMIT_S, LIMIT_WITH_PROGRESS_S, Pace
from mcptap.agent.settings import Settings

PROGRESS_S = 0.5
"""How often a client that wants progress is told of it."""

MOST_AT_ONCE = 2
"""So many calls work at a time; others wait for their turn."""


def work(
    settings: Settings,
    conversation: Conversation,
    first: Call | Batch,
    waiting: Iterable[bytes | None],
    lines: Lines,
    out: int,
) -> None:
    """Go on serving from this call, and the lines behind it, to the end of our input.

    Raises BrokenPipeError when the client no longer reads.
    """
    worker = _Worker(settings, conversation, out)
    try:
        trio.run(worker.serve, first, waiting, lines)
    except* BrokenPipeError:
        raise BrokenPipeError from None


_Running = tuple[trio.CancelScope, Pace]
"""What stops a call that is at work."""


class _Worker:
    def __init__(self, settings: Settings, conversation: Conversation, out: int) -> None:
        self._conversation = conversation
        self._out = out
        self._desk = Desk(settings)
        self._running: dict[Key, _Running] = {}
        self._places = trio.CapacityLimiter(MOST_AT_ONCE)
        self._writing = trio.Lock()

    async def serve(self, first: Call | Batch, waiting: Iterable[bytes | None], lines: Lines) -> None:
        """Until the end of input; calls that still run then are answered before it returns."""
        async with trio.open_nursery() as nursery:
            await self._begin(first, nursery)
            for line in waiting:
                await self._take(line, nursery)
            while piece := await trio.to_thread.run_sync(os.read, 0, READ_SIZE, abandon_on_cancel=True):
                for line in lines.feed(piece):
                    await self._take(line, nursery)

    async def _take(self, line: bytes | None, nursery: trio.Nursery) -> None:
        if line is None:
            await self._write(self._conversation.too_long(LONGEST_LINE))
            return
        said = self._conversation.receive(line)
        if isinstance(said, Call | Batch):
            await self._begin(said, nursery)
        elif isinstance(said, Cancelled):
            self._cancel(said.key)
        elif said is not None:
            await self._write(said)

    def _cancel(self, key: Key) -> None:
        found = self._running.pop(key, None)
        if found is not None:
            scope, pace = found
            pace.stop()
            scope.cancel()

    async def _begin(self, asked: Call | Batch, nursery: trio.Nursery) -> None:
        if isinstance(asked, Call):
            nursery.start_soon(self._answer, asked, self._noted(asked))
        else:
            noted: list[_Running | None] = []
            for said in asked.said:
                noted.append(self._noted(said) if isinstance(said, Call) else None)
                if isinstance(said, Cancelled):
                    self._cancel(said.key)
            nursery.start_soon(self._answer_batch, asked, noted)
        await trio.lowlevel.checkpoint()

    def _noted(self, call: Call) -> _Running:
        """From here on the call can be cancelled, also before its task runs, as tasks begin in any order."""
        running = trio.CancelScope(), Pace(LIMIT_S if call.token is None else LIMIT_WITH_PROGRESS_S)
        self._running[call.key] = running
        return running

    async def _answer(self, call: Call, running: _Running) -> None:
        if said := await self._said(call, running):
            await self._write(said)

    async def _answer_batch(self, batch: Batch, noted: list[_Running | None]) -> None:
        """All answers in one line, in the order of the questions; one that was cancelled has none."""
        answers = [said if isinstance(said, bytes) else b"" for said in batch.said]

        async def fill(place: int, call: Call, running: _Running) -> None:
            answers[place] = await self._said(call, running)

        async with trio.open_nursery() as nursery:
            for place, (said, running) in enumerate(zip(batch.said, noted, strict=True)):
                if isinstance(said, Call) and running is not None:
                    nursery.start_soon(fill, place, said, running)
        if line := batched(filter(None, answers)):
            await self._write(line)

    async def _said(self, call: Call, running: _Running) -> bytes:
        """The answer to a call; empty if it was cancelled."""
        scope, pace = running
        said = b""
        with scope:
            async with trio.open_nursery() as nursery:
                if call.token is not None:
                    nursery.start_soon(self._tell_progress, call.token, pace)
                said = await trio.to_thread.run_sync(
                    partial(self._desk.answer, call, pace), abandon_on_cancel=True, limiter=self._places
                )
                nursery.cancel_scope.cancel()
            if self._running.get(call.key) == running:
                del self._running[call.key]
        return said

    async def _tell_progress(self, token: Key, pace: Pace) -> None:
        told = -1
        while True:
            await trio.sleep(PROGRESS_S)
            done, total = pace.done, pace.total
            if done > told:
                told = done
                said = {"progressToken": token, "progress": done, "total": max(done, total)}
                await self._write(notification("notifications/progress", said))

    async def _write(self, data: bytes) -> None:
        async with self._writing:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(write, self._out, data)
