"""Long lines, which came in parts: which records they are made of, and which row shows them.

The reference of a part is the record number of the first part of its line; that of the first is the
record number of the line, once it has ended. So the parts of two channels may stand in any order.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator

from mcptap.tui.index.batch import Batch
from mcptap.tui.index.folding.rowmap import Place, RowMap
from mcptap.tui.index.kinds import ChannelCode, Kind


class LongLines:
    """The lines of an index that stand in parts; the columns are those of the index, and grow."""

    def __init__(self, rowmap: RowMap, kinds: bytearray, channels: bytearray, refs: array[int]) -> None:
        self._rowmap = rowmap
        self._kinds = kinds
        self._channels = channels
        self._refs = refs
        self._last: dict[int, int] = {}
        """First part of a line whose end has not come: its last one so far."""
        self._first: dict[int, int] = {}
        """Line whose record holds only what the parts before it do not: its first part."""
        self._split = array("I")
        """The same lines, in order."""
        self._coming: dict[int, int] = {}
        """Channel: first part of the line that is under way there."""

    def take(self, batch: Batch) -> list[int]:
        """Take parts and ends of lines from a batch whose columns were taken.

        The parts of a line that is under way are in the row of the first. Returns the records before the
        batch that lost their rows.
        """
        hidden: list[int] = []
        kinds, refs = batch.kinds, batch.refs
        at = kinds.find(Kind.PART)
        while at >= 0:
            i = batch.start + at
            if refs[at]:
                hidden.append(i)
                self._last[refs[at] - 1] = i
            else:
                self._coming[batch.channels[at]] = self._last[i] = i
            at = kinds.find(Kind.PART, at + 1)
        for first, line in _pairs(batch.ended):
            self._refs[first] = line + 1
            self._last.pop(first, None)
            if self._coming.get(self._channels[line]) == first:
                del self._coming[self._channels[line]]
            hidden.append(first)
        for first, line in _pairs(batch.continued):
            self._first[line] = first
            self._split.append(line)
        if hidden:
            self._rowmap.put(hidden, Place.HIDDEN)
        return [i for i in hidden if i < batch.start]

    @property
    def are_whole(self) -> bool:
        """Whether no line came in parts so far."""
        return not self._last and not self._split and not self._rowmap.version

    def first_part(self, i: int) -> int | None:
        """The first part of the line that a part is of, or that ends in this record; None if it has none.

        Of a line whose record holds all of it that is None.
        """
        if i < len(self._kinds) and self._kinds[i] == Kind.PART:
            before = self._refs[i] - 1
            return before if 0 <= before < i else i
        return self._first.get(i)

    def row_of(self, i: int) -> int:
        """The record whose row shows this one, be it a part or not."""
        if i >= len(self._kinds) or self._kinds[i] != Kind.PART:
            return i
        first = self.first_part(i)
        assert first is not None
        return self._refs[first] - 1 if self._refs[first] else first

    def is_split(self, i: int) -> bool:
        """Whether the row of this record is that of a line whose bytes stand in several records."""
        return i in self._first or self._last.get(i, i) != i

    def is_repeated(self, i: int) -> bool:
        """Whether this is a part of a line whose record holds all of it."""
        line = self.row_of(i)
        return line != i and self._kinds[line] != Kind.PART and line not in self._first

    def is_coming(self, first: int) -> bool:
        """Whether more may come of the line with this first part, as far as the parts tell."""
        return first in self._coming.values()

    def last_part(self, first: int, now: int | None = None) -> int:
        """The last part, up to the record at `now`, of the line with this first one."""
        line = self._refs[first] - 1
        last = line - 1 if line > first else self._last.get(first, first)
        last = last if now is None else max(first, min(last, now))
        channel = self._channels[first]
        while not self._is_part_of(first, last):
            last = self._channels.rfind(channel, first, last)
        return last

    def parts(self, first: int, end: int) -> Iterator[int]:
        """The parts before `end` of the line with this first one, in order."""
        at = first
        while 0 <= at < end:
            if self._is_part_of(first, at):
                yield at
            at = self._kinds.find(Kind.PART, at + 1, end)

    def count_parts(self, first: int, end: int) -> int:
        """How many these are."""
        return 1 + self._refs[first:end].count(first + 1)

    def _is_part_of(self, first: int, i: int) -> bool:
        return i == first or (self._kinds[i] == Kind.PART and self._refs[i] == first + 1)

    def under_way(self, now: int) -> list[int]:
        """The last part then of each line that was under way at the record at `now`, and has ended since."""
        found = []
        for channel in (ChannelCode.C2S, ChannelCode.S2C, ChannelCode.STDERR):
            at = self._channels.rfind(channel, 0, now + 1)
            while at >= 0 and self._kinds[at] == Kind.EVENT:
                at = self._channels.rfind(channel, 0, at)
            if (
                at >= 0
                and self._kinds[at] == Kind.PART
                and not self._rowmap.has_row(self.first_part(at) or at)
            ):
                found.append(at)
        return sorted(found)

    def split_between(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """The rows of long lines among these records: the record, its first part, the end of its parts."""
        among = self._split[bisect_left(self._split, start) : bisect_left(self._split, end)]
        ended = [(line, self._first[line], line) for line in among]
        coming = [(first, first, last + 1) for first, last in self._last.items() if start <= first < end]
        return sorted(ended + coming)


def _pairs(numbers: array[int]) -> Iterator[tuple[int, int]]:
    return zip(numbers[::2], numbers[1::2], strict=True)
