"""What the screen knows of every record without keeping any: packed columns, some 22 bytes a record.

Positions ("index") count from 0, record numbers from 1: the record at index `i` is number `i + 1`.
The columns grow in batches that `apply` takes from the indexer; only one thread may apply, any
may read, since a column is never longer than `offsets` says and never changes its place in time.
"""

from __future__ import annotations

import os
from array import array
from bisect import bisect_right
from typing import NamedTuple

from mcptap.text.units import duration
from mcptap.tui.index.batch import Batch
from mcptap.tui.index.column import Column
from mcptap.tui.index.folding.folds import Folds
from mcptap.tui.index.folding.lines import LongLines
from mcptap.tui.index.folding.rowmap import RowMap
from mcptap.tui.index.kinds import ANSWERS, OUTCOMES, Kind, State

OTHER_NAME = 0
"""Name number of what has no name, or of a name that came after the table was full."""

NAME_LIMIT = 1 << 16
"""Most different names that are kept; a server with more has machine-made names."""


_PAIRED = ANSWERS | {Kind.REQUEST, Kind.NOTIFICATION}
"""What has another half in its own right."""


class Totals(NamedTuple):
    """How many records of some sorts there were up to a moment."""

    pollution: int
    errors: int
    tool_errors: int
    open: int


def read_at(fd: int, count: int, offset: int) -> bytes:
    """Bytes of a file from an offset on, fewer only at its end. Raises OSError."""
    if hasattr(os, "pread"):
        return os.pread(fd, count, offset)
    os.lseek(fd, offset, os.SEEK_SET)
    return os.read(fd, count)


class RecordIndex:
    """The columns of one recording, and what follows from them.

    `refs` has, for an answer (and a cancellation), the record number of its request, and for a
    request that of its answer; 0 if there is none. A cancelled request is in `cancelled`.
    """

    def __init__(self, fd: int = -1) -> None:
        self.fd = fd
        self.offsets = Column([0])
        self.times = Column()
        self.refs = array("I")
        self.sizes = array("I")
        self.kinds = bytearray()
        self.channels = bytearray()
        self.methods = array("H")
        self.tools = array("H")
        self.names: list[str] = [""]
        self.cancelled: dict[int, int] = {}
        """Index of a cancelled request: index of the notification that cancelled it."""
        self.pollution = 0
        self.errors = 0
        self.tool_errors = 0
        self.batches = 0
        """Arrays of messages, whose requests are not told apart here."""
        self.open_requests: dict[int, None] = {}
        """Indices of the requests that have no answer so far, oldest first."""
        self.rowmap = RowMap()
        """Which records have rows of their own: no part of a line does that another row shows."""
        self.lines = LongLines(self.rowmap, self.kinds, self.channels, self.refs)
        self.folds = Folds(self.rowmap, self.kinds)
        self.strays = array("I")
        """Indices of the answers that close no request: unasked, repeated, or too late."""
        self.closing_cancels = array("I")
        """Indices of the cancellations that ended a request."""
        self.closing_lines = array("I")
        """Indices of lines that are no response and answer a request all the same, once for each."""
        self.several: dict[int, list[int]] = {}
        """Indices of all requests that such a line answers, by its own, if it answers more than one."""
        self.one_sided = False
        """Whether what the client sent, or all of the session, is not recorded, so that little is known of
        requests and answers."""
        self.fineness_us = 1
        """How fine its times are, in µs; 0 if it has none."""
        self.ended_us: int | None = None
        """When the session ended, once it has."""
        self.is_cut = False
        """Whether the recording stops before the session does, so that its last requests may be answered."""

    def __len__(self) -> int:
        """Records whose place in the file is known."""
        return len(self.offsets) - 1

    @property
    def described(self) -> int:
        """Records whose columns are known."""
        return len(self.tools)

    @property
    def end(self) -> int:
        """Bytes of the file that hold whole records."""
        return self.offsets[-1]

    def add_offsets(self, ends: array[int]) -> None:
        """Take the ends of further records (offsets behind their newlines)."""
        self.offsets.extend(ends)

    def add_names(self, names: list[str]) -> None:
        """Take further names of methods, tools and events; their numbers go on."""
        self.names.extend(names)

    def apply(self, batch: Batch) -> None:
        """Take the columns of the records that follow the described ones."""
        if batch.start != self.described:
            raise ValueError(f"batch at {batch.start}, expected {self.described}")
        refs = batch.refs
        base = batch.start
        own = self.refs
        own.extend(refs)
        self.times.extend(batch.times)
        self.sizes.extend(batch.sizes)
        self.kinds += batch.kinds
        self.channels += batch.channels
        self.methods.extend(batch.methods)
        open_requests = self.open_requests
        request, notification, answers = Kind.REQUEST, Kind.NOTIFICATION, frozenset(map(int, ANSWERS))
        for i, kind in enumerate(batch.kinds, base):
            if kind == request:
                if not self.one_sided:
                    open_requests[i] = None
            elif kind in answers:
                asked = refs[i - base] - 1
                if asked >= 0 and (not own[asked] or self._is_unreadable(own[asked] - 1)):
                    own[asked] = i + 1
                if open_requests.pop(asked, asked) is not None:
                    self.strays.append(i)
            elif kind == notification and refs[i - base]:
                asked = refs[i - base] - 1
                self.cancelled.setdefault(asked, i)
                if open_requests.pop(asked, asked) is None:
                    self.closing_cancels.append(i)
        self.pollution += batch.kinds.count(Kind.POLLUTION)
        self.errors += batch.kinds.count(Kind.ERROR)
        self.tool_errors += batch.kinds.count(Kind.TOOL_ERROR)
        self.batches += batch.kinds.count(Kind.BATCH)
        for i, asked in zip(batch.lost[::2], batch.lost[1::2], strict=True):
            if not own[asked]:
                own[asked] = i + 1
            if open_requests.pop(asked, asked) is None:
                self.closing_lines.append(i)
            if own[i] != asked + 1:
                self.several.setdefault(i, [own[i] - 1]).append(asked)
        hidden = self.lines.take(batch)
        self.folds.take(base, base + len(batch))
        for i in hidden:
            self.folds.join(i)
        self.tools.extend(batch.tools)

    def _is_unreadable(self, i: int) -> bool:
        return self.kinds[i] not in OUTCOMES

    # -- rows --

    def rows_to(self, end: int) -> int:
        """How many of the first `end` records have a row."""
        return self.rowmap.rows_before(end)

    def at_row(self, row: int) -> int:
        """The index of the record in this row."""
        return self.rowmap.nth(row)

    def flagged_rows(self, levels: dict[int, int]) -> dict[int, int]:
        """The level of the worst finding of each row, by those of the records, which now have rows."""
        self.folds.keep(levels)
        rows: dict[int, int] = {}
        for i, level in levels.items():
            row = self.lines.row_of(i)
            rows[row] = max(rows.get(row, 0), level)
        return rows

    def totals(self, now: int | None = None) -> Totals:
        """What there was of each sort when the record at index `now` had come (default: of all)."""
        if now is None or now >= self.described - 1:
            return Totals(self.pollution, self.errors, self.tool_errors, len(self.open_requests))
        sorts = (Kind.POLLUTION, Kind.ERROR, Kind.TOOL_ERROR)
        pollution, errors, tool_errors = (self.kinds.count(kind, 0, now + 1) for kind in sorts)
        return Totals(pollution, errors, tool_errors, self.pending_at(now))

    # -- one record --

    def read(self, i: int, limit: int | None = None) -> bytes:
        """The bytes of a record, with its newline; at most `limit` of them. Raises OSError."""
        start = self.offsets[i]
        length = self.offsets[i + 1] - start
        return read_at(self.fd, length if limit is None else min(limit, length), start)

    def read_span(self, start: int, end: int) -> bytes:
        """The bytes of the records from index `start` up to `end`. Raises OSError."""
        return read_at(self.fd, self.offsets[end] - self.offsets[start], self.offsets[start])

    def length(self, i: int) -> int:
        """Bytes of the record in the file."""
        return self.offsets[i + 1] - self.offsets[i]

    def at_time(self, t_us: int) -> int:
        """The index of the last record at or before this time; 0 if there is none."""
        return max(0, bisect_right(self.times, t_us, 0, self.described) - 1)

    def pending_at(self, now: int) -> int:
        """How many requests had no answer yet when the record at this index had come."""
        if self.one_sided:
            return 0
        end = min(now + 1, self.described)
        kinds = self.kinds
        answers = sum(kinds.count(kind, 0, end) for kind in ANSWERS)
        closed = answers - bisect_right(self.strays, now)
        closed += bisect_right(self.closing_cancels, now) + bisect_right(self.closing_lines, now)
        return kinds.count(Kind.REQUEST, 0, end) - closed

    def partner(self, i: int) -> int | None:
        """The index of the answer to a request, of the request to an answer; None if there is none."""
        if i >= self.described or not self.refs[i] or self.kinds[i] == Kind.PART:
            return None
        return self.refs[i] - 1

    def unreadably_answered(self, i: int) -> list[int]:
        """Indices of the requests that a line answers although it is no response; empty for all others."""
        if i in self.several:
            return self.several[i]
        other = self.partner(i)
        is_message = i < self.described and self.kinds[i] in _PAIRED
        return [] if other is None or is_message else [other]

    def latency(self, i: int, now: int | None = None) -> int | None:
        """Microseconds between request and answer, for either; None without the other half.

        `now` is the index of the last record that counts as seen.
        """
        other = self.partner(i)
        if other is None or self.kinds[i] == Kind.NOTIFICATION or not self.fineness_us:
            return None
        if now is not None and max(i, other) > now:
            return None
        return abs(self.times[i] - self.times[other])

    def took(self, us: int, short: bool = False) -> str:
        """A duration in words, no finer than the times are; nothing without times."""
        return duration(us, short, self.fineness_us) if self.fineness_us else ""

    def state(self, i: int, now: int | None = None) -> State:
        """What became of it, as of the record at index `now` (default: of the last one)."""
        if i >= self.described:
            return State.NONE
        kind = self.kinds[i]
        if kind == Kind.REQUEST:
            return self._request_state(i, now)
        if kind in ANSWERS:
            return self._answer_state(i, kind)
        return State.NONE

    def _request_state(self, i: int, now: int | None) -> State:
        answer = self.refs[i] - 1
        last = self.described - 1 if now is None else now
        cancelled = self.cancelled.get(i)
        if cancelled is not None and cancelled <= last and not 0 <= answer < cancelled:
            return State.CANCELLED
        if 0 <= answer <= last:
            return OUTCOMES.get(Kind(self.kinds[answer]), State.UNREADABLE)
        if self.one_sided:
            return State.NONE
        if last >= self.described - 1 and self.ended_us is not None and not self.is_cut:
            return State.UNANSWERED
        return State.PENDING

    def _answer_state(self, i: int, kind: int) -> State:
        asked = self.refs[i] - 1
        if asked < 0:
            return OUTCOMES.get(Kind(kind), State.UNREADABLE) if self.one_sided else State.UNASKED
        if kind == Kind.UNREADABLE:
            return State.UNREADABLE
        if self.refs[asked] != i + 1:
            return State.REPEATED
        cancelled = self.cancelled.get(asked)
        if cancelled is not None and cancelled < i:
            return State.LATE
        return OUTCOMES[Kind(kind)]

    def name(self, number: int) -> str:
        """The name with this number."""
        return self.names[number]
