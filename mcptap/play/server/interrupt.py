"""Ending early and in order when told to: servers are sessions of their own and hear no Ctrl-C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from mcptap.errors import UserError

T = TypeVar("T")


async def unless_interrupted(play: Callable[[], Awaitable[T]]) -> tuple[T | None, int]:
    """What `play` returns, and 0; or None and the number of the signal that ended it.

    A play that is ended this way is cancelled: what it started is gone when this returns.
    Raises UserError where `play` does.
    """
    wanted = [signal.SIGINT, signal.SIGTERM] + ([signal.SIGHUP] if sys.platform != "win32" else [])
    result: T | None = None
    told = 0
    failure: UserError | None = None

    async def listen(task_status: trio.TaskStatus[None]) -> None:
        nonlocal told
        with trio.open_signal_receiver(*wanted) as signals:
            task_status.started()
            async for number in signals:
                told = number
                nursery.cancel_scope.cancel()

    async with trio.open_nursery() as nursery:
        await nursery.start(listen)
        try:
            result = await play()
        except UserError as error:  # raised again below, outside of the nursery's group
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return result, told
