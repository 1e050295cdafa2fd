"""One record in full: its exact bytes, put together from parts where its line was long."""

from __future__ import annotations

from dataclasses import dataclass

from mcptap.jsontext.tree import parse, plain
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Damaged, Header, Line, Part, Record
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import CODE_OF, Kind
from mcptap.tui.widgets.jsontree import JsonTree

SHOWN = 1 << 20
"""Bytes of a line that are put together to be looked at."""

PARTS_BACK = 20_000
"""Records that are looked through for the parts of a long line."""


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


def load(index: RecordIndex, i: int) -> Loaded:
    """The record at this index. Raises OSError."""
    length = index.length(i)
    raw = index.read(i, SHOWN * 2)
    if i == 0:
        return Loaded(0, _header(raw), raw, length)
    record = (
        decode_record(raw, i + 1) if len(raw) == length else Damaged(i + 1, raw, "it is too long to show")
    )
    if isinstance(record, Line):
        if record.offset:
            data = _long_line(index, record)
            return Loaded(i, record, data, record.offset + len(record.data))
        loaded = Loaded(i, record, record.data, len(record.data))
        try:
            loaded.tree = JsonTree(parse(record.data))
        except ValueError:
            pass
        return loaded
    if isinstance(record, Part):
        return Loaded(i, record, record.data, len(record.data))
    return Loaded(i, record, raw.rstrip(b"\n"), length - 1)


def _header(raw: bytes) -> Record:
    try:
        value = parse(raw)
    except ValueError:
        return Damaged(1, raw, "the header can't be read")
    return Header(plain(value) if isinstance(value, list) else {})


def _long_line(index: RecordIndex, line: Line) -> bytes:
    """The first bytes of a line that stands in parts."""
    parts: list[bytes] = []
    channel = CODE_OF[line.channel]
    first = line.number - 2
    for j in range(line.number - 2, max(0, line.number - 2 - PARTS_BACK), -1):
        if j < index.described and (index.kinds[j] != Kind.PART or index.channels[j] != channel):
            continue
        head = index.read(j, 200)
        first = j
        if b'"at":0,' in head:
            break
    held = 0
    for j in range(first, line.number - 1):
        if held >= SHOWN:
            break
        if j < index.described and (index.kinds[j] != Kind.PART or index.channels[j] != channel):
            continue
        record = decode_record(index.read(j), j + 1)
        if isinstance(record, Part) and record.channel == line.channel and record.at == held:
            parts.append(record.data)
            held += len(record.data)
    data = b"".join(parts)
    return data + line.data if held == line.offset else data[:SHOWN]


def exact_bytes(index: RecordIndex, loaded: Loaded) -> bytes:
    """All bytes of the line with its terminator, whatever its length; of other records their JSON."""
    record = loaded.record
    if isinstance(record, Line):
        if loaded.is_whole:
            return loaded.data + record.eol
        return b"".join(_all_parts(index, record)) + record.data + record.eol
    return loaded.data if loaded.is_whole else index.read(loaded.index)


def whole_line(index: RecordIndex, i: int) -> tuple[Line | Part, bytes] | None:
    """The record in which the line ends that this one is of, and all bytes of the line without terminator.

    That is the last part where the line never ended. None if the record is of no line. Raises OSError.
    """
    record = decode_record(index.read(i), i + 1)
    if isinstance(record, Part):
        channel = CODE_OF[record.channel]
        for j in range(i + 1, min(len(index), i + PARTS_BACK)):
            if j < index.described and index.channels[j] != channel:
                continue
            later = decode_record(index.read(j), j + 1)
            if not isinstance(later, Line | Part) or later.channel != record.channel:
                continue
            if isinstance(later, Line) or later.at <= record.at:
                record = later if isinstance(later, Line) else record
                break
            record = later
    if not isinstance(record, Line | Part):
        return None
    offset = record.offset if isinstance(record, Line) else record.at
    return record, (b"".join(_all_parts(index, record)) if offset else b"") + record.data


def records_of_line(index: RecordIndex, i: int) -> list[int]:
    """The indices of the records that hold the line that this one is of; this one's if it is of none.

    Raises OSError.
    """
    whole = whole_line(index, i)
    if whole is None:
        return [i]
    record = whole[0]
    offset = record.offset if isinstance(record, Line) else record.at
    return [*(part.number - 1 for part in _parts(index, record) if offset), record.number - 1]


def _all_parts(index: RecordIndex, line: Line | Part) -> list[bytes]:
    return [part.data for part in _parts(index, line)]


def _parts(index: RecordIndex, line: Line | Part) -> list[Part]:
    """The parts before the record in which a line ends, in order."""
    parts: list[Part] = []
    for j in range(line.number - 2, max(0, line.number - 2 - PARTS_BACK), -1):
        is_other = j < index.described and index.kinds[j] != Kind.PART
        record = None if is_other else decode_record(index.read(j), j + 1)
        if isinstance(record, Part) and record.channel == line.channel:
            parts.append(record)
            if record.at == 0:
                break
    return parts[::-1]
