"""Recorded text in Markdown and HTML: shown as it is, without any power there.

It is a stranger's: it may hold markup, mention people (`@name`), refer to issues (`#1`), link, and close
whatever it stands in.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from mcptap.text.escape import visible

_MARKUP = re.compile(r"([\\`*_\[\]|~$^]|^\s*[-=.>]|(?<=\d)\.(?=\s)|-(?=--))", re.MULTILINE)
_POWER = re.compile(r"@(?=\w)|#(?=\d)|\bGH-(?=\d)|:(?=//)|\bwww(?=\.)|:(?=[a-z0-9_+-]+:)", re.IGNORECASE)
_NAME = re.compile(r'("[^"`]*+[^"]*+")|(?<!`)`([^`]++)`(?!`)')
"""What is quoted, which stays as it was recorded, or a name that our own words have between backticks."""
_NOTHING = "<!-- -->"
"""Stands in the middle of what GitHub would make a mention or a link of, and is not seen."""


def in_markdown(text: str) -> str:
    """A text in one paragraph of Markdown."""
    escaped = html.escape(visible(text), quote=False)
    return _POWER.sub(lambda sign: sign[0] + _NOTHING, _MARKUP.sub(r"\\\1", escaped))


def prose_in_markdown(text: str) -> str:
    """Words of our own in one paragraph of Markdown: the names between backticks in them are code."""
    return "".join(in_code(piece) if is_name else in_markdown(piece) for piece, is_name in names_in(text))


def names_in(text: str) -> Iterator[tuple[str, bool]]:
    """Words of our own in pieces, and whether each is a name that stands between backticks."""
    done = 0
    for found in _NAME.finditer(text):
        if found[2] is None:
            continue
        if found.start() > done:
            yield text[done : found.start()], False
        yield found[2], True
        done = found.end()
    if done < len(text):
        yield text[done:], False


def in_code(text: str) -> str:
    """A text as code within a line of Markdown: nothing in it is markup, a mention or a link."""
    shown = visible(text)
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    space = " " if longest or shown[:1] == " " or not shown else ""
    return f"{fence}{space}{shown}{space}{fence}"


def in_cell(text: str) -> str:
    """The same in a cell of a table, which code does not keep together."""
    return in_code(text).replace("|", "\\|")


def block(text: str, language: str = "") -> str:
    """Lines of visible text as a block of code, with a fence that none of them closes."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def in_html(text: str) -> str:
    """A visible text in HTML, also in the value of an attribute."""
    return html.escape(text, quote=True)
