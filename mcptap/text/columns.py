"""Visible text measured, cut and filled up by the columns that it takes: wide characters take two."""

from __future__ import annotations

from rich.cells import cell_len

ELLIPSIS = "…"


def text_width(text: str) -> int:
    """Columns that a visible text takes."""
    return len(text) if text.isascii() else cell_len(text)


def beginning(text: str, columns: int) -> str:
    """As much of a visible text as goes into so many columns."""
    if text.isascii():
        return text[: max(columns, 0)]
    low, high = 0, min(len(text), max(columns, 0) * 4 + 64)  # more characters have no room anyway
    while low < high:
        middle = (low + high + 1) // 2
        if cell_len(text[:middle]) <= columns:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def cut(text: str, columns: int) -> str:
    """A visible text in at most so many columns, with `…` at the end if it was longer."""
    # A column takes at least a character; what is far beyond need not be measured.
    piece = text[: max(columns, 0) * 4 + 64]
    if len(piece) == len(text) and text_width(piece) <= columns:
        return text
    return beginning(piece, columns - 1) + ELLIPSIS if columns > 0 else ""


def fit(text: str, columns: int) -> str:
    """A visible text cut with `…` or filled up with spaces to exactly so many columns."""
    if text.isascii() and len(text) <= columns:
        return text.ljust(columns)
    text = cut(text, columns)
    return text + " " * (columns - cell_len(text))


def fit_right(text: str, columns: int) -> str:
    """Like `fit`, but set to the right."""
    text = cut(text, columns)
    return " " * (columns - text_width(text)) + text
