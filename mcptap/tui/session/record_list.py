"""What all lists of records have in common: the record under the cursor."""

from __future__ import annotations

from mcptap.tui.widgets.line_list import LineList


class RecordList(LineList):
    """A list whose rows are records of an index, or stand for some."""

    now: int | None = None
    """The index of the last record that counts as seen, while the session is played."""

    def record_at(self, y: int) -> int:
        """The index of the record in this row."""
        return y

    @property
    def run(self) -> range | None:
        """The run of stderr that the row under the cursor stands for, if it stands for one."""
        return None

    @property
    def record(self) -> int | None:
        """The index of the record under the cursor."""
        return self.record_at(self.cursor) if self.cursor < self.count() else None
