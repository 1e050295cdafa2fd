"""Characters that no one can see, where they do nothing that a script needs.

A joiner within Persian or Hindi, a mark of direction in Hebrew, a selector behind an emoji do their work and
are passed over; a character that only a program reads is found.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_CANDIDATE = re.compile(
    "[\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""The flag of a part of a country, such as Scotland: an emoji that is spelled with tags."""
_TAGS: Final = range(0xE0020, 0xE007F)
_OVERRIDES = "\u202d\u202e"
_DIRECTION = "\u061c\u200e\u200f\u202a\u202b\u202c\u2066\u2067\u2068\u2069"
_JOINERS = "\u200c\u200d"
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_SCRIPTS = (
    (0x600, 0x109F),
    (0x1700, 0x18AF),
    (0x1900, 0x1CFF),
    (0xA800, 0xABFF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFC),
)
"""Scripts whose letters join, or whose words have no spaces between them."""
_RIGHT_TO_LEFT = frozenset(("R", "AL", "AN"))
MOST_JOINERS: Final = 2
"""So many invisible joiners may stand in a row."""


def hidden_in(text: str) -> list[str]:
    """The characters of a text that no one can see, in their order, but for those that a script needs."""
    if text.isascii() or _CANDIDATE.search(text) is None:
        return []
    kept = {at for flag in _FLAG.finditer(text) for at in range(flag.start() + 1, flag.end())}
    goes_left = any(
        unicodedata.bidirectional(sign) in _RIGHT_TO_LEFT for sign in text if sign not in _DIRECTION
    )
    return [
        found[0]
        for found in _CANDIDATE.finditer(text)
        if found.start() not in kept and not _is_needed(text, found.start(), goes_left)
    ]


def spelled_by(hidden: list[str]) -> str:
    """What tags among them spell in ASCII; empty if they spell nothing."""
    return "".join(chr(ord(sign) - 0xE0000) for sign in hidden if ord(sign) in _TAGS)


def _is_needed(text: str, at: int, goes_left: bool) -> bool:
    sign, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if sign in _OVERRIDES:
        return False
    if sign in _DIRECTION:
        return goes_left
    if sign == "\ufeff":
        return at == 0
    if sign in "\u180b\u180c\u180d\u180e":
        return "\u1800" <= before <= "\u18af"
    if sign in _JOINERS or sign == "\u200b":
        return _is_joiner_needed(text, at)
    if sign == "\u2060":
        return False
    if sign in "\u115f\u1160":
        return "\u1100" <= (after or before) <= "\u11ff"
    if _SELECTORS.fullmatch(sign):
        return _is_selector_needed(sign, before)
    return False


def _is_joiner_needed(text: str, at: int) -> bool:
    """Whether a joiner, or a place to break a line, stands within a script or an emoji, and nearly alone."""
    start, end = at, at + 1
    while start and text[start - 1] in "\u200b\u200c\u200d":
        start -= 1
    while end < len(text) and text[end] in "\u200b\u200c\u200d":
        end += 1
    if end - start > MOST_JOINERS:
        return False
    before, after = text[start - 1 : start], text[end : end + 1]
    if text[at] == "\u200d" and _is_picture(before) and _is_picture(after):
        return True
    return _is_of_scripts(before) or (not before and _is_of_scripts(after))


def _is_selector_needed(sign: str, before: str) -> bool:
    if not before or before.isspace() or _SELECTORS.fullmatch(before):
        return False
    if sign in "\ufe0e\ufe0f":
        return before in "0123456789#*" or not before.isalnum()
    category = unicodedata.category(before)
    is_ideograph = category == "Lo" and ord(before) >= 0x2E80
    return is_ideograph or (sign < "\ufe0e" and (category == "Sm" or _is_of_scripts(before)))


def _is_picture(sign: str) -> bool:
    return bool(sign) and (
        sign == "\ufe0f" or unicodedata.category(sign) in ("So", "Sk") or sign in "\u2640\u2642"
    )


def _is_of_scripts(sign: str) -> bool:
    return bool(sign) and any(first <= ord(sign) <= last for first, last in _SCRIPTS)
