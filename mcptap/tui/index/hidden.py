"""Which records no row shows, and which record is in a row: quick, in whatever order they are told."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate

BLOCK = 256
"""Records that are counted together: as many are gone through for one row."""


class HiddenRecords:
    """A set of indices of records. One thread may add to it, any may ask."""

    def __init__(self) -> None:
        self._flags = bytearray()
        self._counts = array("I")
        """How many of each block are hidden."""
        self._shown = array("I", [0])
        """How many records before each block, and behind the last, are not hidden."""
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, i: object) -> bool:
        return isinstance(i, int) and i < len(self._flags) and self._flags[i] == 1

    def __iter__(self) -> Iterator[int]:
        return (i for i, flag in enumerate(self._flags) if flag)

    def add(self, indices: Iterable[int]) -> None:
        """Hide records, in any order."""
        first = len(self._counts)
        for i in indices:
            block = i // BLOCK
            first = min(first, block)
            missing = block + 1 - len(self._counts)
            if missing > 0:
                self._flags += bytes(missing * BLOCK)
                self._counts.extend([0] * missing)
            if not self._flags[i]:
                self._flags[i] = 1
                self._counts[block] += 1
                self._count += 1
        # Blocks before the first that changed stay: adding bit by bit takes no longer than at once.
        shown = self._shown[: first + 1]
        shown.extend(accumulate((BLOCK - count for count in self._counts[first:]), initial=shown.pop()))
        self._shown = shown

    def shown_before(self, end: int) -> int:
        """How many of the first `end` records are not hidden."""
        shown, flags = self._shown, self._flags
        block = min(end // BLOCK, len(shown) - 1)
        return shown[block] + flags.count(0, block * BLOCK, end) + max(0, end - len(flags))

    def nth_shown(self, n: int) -> int:
        """The index of the record before which stand `n` that are not hidden, itself none of the hidden."""
        shown = self._shown
        block = bisect_right(shown, n) - 1
        at, left = block * BLOCK, n - shown[block]
        for flag in self._flags[at : at + BLOCK]:
            if not flag:
                if not left:
                    return at
                left -= 1
            at += 1
        return at + left
