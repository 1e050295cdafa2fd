"""Text in the messages of a recording, found in the bytes of the file without decoding a record."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator

from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.header import MAGIC
from mcptap.recording.format.model import Event
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import Kind
from mcptap.tui.index.rows import event_text

CHUNK = 1 << 20
"""Bytes searched at once: a millisecond, in which the screen waits for the interpreter."""

DENSE = 12
"""From one hit in so many records on it is quicker to go through the records than from hit to hit."""

SAMPLE = 1 << 16
"""Bytes at the start of a chunk that tell how many hits there may be."""

_MESSAGE = b'"msg":'
_CONTENTS = (_MESSAGE, b'"text":', b'"b64":')
_ENVELOPE = 240
"""The fields before the content take no more bytes than this."""


def spellings(text: str) -> list[bytes]:
    """The ways in which the text may be written in a record, in lower case."""
    plain = text.encode(errors="surrogateescape").lower()
    ways = [plain, json.dumps(text, ensure_ascii=False).encode(errors="replace")[1:-1].lower()]
    if not text.isascii():
        ways.append(json.dumps(text).encode()[1:-1].lower())
    return list(dict.fromkeys(ways))


def content_start(data: bytes, start: int, end: int) -> int:
    """Where the content of the record at `data[start:end]` begins; its envelope is not searched.

    The end for a record without content: events are searched by their words.
    """
    stop = min(end, start + _ENVELOPE)
    for name in _CONTENTS:
        at = data.find(name, start, stop)
        if at >= 0:
            return at + len(name)
    return start if data.startswith(MAGIC, start) else end


def forward(index: RecordIndex, wanted: list[bytes], first: int) -> Iterator[int | None]:
    """Indices of the records whose row holds one of the spellings, from `first` on to the present end.

    A line that stands in parts is one such record, whichever part holds it. Between chunks it yields
    None, so that the caller can stop, rest, and show how far it is.
    """
    for _, hits in chunks(index, wanted, first):
        yield from hits
        yield None


def chunks(index: RecordIndex, wanted: list[bytes], first: int) -> Iterator[tuple[int, list[int]]]:
    """The same in pieces: up to which record was looked, and the hits since the piece before."""
    at = first
    while at < len(index):
        end = _chunk_end(index, at)
        yield end, _rows(index, _hits(index, wanted, at, end), wanted, at, end)
        at = end


def backward(index: RecordIndex, wanted: list[bytes], last: int) -> Iterator[int | None]:
    """The same from `last` (which is included) back to the first record."""
    end = min(last + 1, len(index))
    while end > 0:
        start = bisect_right(index.offsets, max(0, index.offsets[end] - CHUNK), 0, end)
        start = min(start, end - 1)
        yield from reversed(_rows(index, _hits(index, wanted, start, end), wanted, start, end))
        end = start
        yield None


def _chunk_end(index: RecordIndex, start: int) -> int:
    """The end of as many records as fit into a chunk; at least one."""
    end = bisect_right(index.offsets, index.offsets[start] + CHUNK, start) - 1
    return min(max(end, start + 1), len(index))


def _rows(index: RecordIndex, hits: list[int], wanted: list[bytes], start: int, end: int) -> list[int]:
    """The rows among these records that hold a hit, be it in a part elsewhere."""
    split = index.lines.split_between(start, end)
    if not split and not index.rowmap.version:
        return hits
    found = {i for i in hits if index.lines.row_of(i) == i}
    found.update(row for row, first, stop in split if row not in found and _holds(index, wanted, first, stop))
    return sorted(found)


def _holds(index: RecordIndex, wanted: list[bytes], first: int, end: int) -> bool:
    """Whether a part before `end` of the line with this first one has one of the spellings."""
    at = first
    while at < end:
        stop = min(_chunk_end(index, at), end)
        if any(index.lines.first_part(i) == first for i in _hits(index, wanted, at, stop)):
            return True
        at = stop
    return False


def _hits(index: RecordIndex, wanted: list[bytes], start: int, end: int) -> list[int]:
    data = index.read_span(start, end).lower()
    base = index.offsets[start]
    found: set[int] = set()
    for needle in wanted:
        if data.count(needle, 0, SAMPLE) * len(data) > (end - start) * min(SAMPLE, len(data)) // DENSE:
            found.update(_in_lines(data.split(b"\n"), needle, start, end))
            continue
        at = data.find(needle)
        while at >= 0:
            i = bisect_right(index.offsets, base + at, start, end + 1) - 1
            begin, stop = index.offsets[i] - base, index.offsets[i + 1] - base
            content = content_start(data, begin, stop)
            if at >= content:
                found.add(i)
                at = data.find(needle, stop)
            else:
                at = data.find(needle, content)
    found.update(_events(index, wanted[0].decode(errors="replace"), start, end))
    return sorted(found)


def _in_lines(lines: list[bytes], needle: bytes, start: int, end: int) -> Iterator[int]:
    """The records with this text among these, gone through one by one: quick where many have it."""
    for i, line in zip(range(start, end), lines, strict=False):
        content = line.find(_MESSAGE, 0, _ENVELOPE)
        if content < 0:
            content = content_start(line, 0, len(line))
        if line.find(needle, content) >= 0:
            yield i


def _events(index: RecordIndex, wanted: str, start: int, end: int) -> Iterator[int]:
    """The events among these records whose words hold the text; a session has few."""
    at = index.kinds.find(Kind.EVENT, start, end)
    while at >= 0:
        record = decode_record(index.read(at), at + 1)
        if isinstance(record, Event) and wanted in event_text(record).casefold():
            yield at
        at = index.kinds.find(Kind.EVENT, at + 1, end)
