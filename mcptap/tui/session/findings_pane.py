"""The findings pane: a heading, and some lines each, worst first as the diagnosis orders them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.text.columns import fit, fit_right, text_width
from mcptap.text.paragraphs import fold
from mcptap.tui.session.bar_rows import findings_title
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.keys import FINDINGS, LIST, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.text import visible

ROLES = {Level.ERROR: "problem", Level.WARNING: "stderr", Level.INFO: "dim"}
GLYPHS = {Level.ERROR: "✗", Level.WARNING: "▲", Level.INFO: "·"}


class FindingsPane(Container):
    """Title, list and scrollbar."""

    DEFAULT_CSS = """
    FindingsPane { height: 4; display: none; }
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.title = Bar()
        self.list = FindingsList(id="findings")
        self.scrollbar = Scrollbar(self.list)
        self._last = (False, 0)
        self.when = ""
        """When the findings were known, if not at the moment that is shown."""
        self.list.laid_out = self._laid_out

    def _laid_out(self) -> None:
        self.call_after_refresh(lambda: self.set_out(*self._last))

    def compose(self) -> ComposeResult:
        """The title above the list."""
        yield self.title
        with Horizontal():
            yield self.list
            yield self.scrollbar

    def set_out(self, wanted: bool, lines: int) -> None:
        """Show the pane if it is wanted and not empty; `lines` is the height of the screen."""
        self._last = (wanted, lines)
        found = self.list.findings
        self.display = bool(found) and wanted
        room = 4 if lines < 30 else 8 if lines < 45 else max(12, lines // 3)
        needed = self.list.set_out(room)
        height = 1 + min(needed, room)
        if self.styles.height is None or self.styles.height.value != height:
            self.styles.height = height
        self.title.show(findings_title(self.title.paint, found, self.when))


MOST_LINES = 6
"""A finding takes no more lines than this."""

USUAL_WIDTH = 100
"""Columns that are assumed until the list has its place."""


class FindingsList(LineList):
    """The findings; Enter goes to the record that shows one."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(FINDINGS, LIST)

    def __init__(self, **options: Any) -> None:
        self.findings: list[Finding] = []
        self._rows: list[tuple[int, int]] = []
        """Of each line the finding (its place in the list), and which line of its text it is."""
        self._room = 4
        self._set_for = 0
        self.laid_out: Callable[[], None] = lambda: None
        """Called when the findings were set out for another width, and may take more or fewer lines."""
        super().__init__(**options)

    def show(self, findings: list[Finding]) -> None:
        """Show these findings; the cursor stays on its finding, by number."""
        chosen = self._rows[self.cursor][0] if self.cursor < len(self._rows) else 0
        self.findings = findings
        self._lay_out()
        self.cursor = next((y for y, row in enumerate(self._rows) if row == (chosen, 0)), 0)
        self.forget()
        self.changed()

    def set_out(self, room: int) -> int:
        """Give each finding as many lines as it needs, if all go into so many lines; how many all take.

        Where they do not, each takes two at most.
        """
        if room != self._room:
            self._room = room
            self.show(self.findings)
        return len(self._rows)

    def _lay_out(self) -> None:
        self._set_for = self.size.width
        width = max(20, (self.size.width or USUAL_WIDTH) - 1)
        needed = [len(self._text(finding, width)) for finding in self.findings]
        most = next((k for k in range(MOST_LINES, 1, -1) if sum(min(n, k) for n in needed) <= self._room), 2)
        self._rows = [(i, k) for i, n in enumerate(needed) for k in range(min(n, most))]

    def _text(self, finding: Finding, width_: int) -> list[str]:
        return fold(visible(finding.message), max(10, width_ - self._left(width_) - 6)) or [""]

    @staticmethod
    def _left(width_: int) -> int:
        """Columns before the text: sign, rule and record."""
        return (30 if width_ >= 100 else 2) + 10

    @property
    def chosen(self) -> Finding | None:
        """The finding under the cursor."""
        return self.findings[self._rows[self.cursor][0]] if self.cursor < len(self._rows) else None

    def count(self) -> int:
        """How many lines they take."""
        return len(self._rows)

    def hits(self) -> list[int]:
        """The first lines of the findings whose rule or text has what is searched for."""
        found = {i for i, f in enumerate(self.findings) if self.needle in f"{f.rule} {f.message}".lower()}
        return [y for y, (i, k) in enumerate(self._rows) if not k and i in found] if self.needle else []

    # -- the cursor is on a finding, not on a line of it --

    def is_under_cursor(self, y: int) -> bool:
        """Whether the line is of the finding under the cursor."""
        return self.cursor < len(self._rows) and self._rows[y][0] == self._rows[self.cursor][0]

    def go(self, y: int, *, centre: bool = False) -> None:
        """Put the cursor on the finding of a line, and have all of it in sight."""
        if not self._rows:
            return
        y = max(0, min(y, len(self._rows) - 1))
        first = y - self._rows[y][1]
        last = first + sum(row[0] == self._rows[first][0] for row in self._rows) - 1
        if last >= self.top + max(1, self.size.height):
            self._set_top(last - max(1, self.size.height) + 1)
        super().go(first, centre=centre)
        self.refresh()

    def at_end(self) -> bool:
        """Whether the cursor is on the last finding."""
        return not self._rows or self.is_under_cursor(len(self._rows) - 1)

    def action_move(self, lines: int) -> None:
        """Move the cursor by findings."""
        if self._rows:
            wanted = max(0, min(self._rows[self.cursor][0] + lines, len(self.findings) - 1))
            self.go(self._rows.index((wanted, 0)))

    def on_resize(self) -> None:
        """What is shown was set out for another width."""
        if self.size.width != self._set_for:
            self.show(self.findings)
            self.laid_out()
        super().on_resize()

    def draw(self, y: int, width_: int) -> Cells:
        """Level, rule, record and what is wrong; of further lines the text alone."""
        place, k = self._rows[y]
        finding, paint = self.findings[place], self.paint
        texts = self._text(finding, width_)
        is_last = y + 1 >= len(self._rows) or self._rows[y + 1][0] != place
        text = texts[k] if k < len(texts) else ""
        if is_last and k + 1 < len(texts):
            text += " …"
        if k:
            left = self._left(width_)
            return [(" " * left, paint.dim), (fit(text, width_ - left), paint.plain)]
        style = paint.styles[ROLES[finding.level]]
        where = f"{finding.line:,}" if finding.line else "session"
        times = f" ×{finding.count:,}" if finding.count > 1 else ""
        cells: Cells = [(GLYPHS[finding.level] + " ", style)]
        if width_ >= 100:
            cells.append((fit(finding.rule, 27) + " ", paint.bright))
        cells.append((fit_right(where, 9) + " ", paint.dim))
        room = width_ - self._left(width_) - text_width(times)
        cells.append((fit(text, room), paint.plain))
        cells.append((times, style))
        return cells
