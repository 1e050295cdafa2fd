"""The findings pane: a heading, and one line each, worst first as the diagnosis orders them."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.text.columns import fit, fit_right, text_width
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

    def compose(self) -> ComposeResult:
        """The title above the list."""
        yield self.title
        with Horizontal():
            yield self.list
            yield self.scrollbar

    def set_out(self, wanted: bool, lines: int) -> None:
        """Show the pane if it is wanted and not empty; `lines` is the height of the screen."""
        found = self.list.findings
        self.display = bool(found) and wanted
        room = 3 if lines < 30 else 5 if lines < 45 else 9
        self.styles.height = 1 + min(len(found), room)
        self.title.show(findings_title(self.title.paint, found))


class FindingsList(LineList):
    """The findings; Enter goes to the record that shows one."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(FINDINGS, LIST)

    def __init__(self, **options: Any) -> None:
        self.findings: list[Finding] = []
        super().__init__(**options)

    def show(self, findings: list[Finding]) -> None:
        """Show these findings."""
        self.findings = findings
        self.forget()
        self.changed()

    @property
    def chosen(self) -> Finding | None:
        """The finding under the cursor."""
        return self.findings[self.cursor] if self.cursor < len(self.findings) else None

    def count(self) -> int:
        """How many there are."""
        return len(self.findings)

    def draw(self, y: int, width_: int) -> Cells:
        """Level, rule, record and what is wrong."""
        finding, paint = self.findings[y], self.paint
        style = paint.styles[ROLES[finding.level]]
        where = f"{finding.line:,}" if finding.line else "session"
        times = f" ×{finding.count:,}" if finding.count > 1 else ""
        number = min(max(len(where), 7), 9)
        name = 26 if width_ >= 100 else 0
        cells: Cells = [(GLYPHS[finding.level] + " ", style)]
        if name:
            cells.append((fit(finding.rule, name - 1) + " ", paint.bright))
        cells.append((fit_right(where, number) + " ", paint.dim))
        room = width_ - 2 - name - number - 1 - text_width(times)
        cells.append((fit(visible(finding.message), room), paint.plain))
        cells.append((times, style))
        return cells
