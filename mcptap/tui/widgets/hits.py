"""Where a searched text stands in a line, marked."""

from __future__ import annotations

from rich.style import Style

Cells = list[tuple[str, Style]]


def marked(cells: Cells, needle: str, hit: Style, skip: int = 0) -> Cells:
    """The cells with each place of the text (in lower case) in the style of hits.

    It may begin in one cell and end in another; the first `skip` cells are left as they are.
    """
    lead, rest = cells[:skip], cells[skip:]
    text = "".join(piece for piece, _ in rest)
    lower = text.lower()
    at = lower.find(needle)
    if not needle or at < 0 or len(lower) != len(text):
        return cells
    borders = []
    while at >= 0:
        borders.append((at, at + len(needle)))
        at = lower.find(needle, at + len(needle))
    made: Cells = list(lead)
    start = 0
    for piece, style in rest:
        end = start + len(piece)
        done = start
        for first, last in borders:
            if last <= start or first >= end:
                continue
            first, last = max(first, start), min(last, end)
            if first > done:
                made.append((text[done:first], style))
            made.append((text[first:last], hit))
            done = last
        if end > done:
            made.append((text[done:end], style))
        start = end
    return made
