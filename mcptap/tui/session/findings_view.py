"""The findings pane: one line each, worst first as the diagnosis orders them."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.style import Style
from textual.binding import BindingType

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.tui.widgets.document import Line, paragraph
from mcptap.tui.widgets.keys import FINDINGS, LIST, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.text import fit, fit_right, visible, width

ROLES = {Level.ERROR: "problem", Level.WARNING: "stderr", Level.INFO: "dim"}
GLYPHS = {Level.ERROR: "✗", Level.WARNING: "▲", Level.INFO: "·"}


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
        style: Style = getattr(paint, ROLES[finding.level])
        where = f"{finding.line:,}" if finding.line else "session"
        times = f" ×{finding.count:,}" if finding.count > 1 else ""
        number = min(max(len(where), 7), 9)
        name = 26 if width_ >= 100 else 0
        cells: Cells = [(GLYPHS[finding.level] + " ", style)]
        if name:
            cells.append((fit(finding.rule, name - 1) + " ", paint.bright))
        cells.append((fit_right(where, number) + " ", paint.dim))
        room = width_ - 2 - name - number - 1 - width(times)
        cells.append((fit(visible(finding.message), room), paint.plain))
        cells.append((times, style))
        return cells


def finding_lines(finding: Finding, columns: int, *, of_record: bool = False) -> list[Line]:
    """A finding in full: what is wrong, what it leads to, what to do."""
    role = ROLES[finding.level]
    head = [(f"{GLYPHS[finding.level]} ", role), (finding.rule, "title"), (f"  {finding.level.word}", role)]
    if finding.count > 1:
        head.append((f"  ×{finding.count:,}", "dim"))
    lines = [Line([*head, (" ", "rule")] if not of_record else head)]
    lines += paragraph(finding.message, columns, "bright", "  ")
    if finding.consequence:
        lines += paragraph(finding.consequence, columns, "plain", "  ")
    if finding.remedy:
        lines += paragraph(f"→ {finding.remedy}", columns, "server", "  ")
    return lines


def finding_page(finding: Finding, columns: int) -> list[Line]:
    """The page of a finding: in full, with the records that show it, which Enter follows."""
    lines = finding_lines(finding, columns)
    numbers = finding.records or ([finding.line] if finding.line else [])
    if numbers:
        lines.append(Line())
        shown = len(numbers)
        more = f" (the first {shown} of {finding.count:,})" if finding.count > shown else ""
        lines.append(Line([("Records", "title"), (more, "dim")]))
        lines += [
            Line([(f"  {n:,}", "bright"), ("   enter goes there", "faint")], record=n - 1) for n in numbers
        ]
    return lines
