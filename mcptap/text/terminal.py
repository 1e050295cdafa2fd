"""What an output can do, and what it is given: its width, and colour or none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from typing import TextIO

from mcptap.text.columns import cut

PIPE_WIDTH = 0
"""The width of an output that is no terminal: nothing is cut."""


class Terminal:
    """What is known of an output: its width in columns (0 if it is no terminal) and colour.

    Colour needs a terminal that can do it, and no `NO_COLOR` (https://no-color.org).
    """

    def __init__(self, output: TextIO, environ: Mapping[str, str] | None = None) -> None:
        environ = os.environ if environ is None else environ
        is_terminal = output.isatty()
        self.width = shutil.get_terminal_size().columns if is_terminal else PIPE_WIDTH
        self.has_colour = is_terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"

    def paint(self, text: str, style: str) -> str:
        """The text in a style of `STYLES`, or as it is where there is no colour."""
        codes = STYLES[style] if self.has_colour and text else ""
        return f"\x1b[{codes}m{text}\x1b[0m" if codes else text

    def fit(self, text: str, used: int = 0) -> str:
        """The text cut to what is left of a line behind so many columns; whole in a pipe."""
        return cut(text, self.width - used) if self.width else text


STYLES = {
    "plain": "",
    "dim": "2",
    "bold": "1",
    "client": "36",
    "server": "32",
    "stderr": "33",
    "event": "35",
    "warning": "1;33",
    "error": "1;31",
}
"""Styles by what they are for. All are of the 16 colours that a terminal's theme defines."""
