"""Reading recordings: whole lines again, tolerant of damage, also while they grow."""

from __future__ import annotations

import errno
import io
import os
from collections import deque
from collections.abc import Iterator
from enum import Enum
from types import TracebackType
from typing import Protocol, Self

from mcptap.recording.file import WINDOWS_LOCK_AT
from mcptap.recording.format.decode import decode_header, decode_record
from mcptap.recording.format.header import MAGIC
from mcptap.recording.format.model import Damaged, Event, Header, Item, Line, Part, Record, RecordingError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

BLOCK = 1 << 20
MAX_RECORD = 64 << 20
"""A record of more bytes than this was not written by mcptap: it is damage."""


class ByteStream(Protocol):
    """What is read from: a raw file, or bytes that can be read only once."""

    def read(self, size: int, /) -> bytes | None:
        """Up to `size` bytes; nothing at the present end."""

    def close(self) -> None:
        """Close it."""


class State(Enum):
    """What became of a session."""

    LIVE = "live"
    FINISHED = "finished"
    CRASHED = "crashed"
    UNKNOWN = "unknown"

    @property
    def word(self) -> str:
        """What people read: a copy of a live recording looks like one whose tap was killed."""
        return "cut off" if self is State.CRASHED else self.value


class Assembler:
    """Puts lines together again from parts; everything else passes through."""

    def __init__(self) -> None:
        self._parts: dict[str, list[Part]] = {}

    def feed(self, record: Record) -> Item | None:
        """The item that this record completes, if it completes one."""
        if isinstance(record, Line):
            parts = self._parts.pop(record.channel, None)
            return _joined(record, parts or []) if record.offset else record
        if isinstance(record, Part):
            parts = [] if record.at == 0 else self._parts.get(record.channel, [])
            # A part behind a lost one can't be used: what is given out is exact.
            if record.at == (parts[-1].at + len(parts[-1].data) if parts else 0):
                parts.append(record)
                self._parts[record.channel] = parts
            return None
        return None if isinstance(record, Header) else record

    def unfinished(self) -> list[Line]:
        """The lines whose end has not come, by record number."""
        lines = []
        for channel, parts in self._parts.items():
            data = b"".join(p.data for p in parts)
            last = parts[-1]
            lines.append(
                Line(last.number, channel, data, b"", last.t_us, parts[0].t_us, last.wall_us, complete=False)
            )
        return sorted(lines, key=lambda line: line.number)


def _joined(line: Line, parts: list[Part]) -> Line | Damaged:
    if sum(len(part.data) for part in parts) != line.offset:
        return Damaged(line.number, line.data, "the parts of its line are missing")
    whole = b"".join([*(part.data for part in parts), line.data])  # at once: it may be hundreds of megabytes
    return Line(
        line.number, line.channel, whole, line.eol, line.t_us, line.first_us, line.wall_us,
        is_exact=line.is_exact, diverted=line.diverted,
    )  # fmt: skip


class Reader:
    """A recording file from its header on.

    `items()` gives what is there so far; called again on a file that grew, it goes on. Once
    no more is to come, `unfinished()` gives the lines whose end never came.

    With a `stream` the bytes come from there, and `path` is only its name.

    Raises RecordingError if the file can't be opened or is no recording.
    """

    def __init__(self, path: str, stream: ByteStream | None = None) -> None:
        self.path = path
        self.position = 0
        """How many bytes were read so far."""
        self._streamed = stream is not None
        try:
            self._file: ByteStream = stream or open(path, "rb", buffering=0)  # noqa: SIM115 - closed by close()
        except OSError as error:
            raise RecordingError(f"{path}: cannot be opened: {error.strerror}") from error
        self._ready: deque[bytes] = deque()
        self._pending = bytearray()
        self._number = 0
        self._assembler = Assembler()
        self._skipping = False
        self.ended = False
        """Whether the record that ends a session was read."""
        self._end_is_damaged = False
        self._was_live = not self._streamed and is_locked(path)
        """Whether a tap wrote to it when reading last began: then more may have come since."""
        try:
            self.header = self._read_header()
        except (RecordingError, OSError) as error:
            self._file.close()
            raise RecordingError(f"{path}: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    @property
    def cut(self) -> bool:
        """Whether bytes of a record without its newline stand at the end of what was read."""
        return bool(self._pending) or self._skipping

    def items(self) -> Iterator[Item]:
        """The items from where reading stopped to the present end of the file."""
        # Asked before reading: what a session writes at its end is not missed then.
        self._was_live = not self._streamed and is_locked(self.path)
        while (raw := self._next()) is not None:
            record = decode_record(raw, self._number)
            if isinstance(record, Event) and (record.ends_session or self._ends_capture(record)):
                self.ended = True
            self._end_is_damaged = isinstance(record, Damaged)
            item = self._assembler.feed(record)
            if item is not None:
                yield item

    def unfinished(self) -> list[Line]:
        """Lines whose end has not come (so far)."""
        return self._assembler.unfinished()

    def go_to(self, position: int, number: int) -> None:
        """Read on at this byte of the file, where the record of this number begins; not of a stream."""
        assert isinstance(self._file, io.FileIO)
        self._file.seek(position)
        self.position, self._number = position, number - 1
        self._ready.clear()
        self._pending.clear()
        self._skipping = False
        self._assembler = Assembler()

    def state(self) -> State:
        """What became of the session, judged by what was read, and by the lock when that reading began.

        A session that ended meanwhile is still live: its end is there for the next reading.
        """
        if self._streamed:
            return State.FINISHED if self.ended else State.UNKNOWN
        return state_of(self._was_live, self.ended, self.header, end_is_damaged=self._end_is_damaged)

    def _ends_capture(self, event: Event) -> bool:
        """Whether it is all that a converted capture has of the end: few logs tell of the process."""
        return bool(self.header.capture) and event.kind == "eof"

    def _read_header(self) -> Header:
        raw = self._next()
        if raw is None:
            if not self._pending:
                raise RecordingError("is empty: nothing was recorded")
            # A header that was cut can be no header, but its beginning may say why.
            decode_header(bytes(self._pending[: len(MAGIC)]) + b"}")
        return decode_header(raw or b"")

    def _next(self) -> bytes | None:
        """The next whole line of the file, without its newline; None at the present end."""
        while not self._ready:
            block = self._file.read(BLOCK)
            if not block:
                return None
            self.position += len(block)
            first, *others = block.split(b"\n")
            self._hold(first)
            if others:
                # A record that was too long to keep is shown as an empty, hence damaged one.
                self._ready.append(b"" if self._skipping else bytes(self._pending))
                self._pending.clear()
                self._skipping = False
                self._hold(others.pop())
                self._ready.extend(others)
        self._number += 1
        return self._ready.popleft()

    def _hold(self, piece: bytes) -> None:
        if not self._skipping:
            self._pending += piece
        if len(self._pending) > MAX_RECORD:
            self._pending.clear()
            self._skipping = True


def state_of(locked: bool, ended: bool, header: Header, *, end_is_damaged: bool) -> State:
    """What became of a session, by the lock and by whether the record that ends it was read.

    A last record that is damaged may have been the one.
    """
    if locked:
        return State.LIVE
    if ended:
        return State.FINISHED
    return State.CRASHED if header.has_lock and not end_is_damaged else State.UNKNOWN


def is_locked(path: str) -> bool:
    """Whether a tap that lives holds the lock on this recording."""
    try:
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return False
    try:
        if fcntl is not None:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        else:
            import msvcrt

            os.lseek(fd, WINDOWS_LOCK_AT, os.SEEK_SET)
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
    except OSError as error:
        return error.errno in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
    finally:
        os.close(fd)
    return False
