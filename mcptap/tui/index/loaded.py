"""One record in full: its exact bytes, put together from parts where its line was long."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcptap.jsontext.tree import parse, plain
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Damaged, Header, Line, Part, Record
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import Kind
from mcptap.tui.widgets.jsontree import JsonTree

SHOWN = 1 << 20
"""Bytes of a line that are put together to be looked at."""


@dataclass(slots=True)
class Loaded:
    """A record and the bytes of its line: `data` may be only the first of `total` bytes."""

    index: int
    record: Record
    data: bytes
    total: int
    tree: JsonTree | None = None

    @property
    def number(self) -> int:
        """The record number."""
        return self.index + 1

    @property
    def is_whole(self) -> bool:
        """Whether all bytes of the line are here."""
        return len(self.data) == self.total


def load(index: RecordIndex, i: int, now: int | None = None) -> Loaded:
    """The record at this index; of a line that has not ended what had come with the record at `now`.

    Raises OSError.
    """
    length = index.length(i)
    raw = index.read(i, SHOWN * 2)
    if i == 0:
        return Loaded(0, _header(raw), raw, length)
    record = (
        decode_record(raw, i + 1) if len(raw) == length else Damaged(i + 1, raw, "it is too long to show")
    )
    if isinstance(record, Line):
        if record.offset:
            data = _beginning(index, i)
            whole = record.offset + len(record.data)
            return Loaded(i, record, data + record.data if len(data) == record.offset else data, whole)
        loaded = Loaded(i, record, record.data, len(record.data))
        try:
            loaded.tree = JsonTree(parse(record.data))
        except ValueError:
            pass
        return loaded
    if isinstance(record, Part):
        return _begun(index, i, record, now)
    return Loaded(i, record, raw.rstrip(b"\n"), length - 1)


def _header(raw: bytes) -> Record:
    try:
        value = parse(raw)
    except ValueError:
        return Damaged(1, raw, "the header can't be read")
    return Header(plain(value) if isinstance(value, list) else {})


def _begun(index: RecordIndex, i: int, part: Part, now: int | None) -> Loaded:
    """What had come of the line of this part."""
    first = index.lines.first_part(i)
    last = i if first is None else index.lines.last_part(first, now)
    record = decode_record(index.read(last), last + 1)
    if not isinstance(record, Part) or record.at == 0:
        return Loaded(i, part, part.data, len(part.data))
    return Loaded(i, part, _beginning(index, last, last + 1), record.at + len(record.data))


def _beginning(index: RecordIndex, i: int, end: int | None = None) -> bytes:
    """The first bytes of the line of this record: those of its parts before `end` (default: itself)."""
    held, data = 0, []
    for part in _parts(index, i, i if end is None else end):
        if held >= SHOWN:
            break
        if part.at == held:
            data.append(part.data)
            held += len(part.data)
    return b"".join(data)


def exact_bytes(index: RecordIndex, loaded: Loaded) -> bytes:
    """All bytes of the line with its terminator, whatever its length; of other records their JSON."""
    record = loaded.record
    if loaded.is_whole:
        return loaded.data + (record.eol if isinstance(record, Line) else b"")
    whole = whole_line(index, loaded.index)
    if whole is None:
        return index.read(loaded.index)
    return whole[1] + (whole[0].eol if isinstance(whole[0], Line) else b"")


def whole_line(index: RecordIndex, i: int) -> tuple[Line | Part, bytes] | None:
    """The record in which the line ends that this one is of, and all bytes of the line without terminator.

    That is the last part where the line never ended. None if the record is of no line. Raises OSError.
    """
    end = _end_of_line(index, i)
    record = decode_record(index.read(end), end + 1)
    if not isinstance(record, Line | Part):
        return None
    offset = record.offset if isinstance(record, Line) else record.at
    return record, b"".join([*(part.data for part in _parts(index, end, end) if offset), record.data])


def size_of_line(index: RecordIndex, i: int) -> int:
    """Bytes of the line that this record is of; 0 where that is not known yet."""
    row = index.lines.row_of(i)
    if row >= index.described:
        return 0
    if index.kinds[row] != Kind.PART:
        return index.sizes[row]
    return sum(index.sizes[part] for part in index.lines.parts(row, index.lines.last_part(row) + 1))


def records_of_line(index: RecordIndex, i: int) -> list[int]:
    """The indices of the records that hold the line that this one is of; this one's if it is of none."""
    end = _end_of_line(index, i)
    first = index.lines.first_part(end)
    return [end] if first is None else [*index.lines.parts(first, end), end]


def _end_of_line(index: RecordIndex, i: int) -> int:
    """The record in which the line of this one ends, or that came of it last."""
    row = index.lines.row_of(i)
    is_part = row < index.described and index.kinds[row] == Kind.PART
    return index.lines.last_part(row) if is_part else row


def _parts(index: RecordIndex, i: int, end: int) -> Iterator[Part]:
    """The parts before `end` of the line that this record is of, in order."""
    first = index.lines.first_part(i)
    for j in index.lines.parts(first, end) if first is not None else ():
        part = decode_record(index.read(j), j + 1)
        if isinstance(part, Part):
            yield part
