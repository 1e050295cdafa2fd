"""The records of several sessions in the order of their time, without a list of them.

Which record stands in a row is found by searching the columns of times: nothing is merged, so nothing
has to be kept when sessions grow, and a row costs some tenths of a millisecond.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from mcptap.tui.index.index import RecordIndex

NEVER = 1 << 62
"""Later than all that was recorded, in microseconds."""

Place = tuple[int, int]
"""A record: the number of its session (from 0), and its index there."""


@dataclass(slots=True)
class Part:
    """One session: its index, and when it began, in microseconds since the run did."""

    index: RecordIndex
    start_us: int
    picked: array[int] | None = None
    """Indices of the records that a filter lets through; None without a filter."""
    is_shown: bool = True

    def rows_to(self, end: int) -> int:
        """How many of the first `end` records have a row."""
        if not self.is_shown:
            return 0
        return self.index.rows_to(end) if self.picked is None else bisect_left(self.picked, end)

    def at_row(self, row: int) -> int:
        """The index of the record in this row of the session's own."""
        return self.index.at_row(row) if self.picked is None else self.picked[row]

    def records_to(self, t_us: int) -> int:
        """How many of its records had come by this time of the run."""
        return bisect_right(self.index.times, t_us - self.start_us, 0, self.index.described)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return self.rows_to(self.index.described)

    @property
    def end_us(self) -> int:
        """The time of its last record."""
        described = self.index.described
        return self.start_us + (self.index.times[described - 1] if described else 0)


class MergedRows:
    """The rows of all sessions; of records of one time, those of the earlier session come first."""

    def __init__(self, parts: Sequence[Part] = ()) -> None:
        self.parts = list(parts)

    def __len__(self) -> int:
        return sum(part.rows for part in self.parts)

    def _rows_by(self, t_us: int) -> int:
        return sum(part.rows_to(part.records_to(t_us)) for part in self.parts)

    def at(self, row: int) -> Place:
        """The record in this row. Raises IndexError if there is none."""
        low, high = -1, max((part.end_us for part in self.parts), default=-1)
        if row < 0 or row >= len(self):
            raise IndexError(row)
        if row >= self._rows_by(high):
            high = NEVER  # in a damaged recording the last record need not be the latest one
        while high - low > 1:
            middle = (low + high) // 2
            if self._rows_by(middle) > row:
                high = middle
            else:
                low = middle
        row -= self._rows_by(high - 1)
        for number, part in enumerate(self.parts):
            first = part.rows_to(part.records_to(high - 1))
            here = part.rows_to(part.records_to(high)) - first
            if row < here:
                return number, part.at_row(first + row)
            row -= here
        raise IndexError(row)  # it shrank meanwhile

    def row_of(self, place: Place) -> int:
        """The row of a record; if it has none, that of the next one."""
        number, i = place
        own = self.parts[number]
        t_us = own.start_us + (own.index.times[i] if i < own.index.described else 0)
        row = self._rows_by(t_us - 1)
        for part in self.parts[:number]:
            row += part.rows_to(part.records_to(t_us)) - part.rows_to(part.records_to(t_us - 1))
        first = own.rows_to(own.records_to(t_us - 1))
        return row + max(0, own.rows_to(i) - first)
