"""A capture of another tool as a recording of format 1, marked with what the capture did not know."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import orjson

from mcptap.captures.evidence import is_capture, to_fields
from mcptap.captures.open import Source
from mcptap.recording.format.content import Codec, quote
from mcptap.recording.format.events import EVENT, encode_event, gap
from mcptap.recording.format.header import FORMAT
from mcptap.recording.format.lines import (
    CRLF,
    DIVERTED,
    EOL,
    FIRST_TIME,
    KNOWN,
    NONE,
    encode_line,
)
from mcptap.recording.format.model import Damaged, Event, Item, Line
from mcptap.recording.reader import State

_EOLS = {b"\n": b"", b"\r\n": EOL % CRLF, b"": EOL % NONE}
_NOT_OF_THE_EVENT = frozenset({"n", "k", "t", "wall"})


def recording_of(source: Source) -> Iterator[bytes]:
    """The records of a recording that holds what a source has, each with its newline; the header first.

    What a capture could not tell stands in the header's field `capture`. A line of it that can't be used
    becomes a gap. Of a recording of mcptap it is the same session without its parts.
    """
    codec = Codec()
    codec.use_orjson()
    items = source.items()
    first = next(items, None)  # only then the header of a log knows when it began
    yield _header(source)
    number = 1
    last = (0, source.header.start_wall_us)
    if first is not None:
        for item in _chained(first, items):
            number += 1
            record, last = _record(item, number, last, codec)
            yield record
    for line in source.unfinished() if source.state() is not State.LIVE else ():
        number += 1
        yield _record(line, number, last, codec)[0]


def _chained(first: Item, items: Iterator[Item]) -> Iterator[Item]:
    yield first
    yield from items


def _header(source: Source) -> bytes:
    known = {
        "mcptap": FORMAT, "n": 1, "k": "header", "t": 0, "wall": source.header.start_wall_us, "version": "",
        "session": "", "start": "", "name": source.header.name, "argv": [], "program": None, "cwd": "",
        "pid": 0,
        "platform": "", "python": "", "parent": {"pid": 0},
        "env": {"names": [], "values": {}, "placeholders": {}}, "stdio": ["other", "other", "other"],
        "lock": False,
    }  # fmt: skip
    own = {name: value for name, value in source.header.fields.items() if value is not None}
    fields = {**known, **own, "lock": False}
    fields["wall"] = start = source.header.start_wall_us
    fields["start"] = f"{datetime.fromtimestamp(start / 1e6, UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
    if is_capture(source.evidence) and not source.header.capture:
        fields["capture"] = to_fields(source.evidence)
    return orjson.dumps(fields) + b"\n"


def _record(item: Item, number: int, last: tuple[int, int], codec: Codec) -> tuple[bytes, tuple[int, int]]:
    """One item as a record, and its times, which stand in for those of an item that has none."""
    if isinstance(item, Damaged):
        return encode_event(number, last, gap(1, len(item.raw), last[0], item.why)), last
    stamp = (item.t_us, item.wall_us or last[1])
    if isinstance(item, Event):
        own = {name: value for name, value in item.fields.items() if name not in _NOT_OF_THE_EVENT}
        fields = b"".join(b"," + quote(name) + b":" + orjson.dumps(value) for name, value in own.items())
        return EVENT % (number, item.kind.encode(), *stamp, fields), stamp
    return encode_line(
        number, stamp, item.channel.encode(), _optional(item), codec.field(item.data, codec.parse(item.data))
    ), stamp


def _optional(line: Line) -> bytes:
    """The optional fields of a line."""
    first = FIRST_TIME % line.first_us if line.first_us != line.t_us else b""
    diverted = b"" if line.diverted is None else DIVERTED % line.diverted
    known = KNOWN % line.known.encode() if line.known else b""
    return first + _EOLS[line.eol] + diverted + known
