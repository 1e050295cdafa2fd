"""A terminal that is closed while it takes no more output: the screen must not stay behind for ever."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable

PATIENCE_S = 5.0
"""So long after its terminal is gone the screen may take to leave in order."""


def leave_with_terminal(fd: int, leave: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Call `leave` from a thread when the terminal at `fd` is gone and the process is still there.

    What is drawn waits in a queue for the terminal. If that stopped reading (a hung ssh, Ctrl-S) and is
    then closed, nobody empties the queue any more, and no signal reaches the loop that waits for it.
    """
    threading.Thread(target=_watch, args=(fd, leave, patience_s), name="terminal", daemon=True).start()


def _watch(fd: int, leave: Callable[[], object], patience_s: float) -> None:
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(fd, 0)  # nothing asked for: it still tells of a hang-up
    if poll.poll():
        time.sleep(patience_s)
        leave()
