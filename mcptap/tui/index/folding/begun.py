"""A line that is under way, or that never ended: how much of it came, and what that tells."""

from __future__ import annotations

from dataclasses import dataclass

from mcptap.protocol.model.message import classify
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Line, Part
from mcptap.text.units import counted, duration, size
from mcptap.tui.index.folding.beginning import Beginning
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import Kind
from mcptap.tui.widgets.text import visible

REQUESTS_ASKED = 40
"""Open requests that are looked through for the one that it answers."""


@dataclass(frozen=True, slots=True)
class Begun:
    """What came of a line up to a moment."""

    first: int
    last: int
    parts: int
    size: int
    is_ending: bool
    """Whether its end is still to come, as far as can be told."""
    took_us: int
    """From its first part to its last."""
    is_message: bool
    what: str
    """What it will be (`answer to forecast`), if the first bytes tell."""
    excerpt: str

    @property
    def words(self) -> str:
        """How much has come, and of what."""
        how = f"{size(self.size)} so far" if self.is_ending else f"{size(self.size)}, its end is missing"
        if self.parts > 1:
            how += f", {counted(self.parts, 'part')} in {duration(self.took_us)}"
        return f"{self.what} · {how}" if self.what else how


def data_of(index: RecordIndex, i: int) -> bytes:
    """The bytes that a part holds. Raises OSError."""
    record = decode_record(index.read(i), i + 1)
    return record.data if isinstance(record, Part) else b""


def begun_line(index: RecordIndex, first: int, now: int | None = None) -> Begun:
    """What came of the line with this first part, up to the record at `now`. Raises OSError."""
    lines = index.lines
    last = lines.last_part(first, now)
    record = decode_record(index.read(last), last + 1)
    came = record.at + len(record.data) if isinstance(record, Part) else 0
    beginning = Beginning(data_of(index, first))
    ends_later = lines.row_of(first) != first
    ends_later = ends_later or last < lines.last_part(first)
    is_live = index.ended_us is None and not index.is_cut
    return Begun(
        first,
        last,
        lines.count_parts(first, last + 1),
        came,
        ends_later or (is_live and lines.is_coming(first)),
        index.times[last] - index.times[first],
        beginning.is_message,
        _what(index, first, beginning),
        beginning.excerpt,
    )


def _what(index: RecordIndex, first: int, beginning: Beginning) -> str:
    if beginning.method:
        return visible(beginning.method)
    if not beginning.id:
        return ""
    i = _asked(index, first, beginning.id)
    if i is None:
        return f"answer to id {beginning.id}"
    return f"answer to {visible(index.name(index.tools[i]) or index.name(index.methods[i]))}"


def _asked(index: RecordIndex, first: int, identity: str) -> int | None:
    """The request that waits for the answer with this id."""
    line = index.lines.row_of(first)
    if line != first:
        return index.partner(line)
    for i in list(index.open_requests)[-REQUESTS_ASKED:]:
        if i < first and index.channels[i] != index.channels[first] and index.kinds[i] == Kind.REQUEST:
            record = decode_record(index.read(i), i + 1)
            if isinstance(record, Line) and str(classify(record).id) == identity:
                return i
    return None
