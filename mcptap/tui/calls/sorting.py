"""By what calls are sorted, and a sort that never holds the interpreter for long.

`list.sort` of half a million values would keep every key waiting for a quarter of a second. So slices are
sorted each by itself and cut by pivots from a sample; what lies between two pivots is sorted together.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from mcptap.tui.calls.spans import Moment, span
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import OUTCOMES, Kind, State

Breathe = Callable[[], None]
"""Called between slices: gives the interpreter away, and may raise to end the work."""

SLICE = 2048
"""Values looked at or sorted between two breaths: about a millisecond."""


class Sort(Enum):
    """What calls can be sorted by. The value is the word for it."""

    TIME = "time"
    LATENCY = "latency"
    SIZE = "size"
    TOOL = "tool"
    STATUS = "status"

    @property
    def falls(self) -> bool:
        """Whether one wants the largest first."""
        return self in (Sort.LATENCY, Sort.SIZE)

    @property
    def following(self) -> Sort:
        """The next one."""
        all_of_them = list(Sort)
        return all_of_them[(all_of_them.index(self) + 1) % len(all_of_them)]


SEVERITY = (
    State.PENDING,
    State.UNANSWERED,
    State.ERROR,
    State.TOOL_ERROR,
    State.UNREADABLE,
    State.CANCELLED,
    State.NONE,
    State.ANSWERED,
)
"""The states of calls in the order in which one wants to see them."""

_RANK = {state: rank for rank, state in enumerate(SEVERITY)}
_RANK_OF_ANSWER = [_RANK[OUTCOMES.get(kind, State.UNREADABLE)] for kind in Kind]


def order(index: RecordIndex, calls: array[int], sort: Sort, moment: Moment, breathe: Breathe) -> array[int]:
    """The calls (indices of requests), ascending; those that are the same stay in their order."""
    if sort is Sort.TIME:
        return calls
    values = _VALUES[sort](index, moment, breathe)
    # Value and call in one number: quick to compare, and no two are the same.
    bits = (calls[-1] if calls else 0).bit_length()
    keys: list[int] = []
    for first in range(0, len(calls), SLICE):
        slice_ = calls[first : first + SLICE]
        keys += [value << bits | i for value, i in zip(values(slice_), slice_, strict=True)]
        breathe()
    keys = in_order(keys, breathe)
    found, mask = array("I"), (1 << bits) - 1
    for first in range(0, len(keys), SLICE):
        found.extend([key & mask for key in keys[first : first + SLICE]])
        breathe()
    return found


Values = Callable[[Sequence[int]], list[int]]
"""From calls to what they are sorted by, a number each."""


def _latencies(index: RecordIndex, moment: Moment, breathe: Breathe) -> Values:  # noqa: ARG001 - one form for all
    refs, times, cancelled, end = index.refs, index.times, index.cancelled, moment.last(index) + 1
    return lambda calls: [
        times[refs[i] - 1] - times[i]
        if 0 < refs[i] <= end and i not in cancelled
        else span(index, i, moment).waited_us
        for i in calls
    ]


def _sizes(index: RecordIndex, moment: Moment, breathe: Breathe) -> Values:  # noqa: ARG001 - one form for all
    refs, sizes, end = index.refs, index.sizes, moment.last(index) + 1
    return lambda calls: [sizes[refs[i] - 1] + 1 if 0 < refs[i] <= end else 0 for i in calls]


def _states(index: RecordIndex, moment: Moment, breathe: Breathe) -> Values:  # noqa: ARG001 - one form for all
    refs, kinds, cancelled, end = index.refs, index.kinds, index.cancelled, moment.last(index) + 1
    return lambda calls: [
        _RANK_OF_ANSWER[kinds[refs[i] - 1]]
        if 0 < refs[i] <= end and i not in cancelled
        else _RANK[index.state(i, moment.now)]
        for i in calls
    ]


def _tools(index: RecordIndex, moment: Moment, breathe: Breathe) -> Values:  # noqa: ARG001 - one form for all
    names = in_order([(name.casefold(), number) for number, name in enumerate(list(index.names))], breathe)
    ranks = array("I", bytes(4 * len(names)))
    for rank, (_, number) in enumerate(names):
        ranks[number] = rank
    tools, methods = index.tools, index.methods
    return lambda calls: [ranks[tools[i] or methods[i]] for i in calls]


_VALUES: dict[Sort, Callable[[RecordIndex, Moment, Breathe], Values]] = {
    Sort.LATENCY: _latencies,
    Sort.SIZE: _sizes,
    Sort.STATUS: _states,
    Sort.TOOL: _tools,
}


def in_order(items: list[Any], breathe: Breathe) -> list[Any]:
    """The items ascending, no two of which may be the same; `breathe` is called every few milliseconds."""
    if len(items) <= SLICE:
        return sorted(items)
    pieces = []
    for first in range(0, len(items), SLICE):
        pieces.append(sorted(items[first : first + SLICE]))
        breathe()
    sample = sorted(item for piece in pieces for item in piece[:: SLICE // 16])
    pivots = sample[16::16]
    buckets: list[list[Any]] = [[] for _ in range(len(pivots) + 1)]
    for piece in pieces:
        start = 0
        for bucket, pivot in zip(buckets, pivots, strict=False):
            end = bisect_left(piece, pivot, start)
            bucket += piece[start:end]
            start = end
        buckets[-1] += piece[start:]
        breathe()
    found: list[Any] = []
    for bucket in buckets:
        bucket.sort()
        found += bucket
        breathe()
    return found
