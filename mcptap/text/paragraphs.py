"""Paragraphs on a terminal or in a pipe."""

from __future__ import annotations

from rich.cells import cell_len

from mcptap.text.terminal import beginning

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


def hanging(text: str, width: int, hang: int) -> list[str]:
    """A visible text as lines of at most so many columns, all but the first behind `hang` columns.

    Where that would leave too little room, they stand a little deeper than the first one.
    With width 0 (a pipe), and where it fits, the text is one line.
    """
    if not width or cell_len(text) <= width:
        return [text]
    if width - hang < MIN_WIDTH:
        hang = len(text) - len(text.lstrip(" ")) + 2
    head = text[:hang]
    indent = " " * cell_len(head)
    first, *others = wrapped(text[hang:], width, indent)
    return [head + first[len(indent) :], *others]
