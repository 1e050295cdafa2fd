"""Paragraphs and tables on a terminal or in a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from mcptap.report.terminal import beginning, padded

MIN_WIDTH = 30
"""Text is not broken narrower than this; a smaller terminal breaks the lines itself."""


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """A visible text as lines of at most so many columns, each behind the indent.

    With width 0 (a pipe) the text is one line. Only a word longer than a line is broken.
    """
    if not width:
        return [indent + text]
    room = max(MIN_WIDTH, width - cell_len(indent))
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if cell_len(longer) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while cell_len(line) > room:
            piece = beginning(line, room)
            lines.append(piece)
            line = line[len(piece) :]
    lines.append(line)
    return [(indent + line).rstrip(" ") for line in lines]


def table(rows: Sequence[Sequence[str]], width: int, indent: str = "") -> list[str]:
    """Rows of visible cells in columns: the first flush left, the others flush right.

    The first column gives way where the terminal is too narrow for all.
    """
    if not rows:
        return []
    columns = [max(cell_len(row[i]) for row in rows) for i in range(len(rows[0]))]
    rest = sum(columns[1:]) + 2 * len(columns[1:])
    if width:
        columns[0] = max(8, min(columns[0], width - rest - cell_len(indent)))
    lines = []
    for row in rows:
        cells = [padded(row[0], columns[0])]
        cells += [" " * (columns[i] - cell_len(row[i])) + row[i] for i in range(1, len(row))]
        lines.append((indent + "  ".join(cells)).rstrip())
    return lines
