"""The bytes: one blocking thread for each channel that records a chunk, then forwards it."""

from __future__ import annotations

import os
import time
from _thread import allocate_lock, stack_size, start_new_thread

from mcptap.recording.format import events

try:
    from select import POLLIN, POLLOUT, poll
except ImportError:  # Windows
    poll = None  # type: ignore[assignment, misc]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _thread import LockType
    from collections.abc import Callable

    from mcptap.recording.writer import ChannelRecorder, Recorder

CHUNK = 1 << 16
"""What a pipe holds. Reading with a larger buffer costs each small message the allocation."""

STACK = 1 << 22
"""Bytes, whatever `ulimit -s` says: JSON that nests 9,000 deep takes 2 MB of Python 3.13's parser."""

BLOCKED_NS = 1_000_000_000
"""A receiver that does not read for so long is worth an event."""


class Pump:
    """Records and forwards one channel from `source` to `sink` until the one ends or the other is gone.

    `on_end(pump, receiver_gone)` is called in the pump's thread when it is over, and has to
    pass the end on; `on_fault(channel, error)` if recording broke, which leaves the traffic
    alone; `before()` and `after(chunk)` around the forwarding of each chunk.
    """

    def __init__(
        self,
        source: int,
        sink: int,
        channel: str,
        recorder: Recorder,
        records: ChannelRecorder | None,
        on_end: Callable[[Pump, bool], None],
        on_fault: Callable[[str, Exception], None],
        before: Callable[[], None] | None = None,
        after: Callable[[bytes], None] | None = None,
    ) -> None:
        self.source = source
        self.writing = False
        self.moved_ns = time.monotonic_ns()
        self._empty_ns = 0
        self.sink = sink
        self.channel = channel
        self._recorder = recorder
        self._records = records
        self._on_end = on_end
        self._on_fault = on_fault
        self._before = before
        self._after = after
        self._running = allocate_lock()

    def start(self, gate: LockType) -> None:
        """Start the thread; it touches nothing before it gets through the gate.

        Raises RuntimeError if there can be no more threads.
        """
        self._running.acquire()
        stack_size(STACK)
        start_new_thread(self._run, (gate,))

    def wait(self, seconds: float) -> bool:
        """Whether the pump is over within so many seconds."""
        over = self._running.acquire(timeout=seconds)
        if over:
            self._running.release()
        return over

    def is_idle(self, nanoseconds: int) -> bool:
        """Whether nothing moved for so long, nothing waits to be read and nothing to be written."""
        if self.writing or time.monotonic_ns() - self.moved_ns < nanoseconds:
            return False
        return poll is None or not is_ready(self.source, POLLIN, 0)

    def let_go(self) -> None:
        """Pass on what is held back: a pump that passes all at once holds nothing."""

    def has_delivered(self) -> bool:
        """Whether all that was written to the source before the first call has gone on, though
        more may have come since.

        The source was seen empty once, and a chunk went on after that: it was the one that the
        thread may have had in hand then, or a later one.
        """
        if not self._empty_ns and (poll is None or not is_ready(self.source, POLLIN, 0)):
            self._empty_ns = time.monotonic_ns()
        return 0 < self._empty_ns < self.moved_ns

    def _run(self, gate: LockType) -> None:
        with gate:
            pass
        receiver_gone = False
        try:
            receiver_gone = self._forward()
            self._record_end(events.RECEIVER_CLOSED if receiver_gone else "")
        finally:
            try:
                self._on_end(self, receiver_gone)
            finally:
                self._running.release()

    def _forward(self) -> bool:
        """Record and forward until the source ends (False) or the sink is gone (True)."""
        read, write, clock = os.read, os.write, time.monotonic_ns
        source, sink, before, after = self.source, self.sink, self._before, self._after
        while True:
            try:
                chunk = read(source, CHUNK)
            except BlockingIOError:  # somebody who shares the descriptor made it non-blocking
                is_ready(source, POLLIN, None)
                continue
            except OSError:  # a terminal that hung up, or a peer that reset its socket
                return False
            if not chunk:
                return False
            self.writing = True
            if self._records is not None:
                try:
                    self._records.take(chunk)
                except Exception as error:  # traffic comes first: it goes on without recording
                    self._records = None
                    self._on_fault(self.channel, error)
            if before is not None:
                before()
            begun = clock()
            try:
                try:
                    done = write(sink, chunk)
                except BlockingIOError:
                    done = 0
                if done < len(chunk):
                    write_rest(sink, chunk, done)
            except OSError:
                return True
            finally:
                self.moved_ns = clock()
                self.writing = False
            if self.moved_ns - begun > BLOCKED_NS:
                self._record_blocked((self.moved_ns - begun) // 1000)
            if after is not None:
                after(chunk)

    def _record_end(self, why: str) -> None:
        if self._records is not None:
            try:
                self._records.end(why)
            except Exception as error:
                self._on_fault(self.channel, error)

    def _record_blocked(self, microseconds: int) -> None:
        if self._records is not None:
            self._recorder.event(events.blocked(self.channel, microseconds))


def write_rest(fd: int, data: bytes, done: int) -> None:
    """Write what is left of `data` behind its first `done` bytes. Raises OSError."""
    while done < len(data):
        try:
            done += os.write(fd, data[done:])
        except BlockingIOError:
            is_ready(fd, POLLOUT, None)


def is_ready(fd: int, event: int, milliseconds: int | None) -> bool:
    """Whether a descriptor is ready for `POLLIN` or `POLLOUT`, or at its end, within so many milliseconds."""
    waiter = poll()
    waiter.register(fd, event)
    return bool(waiter.poll(milliseconds))
