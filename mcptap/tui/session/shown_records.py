"""Which record stands in which row: all, as of a moment, or those that a filter lets through."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import Any

from mcptap.text.units import counted
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import Kind
from mcptap.tui.session.record_list import RecordList


class ShownRecords(RecordList):
    """The records of an index, all or those that a filter let through.

    A row stands for its record, for the line of which this is a part, or for a run of stderr; with a
    filter each line of stderr has its own.
    """

    def __init__(self, index: RecordIndex, **options: Any) -> None:
        self.index = index
        self.picked: array[int] | None = None
        """Indices of the records that the filter lets through; None without a filter."""
        self._moment: list[int] = []
        self._moment_of: tuple[int | None, int] = (None, 0)
        """For which moment, and which state of the rows, these were found."""
        super().__init__(**options)

    def count(self) -> int:
        """Rows that can be gone to."""
        if self.picked is None:
            if self.now is not None:
                return self._rows_to_now() + len(self._at_moment())
            return self.index.rows_to(len(self.index))
        if self.now is None:
            return len(self.picked)
        return bisect_right(self.picked, self.now)

    def record_at(self, y: int) -> int:
        """The index of the record in this row."""
        if self.picked is not None:
            return self.picked[y]
        if self.now is not None and y >= self._rows_to_now():
            behind = self._at_moment()[y - self._rows_to_now() :]
            return behind[0] if behind else self.now
        return self.index.at_row(y)

    def shown(self, most: int) -> tuple[str, list[int]]:
        """What the filter lets through; without one, all records."""
        if self.picked is None:
            return super().shown(most)
        records = list(self.picked[:most])
        return f"what the filter shows ({counted(len(records), 'record')})", records

    def row_of(self, i: int) -> int | None:
        """The row of the record at this index; the next one below if the filter hides it."""
        if not self.count():
            return None
        lines = self.index.lines
        if self.picked is None:
            if self.now is not None:
                first = lines.first_part(i)
                run = self.index.folds.run_of(i)
                for k, last in enumerate(self._at_moment()):
                    is_same_line = first is not None and lines.first_part(last) == first
                    if is_same_line or (run is not None and self.index.folds.run_of(last) == run):
                        return self._rows_to_now() + k
            return min(self.index.rows_to(lines.row_of(i)), self.count() - 1)
        return min(bisect_left(self.picked, lines.row_of(i)), self.count() - 1)

    def _rows_to_now(self) -> int:
        assert self.now is not None
        return self.index.rows_to(min(len(self.index), self.now + 1))

    def _at_moment(self) -> list[int]:
        """Records that stand, behind all rows, for what had not ended at the moment shown and has since."""
        index, now = self.index, self.now
        key = (now, index.rowmap.version)
        if key != self._moment_of:
            self._moment_of = key
            self._moment = [] if now is None else index.lines.under_way(now)
            run = None if now is None else index.folds.begun_by(now)
            if run is not None:
                self._moment = sorted([*self._moment, run])
        return self._moment

    def run_at(self, y: int) -> range | None:
        """The run of stderr that this row stands for; None if it stands for one record."""
        if self.picked is not None or y >= self.count():
            return None
        is_begun = self.now is not None and y >= self._rows_to_now()
        return self.index.folds.shown_by(self.record_at(y), is_begun=is_begun)

    @property
    def run(self) -> range | None:
        """The run under the cursor."""
        return self.run_at(self.cursor)

    @property
    def is_on_run(self) -> bool:
        """Whether the cursor is on a run of stderr, folded or not."""
        i = self.record if self.picked is None else None
        return i is not None and self.index.folds.run_of(i) is not None

    @property
    def is_on_part(self) -> bool:
        """Whether the cursor is on a line that is under way, or never ended."""
        i = self.record
        return i is not None and i < self.index.described and self.index.kinds[i] == Kind.PART

    def rows_changed(self, i: int) -> None:
        """Records lost their rows or got some: keep the cursor on this record, where it was in the view."""
        row = self.row_of(i)
        if row is not None:
            self._set_top(self.top + row - self.cursor)
            self.cursor = row
        self.forget()

    def is_below(self, i: int) -> bool:
        """Whether the record is below the view and the cursor, so that a change there is not seen."""
        bottom = max(self.top + max(1, self.size.height), self.cursor)
        return self.picked is None and bottom < self.count() and self.record_at(bottom) < i
