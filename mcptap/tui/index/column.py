"""A column of large numbers that lie close to their neighbours: four bytes each instead of eight."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import overload

BLOCK_BITS = 10
BLOCK = 1 << BLOCK_BITS
"""Numbers that are told as distances from one base."""

REACH = 1 << 31
"""How far below the first number of a block the base lies: as far as others may lie above it."""

AWAY = 0xFFFFFFFF
"""Stands for a number that is too far from its block's base, and is kept by itself."""


class Column(Sequence[int]):
    """Numbers from 0 to 2**64 - 1, such as times and places in a file. One thread may add, any may read."""

    def __init__(self, numbers: Sequence[int] = ()) -> None:
        self._bases = array("Q")
        self._distances = array("I")
        self._away: dict[int, int] = {}
        self.extend(numbers)

    def __len__(self) -> int:
        return len(self._distances)

    @overload
    def __getitem__(self, i: int) -> int: ...

    @overload
    def __getitem__(self, i: slice) -> array[int]: ...

    def __getitem__(self, i: int | slice) -> int | array[int]:
        if isinstance(i, slice):
            return array("Q", [self[j] for j in range(*i.indices(len(self)))])
        if i < 0:
            i += len(self._distances)
            if i < 0:
                raise IndexError(i)
        distance = self._distances[i]
        return self._away[i] if distance == AWAY else self._bases[i >> BLOCK_BITS] + distance

    def extend(self, numbers: Sequence[int]) -> None:
        """Add numbers at the end."""
        done, distances = 0, self._distances
        while done < len(numbers):
            at = len(distances)
            if at % BLOCK == 0:
                self._bases.append(max(0, numbers[done] - REACH))
            base = self._bases[-1]
            piece = numbers[done : done + BLOCK - at % BLOCK]
            done += len(piece)
            if min(piece) >= base and max(piece) < base + AWAY:
                distances.extend([number - base for number in piece])
                continue
            for i, number in enumerate(piece, at):
                is_near = base <= number < base + AWAY
                if not is_near:
                    self._away[i] = number
                distances.append(number - base if is_near else AWAY)
