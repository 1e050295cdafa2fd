"""Text as the screen shows it: safe, and of one width in every terminal."""

from __future__ import annotations

from mcptap.text import escape

_NO_JOINERS = dict.fromkeys(map(ord, escape.EMOJI_JOINERS), "")


def visible(text: str) -> str:
    """`escape.visible` without the joiners of emoji: terminals disagree about the width of those."""
    shown = escape.visible(text)
    return shown if shown.isascii() else shown.translate(_NO_JOINERS)


def visible_bytes(data: bytes) -> str:
    r"""Bytes as visible text; what is not UTF-8 as `\xff`."""
    return visible(data.decode(errors="backslashreplace"))
