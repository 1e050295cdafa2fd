"""A finding in full, as the message tab shows it."""

from __future__ import annotations

from mcptap.diagnosis.engine.finding import Finding
from mcptap.tui.session.findings_pane import GLYPHS, ROLES
from mcptap.tui.widgets.document import Line, paragraph


def finding_lines(finding: Finding, columns: int, *, of_record: bool = False) -> list[Line]:
    """A finding in full: what is wrong, what to do, what it leads to."""
    role = ROLES[finding.level]
    head = [(f"{GLYPHS[finding.level]} ", role), (finding.rule, "title"), (f"  {finding.level.word}", role)]
    if finding.count > 1:
        head.append((f"  ×{finding.count:,}", "dim"))
    lines = [Line([*head, (" ", "rule")] if not of_record else head)]
    lines += paragraph(finding.message, columns, "bright", "  ")
    if finding.remedy:
        lines += paragraph(f"→ {finding.remedy}", columns, "server", "  ")
    if finding.consequence:
        lines += paragraph(finding.consequence, columns, "plain", "  ")
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
