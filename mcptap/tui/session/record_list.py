"""What all lists of records have in common: the record under the cursor."""

from __future__ import annotations

from mcptap.text.units import counted
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.widgets.line_list import LineList


class RecordList(LineList):
    """A list whose rows are records of an index, or stand for some."""

    index: RecordIndex
    now: int | None = None
    """The index of the last record that counts as seen, while the session is played."""
    marked: set[int] = set()  # noqa: RUF012 - a list whose records can be marked has its own
    """Indices of the records that the user marked."""

    def record_at(self, y: int) -> int:
        """The index of the record in this row."""
        return y

    def shown(self, most: int) -> tuple[str, list[int]]:
        """The records of all rows, at most so many, in the order of the recording; and what they are."""
        records = list(range(min(len(self.index), most)))
        first = "all" if len(records) == len(self.index) else "the first"
        return f"{first} {counted(len(records), 'record')}", records

    @property
    def run(self) -> range | None:
        """The run of stderr that the row under the cursor stands for, if it stands for one."""
        return None

    @property
    def record(self) -> int | None:
        """The index of the record under the cursor."""
        return self.record_at(self.cursor) if self.cursor < self.count() else None
