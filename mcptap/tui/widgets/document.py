"""Lines of marked text, as the detail pane shows them: pieces with a role instead of a colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import log
from typing import Any

from mcptap.text.columns import text_width
from mcptap.text.paragraphs import fold
from mcptap.tui.widgets.text import visible

Piece = tuple[str, str]
"""Text and its role: `plain`, `dim`, `faint`, `bright`, `title`, `key`, `string`, `literal`, `rule`,
`client`, `server`, `stderr`, `problem`, `pollution`."""


@dataclass(slots=True)
class Line:
    """One line; `act` is what Enter does on it, `record` the record (index) that it points at.

    `query` is a filter, the calls that it lets through are what Enter shows.
    """

    pieces: list[Piece] = field(default_factory=list)
    act: Callable[[], None] | None = None
    record: int | None = None
    value: tuple[Any, tuple[int, ...]] | None = None
    """The tree that it is of, and the path of the value in it."""
    query: str = ""


def text_line(text: str, role: str = "plain") -> Line:
    """A line of one piece."""
    return Line([(text, role)])


def rule(title: str, role: str = "title", note: str = "") -> Line:
    """A heading with a line behind it (drawn to the width by `role` `rule`)."""
    pieces: list[Piece] = [(title, role)]
    if note:
        pieces.append((f"  {note}", "dim"))
    pieces.append((" ", "rule"))
    return Line(pieces)


def paragraph(text: str, columns: int, role: str = "plain", indent: str = "") -> list[Line]:
    """Text wrapped to the columns; its newlines stay."""
    lines = []
    for part in text.split("\n"):
        lines += [
            text_line(indent + piece, role) for piece in fold(visible(part), columns - text_width(indent))
        ]
    return lines


def pairs(rows: list[tuple[str, str]], columns: int, role: str = "plain") -> list[Line]:
    """Names and values in two columns; long values are wrapped."""
    if not rows:
        return []
    left = min(max(text_width(name) for name, _ in rows), 22) + 2
    lines = []
    for name, value in rows:
        for k, piece in enumerate(fold(visible(value), columns - left)):
            head = name if k == 0 else ""
            lines.append(Line([(head + " " * max(1, left - text_width(head)), "dim"), (piece, role)]))
    return lines


def bar(share: float, columns: int) -> str:
    """A bar of eighths of a column, for a share from 0 to 1."""
    eighths = round(max(0.0, min(1.0, share)) * columns * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (" ▏▎▍▌▋▊▉"[rest] if rest else "")


DWARFED = 10
"""Where the largest value is so many times the median, bars of most values would be nothing."""


def shares(values: Sequence[float]) -> tuple[list[float], bool]:
    """How long the bar of each value is, from 0 to 1, and whether by its logarithm: where one dwarfs most."""
    present = sorted(value for value in values if value > 0)
    if not present:
        return [0.0] * len(values), False
    least, top = present[0], present[-1]
    if top < DWARFED * present[(len(present) - 1) // 2]:
        return [max(0.0, value / top) for value in values], False
    # The least has a bar, too: a tenth of the longest.
    low = log(least) - log(top / least) / 9
    return [(log(value) - low) / (log(top) - low) if value > 0 else 0.0 for value in values], True
