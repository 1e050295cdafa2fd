"""What commands print in lines of text: wrapped on a terminal, whole in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from mcptap.text.paragraphs import hanging
from mcptap.text.terminal import Terminal


def print_lines(lines: Iterable[str]) -> None:
    """Print lines that are visible already; what is wrapped goes on a little deeper than it began."""
    width = Terminal(sys.stdout).width
    for line in lines:
        for piece in hanging(line, width, len(line) - len(line.lstrip(" ")) + 2):
            print(piece)
