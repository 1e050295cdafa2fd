"""How far an answer has come, and whether to go on: asked by whatever reads a recording, now and then."""

from __future__ import annotations

import time

LIMIT_S = 10.0
"""An answer is given after so long, with what is known by then: some clients wait no longer."""

LIMIT_WITH_PROGRESS_S = 30.0
"""The same for a client that is told of progress: to ask again costs a model more than to wait."""


class StoppedError(Exception):
    """The answer is no longer wanted."""


class OutOfTimeError(Exception):
    """The time for an answer is over."""


class Pace:
    """The pace of one answer. Set by the thread that works, read by the one that tells the client."""

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self.done = 0
        """Bytes that were read."""
        self.total = 0
        """Of so many."""
        self.limit_s = limit_s
        self._stopped = False
        self.begin()

    def begin(self) -> None:
        """Count the time from now on: until here the work waited for its turn."""
        self._ends = time.monotonic() + self.limit_s

    def stop(self) -> None:
        """Have the work end: its client no longer wants it."""
        self._stopped = True

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self._ends

    def at(self, done: int, total: int) -> None:
        """Note how far it is. Raises StoppedError, and OutOfTimeError."""
        self.note(done, total)
        if self.is_over:
            raise OutOfTimeError

    def note(self, done: int, total: int) -> None:
        """The same without a limit of time. Raises StoppedError."""
        self.done, self.total = done, total
        if self._stopped:
            raise StoppedError
