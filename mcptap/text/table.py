"""Tables for a terminal: columns that shrink or go where there is little room; whole in a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mcptap.text.columns import fit, text_width
from mcptap.text.terminal import Terminal

GAP = "  "


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `least` is how narrow it may become (0: it keeps its width)."""

    title: str
    right: bool = False
    least: int = 0
    spare: int = 0
    """Columns with a higher number go first when there is no room; 0 never goes."""


@dataclass(frozen=True, slots=True)
class Row:
    """Cells, already made visible, and a style for each."""

    cells: Sequence[str]
    styles: Sequence[str]


def layout(columns: Sequence[Column], rows: Sequence[Row], width: int) -> dict[int, int]:
    """The columns that are shown, by index, with their widths. A width of 0 is endless."""
    widths = {
        i: max([text_width(column.title), *(text_width(row.cells[i]) for row in rows)])
        for i, column in enumerate(columns)
    }
    while width and (missing := sum(widths.values()) + len(GAP) * (len(widths) - 1) - width) > 0:
        # The widest of those that can give way does so, one cell at a time.
        yielding = [i for i in widths if 0 < columns[i].least < widths[i]]
        if sum(widths[i] - columns[i].least for i in yielding) >= missing:
            widths[max(yielding, key=lambda i: widths[i])] -= 1
            continue
        spare = max(widths, key=lambda i: columns[i].spare)
        if not columns[spare].spare:
            break
        del widths[spare]
    return widths


def table(columns: Sequence[Column], rows: Sequence[Row], terminal: Terminal) -> list[str]:
    """The lines of a table, its titles first."""
    widths = layout(columns, rows, terminal.width)
    titles = Row([column.title for column in columns], ["dim"] * len(columns))
    return [_line(columns, row, widths, terminal) for row in (titles, *rows)]


def _line(columns: Sequence[Column], row: Row, widths: dict[int, int], terminal: Terminal) -> str:
    pieces = []
    last = max(widths)
    for i, width in widths.items():
        text = fit(row.cells[i], width)
        if columns[i].right:
            content = text.rstrip(" ")
            text = text[len(content) :] + content
        elif i == last:
            text = text.rstrip(" ")
        pieces.append(terminal.paint(text, row.styles[i]))
    return GAP.join(pieces).rstrip(" ")
