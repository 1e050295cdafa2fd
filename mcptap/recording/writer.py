"""From chunks of bytes to records: numbers, times, whole lines and parts of lines.

The caller hands over each chunk *before* forwarding it. When `take` returns, the chunk is in
the file (or counted as lost): what either side has seen, the recording has, even if the
process is killed the next moment. Numbers are given and the batch is written under one
lock, so the order of the file is the order of the numbers.
"""

from __future__ import annotations

import time
from _thread import allocate_lock

from mcptap.recording.format.content import BUSY_BYTES, Codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from mcptap.recording.file import RecordingFile

    Observer = Callable[[int, bytes, list[Any]], None]

TOO_LONG: object = object()
"""What an observer is shown as the value of a line over the limit."""

LINE_LIMIT = 1 << 19
"""A line of more bytes than this stands in parts alone: the bound on what a channel keeps in
memory, and on what is written twice (in parts as it came, and whole once it had ended)."""


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

    def write(self, bodies: list[bytes], head: bytes = b"") -> int:
        """Number records and write them in one go; return the number of the first.

        `head` and a body are what stands between a record's number and its closing brace.
        """

        def render(number: int) -> bytes:
            return b"".join([b'{"n":%d%b%b}\n' % (n, head, body) for n, body in enumerate(bodies, number)])

        return self._number(render, len(bodies))

    def write_lines(self, head: bytes, lines: bytes, count: int) -> int:
        """Write one record for each of `count` lines, given with LF between them, behind `head`."""
        # One format for all of them: in a flood, calls for each line are where the time goes.
        begin = b'{"n":%d' + _literal(head)
        records = begin + _literal(lines).replace(b"\n", b"}\n" + begin) + b"}\n"
        return self._number(lambda number: records % tuple(range(number, number + count)), count)

    def _number(self, render: Callable[[int], bytes], count: int) -> int:
        """Give numbers to `count` records, and write what `render` makes of the first of them."""
        with self._lock:
            file = self._file
            if file is not None:
                if file.look_after() and self._next > 2:
                    # A new file in the middle of a session: all before it is missing there.
                    self._lost_records, self._lost_since = self._next - 2, 0
                if self._lost_records:
                    self._write_gap(file)
            first = self._next
            self._next += count
            if file is not None:
                batch = render(first)
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
                self._file = None  # a chunk that a pump still has in hand makes no new file

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

    `observer(number, lines, values)` is shown the lines of a chunk, with LF between them, after
    they were recorded and before they are forwarded: the record number of the first, and of
    each its JSON value or `NOT_JSON`; of a line over the limit only the end, with `TOO_LONG`.
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
        codec = self._recorder.codec
        if len(chunk) >= BUSY_BYTES and not codec.hurried:
            codec.hurry()
        stamp = self._recorder.now()
        lines, newline, rest = chunk.rpartition(b"\n")
        if newline:
            if self._begun_bytes:
                last, newline, lines = lines.partition(b"\n")
                self._finish(last, b"\n", stamp)
            if newline:
                self._whole_lines(lines, stamp)
        if rest:
            self._begin_or_go_on(rest, stamp)

    def _whole_lines(self, lines: bytes, stamp: tuple[int, int]) -> None:
        """Record lines, given with LF between them."""
        codec = self._recorder.codec
        head = self._head(b"line", stamp)
        returns = b"\r" in lines
        values = None if returns else codec.parse_all(lines)
        if values is not None:
            first = self._recorder.write_lines(head + b'"msg":', lines, len(values))
        else:
            values, bodies = [], []
            for line in lines.split(b"\n"):
                content, end = _split(line, b"\n") if returns else (line, b"")
                value = codec.parse(content)
                values.append(value)
                bodies.append(end + codec.field(content, value))
            first = self._recorder.write(bodies, head)
        if self._observer is not None:
            self._observer(first, lines, values)

    def end(self, why: str = "") -> None:
        """Record the end of the channel: a last line without newline, and the `eof`."""
        if self._begun_bytes:
            self._finish(b"", b"", self._recorder.now())
        fields = b',"ch":"%b"' % self._channel
        if why:
            fields += b',"why":' + self._recorder.codec.quote(why)
        self._recorder.event("eof", fields)

    def _head(self, kind: bytes, stamp: tuple[int, int]) -> bytes:
        return b',"k":"%b","t":%d,"wall":%d,"ch":"%b",' % (kind, *stamp, self._channel)

    def _begin_or_go_on(self, rest: bytes, stamp: tuple[int, int]) -> None:
        """Record bytes whose newline did not come yet, and keep them while they are few."""
        if not self._begun_bytes:
            self._begun_at = stamp[0]
        at = self._begun_bytes
        self._begun_bytes += len(rest)
        if self._begun_bytes <= LINE_LIMIT:
            self._begun.append(rest)
        else:
            self._begun.clear()
        content = self._recorder.codec.plain_field(rest)
        self._recorder.write([b'"at":%d,%b' % (at, content)], self._head(b"part", stamp))

    def _finish(self, last: bytes, newline: bytes, stamp: tuple[int, int]) -> None:
        """Record the unfinished line as a whole, or its end if it is over the limit."""
        codec = self._recorder.codec
        before, self._begun_bytes = self._begun_bytes, 0
        pieces, self._begun = self._begun, []
        head = self._head(b"line", stamp) + b'"t0":%d,' % self._begun_at
        value: object
        if pieces:
            line = b"".join((*pieces, last))
            content, end = _split(line, newline)
            value = codec.parse(content)
            body = end + codec.field(content, value)
        else:  # what is in the parts is not repeated
            line = last
            content, end = _split(last, newline)
            value = TOO_LONG
            body = end + b'"from":%d,%b' % (before, codec.plain_field(content))
        first = self._recorder.write([body], head)
        if self._observer is not None:
            self._observer(first, line, [value])


def _literal(data: bytes) -> bytes:
    """Bytes as a format that stands for themselves."""
    return data.replace(b"%", b"%%") if b"%" in data else data


def _split(line: bytes, newline: bytes) -> tuple[bytes, bytes]:
    """Content and, if it is not LF alone, the `eol` field: a CR before the LF belongs to it."""
    if not newline:
        return line, b'"eol":"",'
    return (line[:-1], b'"eol":"\\r\\n",') if line.endswith(b"\r") else (line, b"")
