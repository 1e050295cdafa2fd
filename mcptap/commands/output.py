"""What commands print: lines of text, wrapped on a terminal and whole in a pipe, and sentences on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from mcptap.text.escape import visible
from mcptap.text.paragraphs import hanging
from mcptap.text.terminal import Terminal


def tell(sentence: str) -> None:
    """Say a sentence on stderr. What it quotes, such as the name of a file, may be a stranger's."""
    print(f"mcptap: {visible(sentence)}", file=sys.stderr, flush=True)


def print_lines(lines: Iterable[str]) -> None:
    """Print lines that are visible already; what is wrapped goes on a little deeper than it began."""
    width = Terminal(sys.stdout).width
    for line in lines:
        for piece in hanging(line, width, len(line) - len(line.lstrip(" ")) + 2):
            print(piece)
