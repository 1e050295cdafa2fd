"""From chunks of bytes to records: numbers, times, whole lines and parts of lines.

The caller hands over each chunk *before* forwarding it. When `take` returns, the chunk is in
the file (or counted as lost): what either side has seen, the recording has, even if the
process is killed the next moment. Numbers are given and the batch is written under one
lock, so the order of the file is the order of the numbers.
"""

from __future__ import annotations

import time
from _thread import allocate_lock

from mcptap.recording.format import events, lines
from mcptap.recording.format.content import BUSY_BYTES, JSON_STARTS, MANY_BYTES, NOT_JSON, Codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from mcptap.recording.file import RecordingFile

    Observer = Callable[[int, bytes, list[Any]], None]

TOO_LONG: object = object()
"""What an observer is shown as the value of a line over the limit."""

DIVERTED: object = object()
"""And as that of a line of which nothing goes on to the receiver."""

LINE_LIMIT = 1 << 19
"""A line of more bytes than this stands in parts alone: the bound on what a channel keeps in
memory, and on what is written twice (in parts as it came, and whole once it had ended)."""

MANY_LINES, SLICE = 1 << 12, 1 << 12
"""A chunk of so many lines is recorded in slices of so many bytes: each line costs hundreds on its way."""

CHECK_US = 1_000_000
"""How often the file is checked: whether it is still there, or can be made by now."""


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
        self.at_once = allocate_lock()
        """Held for a line that came in pieces: its value may take fifty times its bytes, so there
        is one at a time, whichever channels they come on."""
        self._next = 2  # the header is record 1
        self._check_at_us = 0
        self._lost_records = 0
        self._lost_bytes = 0
        self._lost_since = 0
        self._lost_ever = False
        if file is not None:
            file.restore(1)

    @property
    def numbers_lines(self) -> bool:
        """Whether the number of a record is that of its line in the file: none was lost so far."""
        return self._file is not None and not self._lost_ever

    def now(self) -> tuple[int, int]:
        """The time as records have it: microseconds since the start, and since 1970."""
        return (time.monotonic_ns() - self._start_ns) // 1000, time.time_ns() // 1000

    def event(self, event: events.Encoded) -> None:
        """Write an event, as `format.events` encodes it."""
        self.write(1, self.now(), events.encode_event, event)

    def write(self, count: int, stamp: tuple[int, int], encode: Callable[..., bytes], *content: Any) -> int:
        """Number records and write them in one go; return the number of the first.

        `encode(number, stamp, *content)` gives `count` records, numbered from `number` on.
        """
        with self._lock:
            first = self._next
            file = self._file
            if file is not None:
                if stamp[0] >= self._check_at_us or self._lost_records or file.was_cut():
                    first = self._check(file, stamp)
                batch = encode(first, stamp, *content)
                done = 0 if self._lost_records else file.append(batch)
                if done < len(batch):
                    self._count_lost(batch[done:], stamp)
            self._next = first + count
        return first

    def close(self) -> None:
        """Close the file; a last gap is written if it can be."""
        with self._lock:
            if self._file is not None:
                if self._lost_records:
                    self._write_gap(self._file, self.now())
                self._file.close()
                self._file = None  # a chunk that a pump still has in hand makes no new file

    def _check(self, file: RecordingFile, stamp: tuple[int, int]) -> int:
        """See to the file, and to the gap if records were lost; return the next number."""
        if stamp[0] >= self._check_at_us or file.was_cut():
            self._check_at_us = stamp[0] + CHECK_US
            lacking = file.restore(self._next - 1)
            if lacking:
                # All that is missing in a file that was made anew, or cut, in the middle of a session.
                self._lost_records, self._lost_since, self._lost_ever = lacking, 0, True
        if self._lost_records:
            self._write_gap(file, stamp)
        return self._next

    def _count_lost(self, batch: bytes, stamp: tuple[int, int]) -> None:
        if not self._lost_records:
            self._lost_since = stamp[0]
        self._lost_ever = True
        self._lost_records += batch.count(b"\n")
        self._lost_bytes += len(batch)

    def _write_gap(self, file: RecordingFile, stamp: tuple[int, int]) -> None:
        gap = events.gap(self._lost_records, self._lost_bytes, self._lost_since, file.trouble)
        record = events.encode_event(self._next, stamp, gap)
        if file.append(record) == len(record):
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
        self._channel = channel
        self._name = channel.encode()
        self._template = lines.message_template(channel)
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
        if len(chunk) >= BUSY_BYTES and not codec.uses_orjson:
            codec.use_orjson()
        stamp = recorder.now()
        whole, newline, rest = chunk.rpartition(b"\n")
        if newline:
            if self._begun_bytes:
                last, newline, whole = whole.partition(b"\n")
                self._finish(last, b"\n", stamp)
            if newline:
                if len(whole) < BUSY_BYTES or whole.count(b"\n") < MANY_LINES:
                    self._take_lines(whole, stamp)
                else:
                    for some in _slices(whole):
                        self._take_lines(some, stamp)
        if rest:
            self._take_part(rest, stamp)

    def _take_lines(self, whole: bytes, stamp: tuple[int, int]) -> None:
        """Record lines, given with LF between them."""
        codec, write = self._recorder.codec, self._recorder.write
        name = self._name
        returns = b"\r" in whole
        if not returns and len(whole) >= MANY_BYTES and (many := codec.parse_all(whole)) is not None:
            values = many
            first = write(len(values), stamp, lines.encode_messages, self._template, whole, len(values))
        elif not returns and b"\n" not in whole:
            value = codec.parse(whole)
            if value is NOT_JSON:
                first = write(1, stamp, lines.encode_line, name, b"", codec.plain_field(whole))
            else:
                first = write(1, stamp, lines.encode_message, self._template, whole)
            values = [value]
        else:
            values, records = [], []
            for line in whole.split(b"\n"):
                data, eol = split_line(line, b"\n") if returns else (line, b"")
                value = codec.parse(data) if data[:1] in JSON_STARTS else NOT_JSON
                values.append(value)
                records.append((eol, codec.field(data, value)))
            first = write(len(values), stamp, lines.encode_lines, name, records)
        if self._observer is not None:
            self._observer(first, whole, values)

    def end(self, why: str = "") -> None:
        """Record the end of the channel: a last line without newline, and the `eof`."""
        if self._begun_bytes:
            self._finish(b"", b"", self._recorder.now())
        self._recorder.event(events.eof(self._channel, why))

    def _take_part(self, rest: bytes, stamp: tuple[int, int]) -> None:
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
        self._recorder.write(1, stamp, lines.encode_part, self._name, at, content)

    def _finish(self, last: bytes, newline: bytes, stamp: tuple[int, int]) -> None:
        """Record the unfinished line as a whole, or its end if it is over the limit."""
        codec = self._recorder.codec
        before, self._begun_bytes = self._begun_bytes, 0
        pieces, self._begun = self._begun, []
        optional = lines.FIRST_TIME % self._begun_at
        line = b"".join((*pieces, last))
        data, eol = split_line(line, newline)
        value: object
        with self._recorder.at_once:
            if pieces:
                value = codec.parse(data)
                content = codec.field(data, value)
            else:  # what is in the parts is not repeated
                value = TOO_LONG
                eol += lines.FROM % before
                content = codec.plain_field(data)
            if newline:
                fate, value = self._fate(data, value)
                eol += fate
            first = self._recorder.write(1, stamp, lines.encode_line, self._name, optional + eol, content)
            if self._observer is not None:
                self._observer(first, line, [value])
            del value

    def _fate(self, _data: bytes, value: Any) -> tuple[bytes, Any]:
        """What becomes of a line that has ended, as an optional field, and its value for the receiver."""
        return b"", value


def _slices(whole: bytes) -> Iterator[bytes]:
    """Lines, given with LF between them, in slices of `SLICE` bytes and what is left of a line."""
    begin = 0
    while (end := whole.find(b"\n", begin + SLICE)) >= 0:
        yield whole[begin:end]
        begin = end + 1
    yield whole[begin:]


def split_line(line: bytes, newline: bytes) -> tuple[bytes, bytes]:
    """The content of a line and, if it is not LF alone, the `eol` field: a CR before the LF belongs to it."""
    if not newline:
        return line, lines.EOL % lines.NONE
    return (line[:-1], lines.EOL % lines.CRLF) if line.endswith(b"\r") else (line, b"")
