"""How reports for a terminal look: the style of each level, and facts behind their labels."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.diagnosis.engine.finding import Level
from mcptap.text.paragraphs import wrapped
from mcptap.text.terminal import Terminal

LEVEL_STYLES = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFO: "dim"}


def labelled(label: str, text: str, terminal: Terminal) -> Iterator[str]:
    """The lines of a visible text, broken to the terminal, all of them behind the columns of the label."""
    first, *others = wrapped(text, terminal.width and max(1, terminal.width - len(label)))
    yield terminal.paint(label, "dim") + first
    yield from (" " * len(label) + line for line in others)
