"""Median, 95th percentile and maximum of any number of values in bounded memory."""

from __future__ import annotations

import math

EXACT = 512
"""So many values are kept as they are, and quantiles of them are exact."""

GROWTH = 1.02
"""Beyond that they are counted in ranges, each 2 % wider than the last: a quantile is then at
most 1 % off. A range is told by its middle; at most some 1,600 cover a microsecond to a year."""

_LOG_GROWTH = math.log(GROWTH)


class Quantiles:
    """Takes non-negative integers one by one; tells their quantiles at any time."""

    __slots__ = ("_counts", "_exact", "count", "largest", "total")

    def __init__(self) -> None:
        self.count = 0
        self.total = 0
        self.largest = 0
        self._exact: list[int] | None = []
        self._counts: dict[int, int] = {}

    def add(self, value: int) -> None:
        """Count one value; a negative one counts as 0."""
        # In plain steps: this is done for every answer of a recording, perhaps a million times.
        if value < 0:
            value = 0
        self.count += 1
        self.total += value
        if value > self.largest:
            self.largest = value
        if self._exact is None:
            self._count(value)
            return
        self._exact.append(value)
        if len(self._exact) > EXACT:
            for kept in self._exact:
                self._count(kept)
            self._exact = None

    def at(self, fraction: float) -> int | None:
        """The smallest value that at least this fraction of all values does not exceed.

        None if there is no value. Exact for up to `EXACT` values, then at most 1 % off.
        """
        if not self.count:
            return None
        rank = max(1, math.ceil(fraction * self.count))
        if self._exact is not None:
            return sorted(self._exact)[rank - 1]
        for index in sorted(self._counts):
            rank -= self._counts[index]
            if rank <= 0:
                return min(self.largest, _middle(index))
        return self.largest

    @property
    def median(self) -> int | None:
        """Half of the values do not exceed it."""
        return self.at(0.5)

    def _count(self, value: int) -> None:
        index = 0 if value < 1 else 1 + int(math.log(value) / _LOG_GROWTH)
        self._counts[index] = self._counts.get(index, 0) + 1


def _middle(index: int) -> int:
    """The value that stands for a range: the mean of its ends, by which the error is least."""
    if index == 0:
        return 0
    low = GROWTH ** (index - 1)
    return round(low * (1 + GROWTH) / 2)
