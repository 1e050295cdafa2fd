"""What goes to stderr in place of the client, written by a thread of its own: no message waits for it."""

from __future__ import annotations

import os
import time
from _thread import allocate_lock, start_new_thread

from mcptap.shim.pumps import write_rest
from mcptap.wire import STDERR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcptap.shim.notices import Notices

ROOM = 1 << 21
"""Bytes that wait at most for a stderr that nobody reads: two of the longest lines."""

STUCK_NS = 1_000_000_000
"""At the end a stderr that took nothing for so long is not waited for, as directly it would not be."""


class Aside:
    """Writes lines to stderr, each on a line of its own, between those of the server.

    It is waited for at the end as a pump is, and has what is asked of one.
    """

    channel = STDERR

    def __init__(self, fd: int, notices: Notices) -> None:
        self._fd = fd
        self._notices = notices
        self._turn = allocate_lock()  # whose words are on their way
        self._lock = allocate_lock()
        self._wake = allocate_lock()
        self._wake.acquire()
        self._over = allocate_lock()  # held while there is something to write
        self._queue: list[bytes] = []
        self._waiting = 0
        self._active = False
        self._moved_ns = 0
        self._works = False

    def start(self) -> None:
        """Start the thread. Raises RuntimeError if there can be no more."""
        start_new_thread(self._run, ())
        self._works = True

    @property
    def room(self) -> int:
        """How many bytes can be taken now; none once stderr is gone."""
        return ROOM - self._waiting if self._works else -1

    def put(self, data: bytes) -> None:
        """Take lines that are to be written."""
        with self._lock:
            self._queue.append(data)
            self._waiting += len(data)
            if not self._active:
                self._active = True
                self._moved_ns = time.monotonic_ns()
                self._over.acquire()
                self._wake.release()

    # --- around the server's own words -------------------------------------------------------------

    def server_writes(self) -> None:
        """Write nothing until `server_wrote`: the server's words are on their way."""
        self._turn.acquire()
        self._notices.server_writes()

    def server_wrote(self, chunk: bytes) -> None:
        """The server's words were written."""
        self._notices.server_wrote(chunk)
        self._turn.release()

    def receiver_gone(self) -> None:
        """Nobody reads our stderr any more, as the server's words showed: `server_wrote` was not called."""
        self._works = False
        self._turn.release()

    # --- as a pump ---------------------------------------------------------------------------------

    @property
    def writing(self) -> bool:
        """Whether something is on its way."""
        return self._active

    def wait(self, seconds: float) -> bool:
        """Whether all is written within so many seconds."""
        over = self._over.acquire(timeout=seconds)
        if over:
            self._over.release()
        return over

    def is_idle(self, _nanoseconds: int) -> bool:
        """Whether nothing is on its way that could still arrive."""
        return not self._active or time.monotonic_ns() - self._moved_ns > STUCK_NS

    def has_delivered(self) -> bool:
        """Whether all is written."""
        return not self._active

    def let_go(self) -> None:
        """Nothing is held back here."""

    # --- the thread --------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            self._wake.acquire()
            while True:
                with self._lock:
                    if not self._queue:
                        self._active = False
                        self._over.release()
                        break
                    data, self._queue = b"".join(self._queue), []
                self._write(data)
                with self._lock:
                    self._waiting -= len(data)

    def _write(self, data: bytes) -> None:
        if not self._works:
            return
        with self._turn:
            if self._notices.in_line:
                data = b"\n" + data
            self._notices.server_writes()
            try:
                try:
                    done = os.write(self._fd, data)
                except BlockingIOError:
                    done = 0
                write_rest(self._fd, data, done)
            except OSError:
                self._works = False
            self._moved_ns = time.monotonic_ns()
            self._notices.server_wrote(data)
