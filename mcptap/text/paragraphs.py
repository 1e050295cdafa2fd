"""Text broken into lines: prose between its words, data wherever the room ends."""

from __future__ import annotations

from mcptap.text.columns import beginning, text_width

MIN_WIDTH = 30
"""Text is not broken narrower than this; a smaller terminal breaks the lines itself."""


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """A visible text as lines of at most so many columns, each behind the indent.

    With width 0 (a pipe) the text is one line. Only a word longer than a line is broken.
    """
    if not width:
        return [indent + text]
    room = max(MIN_WIDTH, width - text_width(indent))
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if text_width(longer) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = word
        while text_width(line) > room:
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
    if not width or text_width(text) <= width:
        return [text]
    if width - hang < MIN_WIDTH:
        hang = len(text) - len(text.lstrip(" ")) + 2
    head = text[:hang]
    indent = " " * text_width(head)
    first, *others = wrapped(text[hang:], width, indent)
    return [head + first[len(indent) :], *others]


def fold(text: str, width: int) -> list[str]:
    """A visible text in pieces of at most so many columns (at least 4), for JSON and other data.

    Broken at a space in the second half of a line if there is one, which is left out; else anywhere.
    """
    width = max(width, 4)
    lines = []
    while text_width(text) > width:
        head = beginning(text, width) or text[:1]
        space = text.rfind(" ", max(1, len(head) // 2), len(head) + 1)
        if space > 0:
            head, text = text[:space], text[space + 1 :]
        else:
            text = text[len(head) :]
        lines.append(head)
    lines.append(text)
    return lines
