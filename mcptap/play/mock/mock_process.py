"""The process around a `Mock`: stdin, stdout, stderr, the clock and the end.

A thread reads, the main thread writes; nothing is imported that would make the stand-in
slower to start than the server it stands for.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import queue
import signal
import sys
import threading
import time
from itertools import count
from typing import NoReturn

from mcptap.play.mock.mock import Action, Drop, Mock
from mcptap.play.mock.server_script import Exit, Write
from mcptap.text.escape import visible
from mcptap.wire import SERVER_TO_CLIENT, cut_lines

READ_SIZE = 1 << 16
LAST_ANSWERS_US = 1_000_000
"""Answers due within this time of the end of input are still given."""


class _StoppedError(Exception):
    """The client has told the mock to end."""


def _stop(_number: int, _frame: object) -> NoReturn:
    raise _StoppedError


class MockProcess:
    """Plays a mock on file descriptors; `run` returns the exit status."""

    def __init__(self, mock: Mock, stdin: int = 0, stdout: int = 1, stderr: int = 2) -> None:
        self._mock = mock
        self._stdin = stdin
        self._outputs = {SERVER_TO_CLIENT: stdout}
        self._stderr = stderr
        self._inbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._planned: list[tuple[int, int, str, Write | Exit]] = []
        self._order = count()
        self._busy_until = 0

    def run(self) -> int:
        """Serve until the script, or the client, ends it. Where a signal ended the server, one ends us."""
        if self._mock.ignores_term:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        else:
            signal.signal(signal.SIGTERM, _stop)
        threading.Thread(target=self._read, name="stdin", daemon=True).start()
        end = Exit(0)
        try:
            end = self._serve()
        except _StoppedError:
            end = Exit(0, signal="SIGTERM")
        except BrokenPipeError:
            pass
        for name in self._mock.unused_faults:
            self._say(f"there was no occasion for the fault {name}")
        return _carry_out_end(end)

    def _serve(self) -> Exit:
        self._plan(self._mock.start())
        while True:
            if (end := self._carry_out()) is not None:
                return end
            try:
                line = self._inbox.get(timeout=self._until_next())
            except queue.Empty:
                continue
            if line is None:
                self._end_of_input()
            else:
                self._plan(self._mock.receive(line))
            for sentence in self._mock.notes:
                self._say(sentence)
            self._mock.notes.clear()

    def _end_of_input(self) -> None:
        soon = _now_us() + LAST_ANSWERS_US
        self._planned = sorted(entry for entry in self._planned if entry[0] <= soon)
        last = self._planned[-1][0] if self._planned else 0
        self._plan(self._mock.end_of_input(), not_before=last)

    def _plan(self, actions: list[Action], not_before: int = 0) -> None:
        begin = max(_now_us(), self._busy_until)
        self._busy_until = begin + self._mock.busy_us
        for action in actions:
            if isinstance(action, Drop):
                self._planned = [entry for entry in self._planned if entry[2] != action.request]
                heapq.heapify(self._planned)
            else:
                due = max(begin + action.step.after_us, not_before)
                heapq.heappush(self._planned, (due, next(self._order), action.request, action.step))

    def _carry_out(self) -> Exit | None:
        """Write what is due; the end, if it is due."""
        while self._planned and self._planned[0][0] <= _now_us():
            _, _, _, step = heapq.heappop(self._planned)
            if isinstance(step, Exit):
                return step
            self._write(self._outputs.get(step.channel, self._stderr), step.data)
        return None

    def _until_next(self) -> float | None:
        """Seconds to the next step, or None if there is none."""
        return max(0, self._planned[0][0] - _now_us()) / 1e6 if self._planned else None

    def _say(self, sentence: str) -> None:
        with contextlib.suppress(OSError):
            self._write(self._stderr, f"mcptap mock: {visible(sentence)}\n".encode())

    def _write(self, fd: int, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]

    def _read(self) -> None:
        rest = bytearray()
        while chunk := self._read_chunk():
            rest += chunk
            if b"\n" in chunk:
                *lines, unfinished = bytes(rest).split(b"\n")
                for line in lines:
                    self._inbox.put(line + b"\n")
                rest = bytearray(unfinished)
        for line in cut_lines(bytes(rest)):
            self._inbox.put(line)
        self._inbox.put(None)

    def _read_chunk(self) -> bytes:
        try:
            return os.read(self._stdin, READ_SIZE)
        except OSError:
            return b""


def _now_us() -> int:
    return time.monotonic_ns() // 1000


def _carry_out_end(end: Exit) -> int:
    """The exit status; a signal is raised, so that the client sees the same end."""
    number = signal.Signals.__members__.get(end.signal)
    if number is None:
        return end.code if not end.signal else 1
    sys.stdout.flush()
    if os.name == "posix":
        _leave_no_core()
        if number not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    return 128 + int(number)


def _leave_no_core() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
