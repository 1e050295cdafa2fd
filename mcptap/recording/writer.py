"""From chunks of bytes to records: numbers, times, whole lines and parts of lines.

The caller hands over each chunk *before* forwarding it. When `take` returns, the chunk is in
the file (or counted as lost): what either side has seen, the recording has, even if the
process is killed the next moment. Numbers are given and the batch is written under one
lock, so the order of the file is the order of the numbers.
"""

from __future__ import annotations

import time
from _thread import allocate_lock

from mcptap.recording.content import BUSY_BYTES, NOT_JSON, Codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mcptap.recording.file import RecordingFile

    Observer = Callable[[int, bytes, Any], None]

TOO_LONG: object = object()
"""What an observer is shown as the value of a line over the limit."""

LINE_LIMIT = 1 << 20
"""A line of more bytes than this stands in parts: the bound on what a channel keeps in memory."""


class Recorder:
    """Gives records their numbers and times, and writes them.

    Without a file the lines are numbered and observed all the same. A file that can't be
    written loses records, which are counted; when it can be again, a `gap` says how many.
    """

    def __init__(self, start_ns: int, file: RecordingFile | None) -> None:
        self.codec = Codec()
        self._start_ns = start_ns
        self._file = file
        self._lock = allocate_lock()
        self._next = 2  # the header is record 1
        self._lost_records = 0
        self._lost_bytes = 0
        self._lost_since = 0
        if file is not None:
            file.look_after()

    def now(self) -> tuple[int, int]:
        """The time as records have it: microseconds since the start, and since 1970."""
        return (time.monotonic_ns() - self._start_ns) // 1000, time.time_ns() // 1000

    def event(self, kind: str, fields: bytes = b"") -> None:
        """Write an event; `fields` are its own fields as JSON, each behind a comma."""
        self.write([b',"k":"%b","t":%d,"wall":%d%b' % (kind.encode(), *self.now(), fields)])

    def write(self, bodies: list[bytes]) -> int:
        """Number records and write them in one go; return the number of the first.

        A body is what stands between a record's number and its closing brace.
        """
        with self._lock:
            file = self._file
            if file is not None:
                if file.look_after() and self._next > 2:
                    # A new file in the middle of a session: all before it is missing there.
                    self._lost_records, self._lost_since = self._next - 2, 0
                if self._lost_records:
                    self._write_gap(file)
            first = number = self._next
            records = []
            for body in bodies:
                records.append(b'{"n":%d%b}\n' % (number, body))
                number += 1
            self._next = number
            if file is not None:
                batch = records[0] if len(records) == 1 else b"".join(records)
                done = 0 if self._lost_records else file.append(batch)
                if done < len(batch):
                    self._count_lost(batch[done:])
        return first

    def close(self) -> None:
        """Close the file; a last gap is written if it can be."""
        with self._lock:
            if self._file is not None:
                if self._lost_records:
                    self._write_gap(self._file)
                self._file.close()

    def _count_lost(self, batch: bytes) -> None:
        if not self._lost_records:
            self._lost_since = self.now()[0]
        self._lost_records += batch.count(b"\n")
        self._lost_bytes += len(batch)

    def _write_gap(self, file: RecordingFile) -> None:
        why = self.codec.quote(file.trouble)
        gap = b'{"n":%d,"k":"gap","t":%d,"wall":%d,"records":%d,"bytes":%d,"since":%d,"why":%b}\n' % (
            (self._next, *self.now(), self._lost_records, self._lost_bytes, self._lost_since, why)
        )
        if file.append(gap) == len(gap):
            self._next += 1
            self._lost_records = self._lost_bytes = 0


class ChannelRecorder:
    """Turns the chunks of one channel into records.

    `observer(number, line, value)` is shown every line without its LF, after it was
    recorded and before it is forwarded: its record number and its JSON value, or
    `NOT_JSON`; of a line over the limit only the end, with the value `TOO_LONG`.
    """

    def __init__(self, recorder: Recorder, channel: str, observer: Observer | None = None) -> None:
        self._recorder = recorder
        self._observer = observer
        self._channel = channel.encode()
        self._begun: list[bytes] = []  # pieces of the unfinished line, while they are few
        self._begun_bytes = 0  # how long it is; more than the pieces once it is over the limit
        self._begun_at = 0

    @property
    def has_partial_line(self) -> bool:
        """Whether bytes went on whose newline did not come yet."""
        return self._begun_bytes > 0

    def take(self, chunk: bytes) -> None:
        """Record a chunk that is about to be forwarded."""
        recorder = self._recorder
        codec = recorder.codec
        if len(chunk) >= BUSY_BYTES and not codec.hurried:
            codec.hurry()
        t, wall = recorder.now()
        lines = chunk.split(b"\n")
        rest = lines.pop()
        head = b',"k":"line","t":%d,"wall":%d,"ch":"%b",' % (t, wall, self._channel)
        bodies = []
        seen: list[tuple[bytes, Any]] = []
        if lines and self._begun_bytes:
            bodies.append(self._finish(lines.pop(0), head, b"\n", seen))
        returns = b"\r" in chunk
        parse, plain = codec.parse, codec.plain_field
        for line in lines:
            if returns and line.endswith(b"\r"):
                value = parse(line[:-1])
                bodies.append(head + b'"eol":"\\r\\n",' + codec.field(line[:-1], value))
            else:
                value = parse(line)
                bodies.append(head + (b'"msg":' + line if value is not NOT_JSON else plain(line)))
            seen.append((line, value))
        if rest:
            bodies.append(self._begin_or_go_on(rest, t, wall))
        first = recorder.write(bodies)
        if self._observer is not None:
            for number, (line, value) in enumerate(seen, first):
                self._observer(number, line, value)

    def end(self, why: str = "") -> None:
        """Record the end of the channel: a last line without newline, and the `eof`."""
        if self._begun_bytes:
            t, wall = self._recorder.now()
            head = b',"k":"line","t":%d,"wall":%d,"ch":"%b",' % (t, wall, self._channel)
            self._recorder.write([self._finish(b"", head, b"", [])])
        fields = b',"ch":"%b"' % self._channel
        if why:
            fields += b',"why":' + self._recorder.codec.quote(why)
        self._recorder.event("eof", fields)

    def _begin_or_go_on(self, rest: bytes, t: int, wall: int) -> bytes:
        """Keep bytes whose newline did not come yet; the `part` record for them."""
        if not self._begun_bytes:
            self._begun_at = t
        at = self._begun_bytes
        self._begun_bytes += len(rest)
        if self._begun_bytes <= LINE_LIMIT:
            self._begun.append(rest)
        else:
            self._begun.clear()
        head = b',"k":"part","t":%d,"wall":%d,"ch":"%b","at":%d,' % (t, wall, self._channel, at)
        return head + self._recorder.codec.plain_field(rest)

    def _finish(self, last: bytes, head: bytes, end: bytes, seen: list[tuple[bytes, Any]]) -> bytes:
        """The `line` record for the unfinished line, whose last piece has come."""
        codec = self._recorder.codec
        before, self._begun_bytes = self._begun_bytes, 0
        pieces, self._begun = self._begun, []
        head += b'"t0":%d,' % self._begun_at
        if not pieces:  # over the limit: what is in the parts is not repeated
            line, end = _content(last, end)
            seen.append((last, TOO_LONG))
            return head + _eol(end) + b'"from":%d,' % before + codec.plain_field(line)
        whole = b"".join((*pieces, last))
        line, end = _content(whole, end)
        value = codec.parse(line)
        seen.append((whole, value))
        return head + _eol(end) + codec.field(line, value)


def _content(line: bytes, end: bytes) -> tuple[bytes, bytes]:
    """A CR before the LF belongs to the terminator."""
    return (line[:-1], b"\r\n") if end and line.endswith(b"\r") else (line, end)


def _eol(end: bytes) -> bytes:
    return {b"\n": b"", b"\r\n": b'"eol":"\\r\\n",', b"": b'"eol":"",'}[end]
