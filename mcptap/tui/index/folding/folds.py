"""Runs of stderr as one row: a program that talks takes no more room than a message.

A run is lines of stderr with nothing between them that has a row. Its last line has the row, so that
a run grows in place; the row says how many lines it stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mcptap.tui.index.folding.rowmap import Place, RowMap
from mcptap.tui.index.kinds import Kind

LEAST = 4
"""Lines that make a run: of fewer, each says more than a row that stands for them would save."""

_LINES = re.compile(rb"\x%02x(?:\x%02x*\x%02x)*" % (Kind.STDERR, Kind.PART, Kind.STDERR))


class Folds:
    """Which lines of stderr are folded. `kinds` are those of all records so far; they grow."""

    def __init__(self, rowmap: RowMap, kinds: bytearray) -> None:
        self._rowmap = rowmap
        self._kinds = kinds
        self._kept: set[int] = set()
        """Lines that keep a row of their own, since a finding points at them."""
        self.told: dict[int, tuple[int, tuple[int, ...]]] = {}
        """First line of a run: up to where its lines were looked through for the telling one, and which were
        the last that speak of a failure. See `run_text`."""
        self.is_on = True
        """Whether runs that come are folded."""

    def take(self, start: int, end: int) -> None:
        """Fold what came with the records from `start` to `end`, whose parts of lines are hidden by now."""
        kinds, rowmap = self._kinds, self._rowmap
        for found in _LINES.finditer(kinds[start:end]):
            first, last = start + found.start(), start + found.end() - 1
            lines = [i for i in range(first, last + 1) if kinds[i] == Kind.STDERR]
            is_run = len(lines) == last + 1 - first - rowmap.count(Place.HIDDEN, first, last)
            if is_run and len(lines) >= LEAST:
                rowmap.put(lines[:-1], self._place(first))
                lines = lines[:1]
            for i in lines:
                self.join(i)

    def join(self, at: int) -> None:
        """Let the row of this record and the rows before it be one run, if they are lines of stderr."""
        head = self._rowmap.own_from(at)
        if not self._is_free_line(head):
            return
        heads: list[int] = []
        lines = 1 if self._member_before(head) is Place.OWN else LEAST
        before = self._rowmap.own_before(self._first(head))
        while before >= 0 and self._is_free_line(before):
            heads.append(before)
            if self._member_before(before) is not Place.OWN:
                lines = LEAST  # a run took in already what is before it
                break
            lines += 1
            before = self._rowmap.own_before(before)
        if heads and lines >= LEAST:
            self._rowmap.put(heads, self._place(heads[-1]))

    def _place(self, first: int) -> Place:
        """The place of further lines of a run: that of those before, else as all are folded or not."""
        before = self._rowmap.own_before(first)
        for head in (first, before) if self._is_free_line(before) else (first,):
            place = self._member_before(head)
            if place is not Place.OWN:
                return place
        return Place.FOLDED if self.is_on else Place.UNFOLDED

    def _member_before(self, head: int) -> Place:
        """The place of the line before this one in its run; OWN if there is none."""
        before = head - 1
        while before >= 0 and self._rowmap[before] is Place.HIDDEN:
            before -= 1
        return self._rowmap[before] if before >= 0 else Place.OWN

    def _is_free_line(self, i: int) -> bool:
        return self._is_line(i) and i not in self._kept

    def _is_line(self, i: int) -> bool:
        return 0 <= i < len(self._kinds) and self._kinds[i] == Kind.STDERR

    def _first(self, head: int) -> int:
        """The first record that stands in no other row than this one does, be it folded or not."""
        return self._rowmap.own_before(head) + 1

    def run_of(self, i: int) -> range | None:
        """From the first to the last line of the run of a record, folded or not; None if it is in none.

        There may be records without a row between them: `lines_of` leaves them out.
        """
        if not self._is_line(i):
            return None
        head = self._rowmap.own_from(i)
        first = self._kinds.find(Kind.STDERR, self._first(head))
        return range(first, head + 1) if first < head else None

    def begun_by(self, now: int) -> int | None:
        """The last line by then of a folded run that had begun, and not ended, at the record at `now`."""
        last = self._kinds.rfind(Kind.STDERR, 0, now + 1)
        is_folded = last >= 0 and self._rowmap[last] is Place.FOLDED
        return last if is_folded and self._rowmap.own_from(last) > now else None

    def shown_by(self, i: int, *, is_begun: bool = False) -> range | None:
        """The run that the row of a record stands for: None if it stands for this record alone.

        Of a run that had only begun by a moment (`is_begun`) that is the row of its last line then.
        """
        if not self._is_line(i) or not (is_begun or self._rowmap.has_row(i)):
            return None
        first = self._kinds.find(Kind.STDERR, self._rowmap.row_before(i) + 1)
        return range(first, i + 1) if first < i else None

    def lines_of(self, run: range) -> list[int]:
        """The lines of a run."""
        return [i for i in run if self._kinds[i] == Kind.STDERR]

    def count(self, run: range) -> int:
        """How many lines a run has."""
        return self._kinds.count(Kind.STDERR, run.start, run.stop)

    def last_lines(self, run: range, most: int) -> list[int]:
        """The last lines of a run, at most so many, in order."""
        found: list[int] = []
        at = run.stop - 1
        while at >= run.start and len(found) < most:
            found.append(at)
            at = self._kinds.rfind(Kind.STDERR, run.start, at)
        return found[::-1]

    def fold(self, i: int, *, folded: bool) -> bool:
        """Fold the run that a record is in, or unfold it; whether it is in one."""
        run = self.run_of(i)
        if run is not None:
            self._rowmap.fold(run.start, run.stop, folded=folded)
        return run is not None

    def fold_all(self, *, folded: bool) -> None:
        """Fold all runs, also those to come, or unfold them."""
        self.is_on = folded
        self._rowmap.fold(0, len(self._kinds), folded=folded)

    def keep(self, records: Iterable[int]) -> None:
        """Let the lines of stderr among these have rows of their own."""
        for i in records:
            if i in self._kept or not self._is_line(i):
                continue
            self._kept.add(i)
            # What is before it in its run then is a run by itself.
            before = self._kinds.rfind(Kind.STDERR, self._first(self._rowmap.own_from(i)), i)
            self._rowmap.put([i] if before < 0 else [before, i], Place.OWN)
