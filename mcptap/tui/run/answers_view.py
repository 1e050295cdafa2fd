"""Two answers in two columns; what differs has a mark and a colour."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, ClassVar

from textual.binding import BindingType

from mcptap.jsontext.diff import ADDED, CHANGED, REMOVED
from mcptap.text.columns import cut, fit
from mcptap.tui.widgets.keys import LIST, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.sidebyside import Row, wrapped

MARKS = {CHANGED: "≠", ADDED: "+", REMOVED: "-", "": "│"}


class AnswersList(LineList):
    """Rows of `sidebyside` under two headings; a row may take several lines."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(LIST)

    def __init__(self, **options: Any) -> None:
        self.rows: list[Row] = []
        self.old = self.new = ""
        self.lines: list[Row] = []
        self._first_line: list[int] = []
        """For each row, its first line."""
        super().__init__(**options)

    def show(self, rows: list[Row]) -> None:
        """Show these rows."""
        self.rows = rows
        self._set_out()

    @property
    def lacks_old(self) -> bool:
        """Whether there is no old answer."""
        return all(row.left is None for row in self.rows)

    def on_resize(self) -> None:
        """Wrap for the new width."""
        row = self.row
        self._set_out()
        self.go_to_row(row)
        super().on_resize()

    def _set_out(self) -> None:
        room = self._room(self.size.width - 1)
        self.lines = []
        self._first_line = []
        for row in self.rows:
            self._first_line.append(len(self.lines))
            self.lines += wrapped(row, max(10, room))
        self.forget()
        self.changed()

    @staticmethod
    def _room(columns: int) -> int:
        return (columns - 3) // 2

    @property
    def row(self) -> int:
        """The row that the cursor is on."""
        return max(0, bisect_right(self._first_line, self.cursor - 1) - 1)

    def go_to_row(self, row: int) -> None:
        """Put the cursor on a row."""
        if row < len(self._first_line):
            self.go(self._first_line[row] + 1, centre=True)

    def count(self) -> int:
        """The headings, and all lines."""
        return len(self.lines) + 1

    def draw(self, y: int, width: int) -> Cells:
        """Draw a line of both."""
        room = self._room(width)
        paint = self.paint
        rest = width - 2 * room - 3
        if y == 0:
            heads = [fit(text, room) for text in (self.old, self.new)]
            return [(heads[0], paint.title), ("   ", paint.plain), (heads[1] + " " * rest, paint.title)]
        row = self.lines[y - 1]
        left, right = (fit(cut(side or "", room), room) for side in (row.left, row.right))
        plain = paint.plain if not row.kind else paint.bright
        old = paint.problem if row.kind else plain
        new = paint.server if row.kind else plain
        mark = paint.problem if row.kind else paint.rule
        return [(left, old), (f" {MARKS[row.kind]} ", mark), (right + " " * rest, new)]
