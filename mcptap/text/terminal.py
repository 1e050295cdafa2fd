"""Text that is fit for a terminal: signs that could drive it made visible, cut by columns, coloured.

Recorded text comes from strangers. Nothing of it reaches a terminal before `visible`.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Mapping
from typing import TextIO

from rich.cells import cell_len

PIPE_WIDTH = 0
"""The width of an output that is no terminal: nothing is cut."""

_UNSEEN = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # control characters
    # invisible ones, and those that turn the direction of text round
    "\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff"  # no characters at all
    "\U000e0000-\U000e007f"  # tags, in which text can be hidden
    "]"
)
_DELETE = 0x7F
_PICTURES = 0x2400
"""Unicode has a picture for each control character of ASCII: ␀ ␉ ␍ ␛ …"""


def visible(text: str) -> str:
    """The text with every control and every unseen character as a sign that can be seen.

    ASCII's controls become their pictures (`␛[31m`), all others `<U+202E>`.
    """
    return _UNSEEN.sub(_picture, text)


def decoded(data: bytes) -> str:
    r"""Bytes as text, those that are no UTF-8 as `\xff`, made visible."""
    return visible(data.decode(errors="backslashreplace"))


def _picture(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(_PICTURES + code)
    return "␡" if code == _DELETE else f"<U+{code:04X}>"


def cut(text: str, width: int) -> str:
    """The text in at most so many columns, with `…` at the end if it was longer.

    Wide characters take two columns. The text must be visible already.
    """
    # A column takes at least a character; what is far beyond need not be measured.
    piece = text[: max(width, 0) * 4 + 64]
    if len(piece) == len(text) and cell_len(piece) <= width:
        return text
    if width <= 0:
        return ""
    return beginning(piece, width - 1) + "…"


def beginning(text: str, width: int) -> str:
    """As much of a visible text as goes into so many columns."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if cell_len(text[:middle]) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def padded(text: str, width: int) -> str:
    """The text cut or filled up with spaces to exactly so many columns."""
    text = cut(text, width)
    return text + " " * (width - cell_len(text))


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
