"""What is shown: which calls in which order, and the row of each."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from dataclasses import dataclass, field

from mcptap.query import Query, parse
from mcptap.tui.calls.sorting import Sort
from mcptap.tui.calls.spans import REQUESTS, Moment
from mcptap.tui.index.filtering import STATUS_OF, IndexRow
from mcptap.tui.index.index import RecordIndex


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """What is to be shown: which calls, in which order."""

    query: Query = field(default_factory=lambda: parse(""))
    sort: Sort = Sort.TIME
    falls: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Calls in the order of their rows: indices of requests, ascending in what they are sorted by."""

    wanted: Wanted
    calls: array[int] = field(default_factory=lambda: array("I"))

    def __len__(self) -> int:
        return len(self.calls)

    def at(self, y: int) -> int:
        """The index of the request in this row."""
        calls = self.calls
        return calls[len(calls) - 1 - y] if self.wanted.falls else calls[y]

    def row_of(self, i: int) -> int | None:
        """The row of the request at this index; None if it has none."""
        calls = self.calls
        if self.wanted.sort is Sort.TIME:
            y = bisect_left(calls, i)
            if y >= len(calls) or calls[y] != i:
                return None
        else:
            try:
                y = calls.index(i)
            except ValueError:
                return None
        return len(calls) - 1 - y if self.wanted.falls else y


class CallRow(IndexRow):
    """One half of a call as a filter sees it, as of a moment."""

    def __init__(self, index: RecordIndex, moment: Moment) -> None:
        super().__init__(index)
        self._now = moment.now

    @property
    def status(self) -> str | None:
        """What became of the request."""
        index, i = self.index, self.i
        if index.kinds[i] not in REQUESTS:
            i = index.refs[i] - 1
        return STATUS_OF.get(index.state(i, self._now))

    @property
    def latency_us(self) -> int | None:
        """Microseconds from request to answer, if that has come."""
        return self.index.latency(self.i, self._now)
