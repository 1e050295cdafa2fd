"""Which records have a row of their own, and which record is in a row: quick, in whatever order they come."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from enum import IntEnum
from itertools import accumulate
from threading import Lock

BLOCK = 256
"""Records that are counted together: as many are gone through for one row."""


NONE = 1 << 62
"""Further than any record."""


class Place(IntEnum):
    """Where a record is to be seen. The first bit: it has no row; the second: it is one of a run."""

    OWN = 0
    """In its own row, which stands for a whole run if there is one before it."""
    HIDDEN = 1
    """In the row of the line that it is a part of."""
    UNFOLDED = 2
    """In its own row, as one of a run that was unfolded."""
    FOLDED = 3
    """In the row of the last record of its run."""


_UNFOLD = bytes.maketrans(bytes([Place.FOLDED]), bytes([Place.UNFOLDED]))
_FOLD = bytes.maketrans(bytes([Place.UNFOLDED]), bytes([Place.FOLDED]))


class RowMap:
    """The place of each record: a byte for each, up to the last that has another one than `OWN`.

    Any thread may change it, any may ask.
    """

    def __init__(self) -> None:
        self._places = bytearray()
        self._counts = array("I")
        """How many of each block have no row."""
        self._rows = array("I", [0])
        """How many records before each block, and behind the last, have one."""
        self._lock = Lock()
        self.version = 0
        """Goes up with every change."""
        self._changed_from = NONE
        """The first record whose row came or went since that was asked."""

    def __getitem__(self, i: int) -> Place:
        return Place(self._places[i]) if i < len(self._places) else Place.OWN

    def has_row(self, i: int) -> bool:
        """Whether a row is that of this record."""
        return i >= len(self._places) or not self._places[i] & 1

    def count(self, place: Place, start: int, end: int) -> int:
        """How many of these records have this place, which is not OWN."""
        return self._places.count(place, start, end)

    def put(self, records: Iterable[int], place: Place) -> None:
        """Give some records, in any order, this place."""
        with self._lock:
            blocks = set()
            for i in records:
                self._reach(i + 1)
                self._places[i] = place
                blocks.add(i // BLOCK)
            self._count_again(sorted(blocks))

    def fold(self, start: int, end: int, *, folded: bool) -> None:
        """Fold, or unfold, those of these records that are in a run."""
        with self._lock:
            end = min(end, len(self._places))
            table = _FOLD if folded else _UNFOLD
            self._places[start:end] = self._places[start:end].translate(table)
            self._count_again(range(start // BLOCK, -(-end // BLOCK)))

    def changed_from(self) -> int | None:
        """The first record whose row came or went since the last time; None if none did."""
        with self._lock:
            first, self._changed_from = self._changed_from, NONE
        return None if first == NONE else first

    def _reach(self, end: int) -> None:
        missing = -(-end // BLOCK) - len(self._counts)
        if missing > 0:
            self._places += bytes(missing * BLOCK)
            self._counts.extend([0] * missing)

    def _count_again(self, blocks: Iterable[int]) -> None:
        """Count the rows of these blocks (in order), and those of all behind them."""
        places = self._places
        first = len(self._rows) - 1
        for block in blocks:
            first = min(first, block)
            self._changed_from = min(self._changed_from, block * BLOCK)
            at, end = block * BLOCK, (block + 1) * BLOCK
            self._counts[block] = places.count(Place.HIDDEN, at, end) + places.count(Place.FOLDED, at, end)
        # Blocks before the first that changed stay: changing bit by bit takes no longer than at once.
        rows = self._rows[: first + 1]
        rows.extend(accumulate((BLOCK - count for count in self._counts[first:]), initial=rows.pop()))
        self._rows = rows
        self.version += 1

    def rows_before(self, end: int) -> int:
        """How many of the first `end` records have a row."""
        rows, places = self._rows, self._places
        block = min(end // BLOCK, len(rows) - 1)
        at = block * BLOCK
        without = places.count(Place.HIDDEN, at, end) + places.count(Place.FOLDED, at, end)
        return rows[block] + end - at - without

    def nth(self, n: int) -> int:
        """The record in the row before which there are `n`."""
        rows = self._rows
        block = bisect_right(rows, n) - 1
        at, left = block * BLOCK, n - rows[block]
        for place in self._places[at : at + BLOCK]:
            if not place & 1:
                if not left:
                    return at
                left -= 1
            at += 1
        return at + left

    def row_before(self, end: int) -> int:
        """The last of the first `end` records that has a row; -1 if none has."""
        places = self._places
        if end > len(places):
            return end - 1
        return max(places.rfind(Place.OWN, 0, end), places.rfind(Place.UNFOLDED, 0, end))

    def own_before(self, end: int) -> int:
        """The last of the first `end` records that is in no run, or the last of one; -1 if none is."""
        return end - 1 if end > len(self._places) else self._places.rfind(Place.OWN, 0, end)

    def own_from(self, start: int) -> int:
        """The first such record from this one on."""
        at = self._places.find(Place.OWN, start)
        return max(start, len(self._places)) if at < 0 else at
