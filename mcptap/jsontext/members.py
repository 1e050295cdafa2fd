"""The members of a JSON object as they are spelled, for showing what was really sent.

A parsed and rewritten value would lose spacing, number spelling and doubled keys.
"""

from __future__ import annotations

import re
from json import JSONDecoder

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = JSONDecoder()


def members(text: str) -> dict[str, str] | None:
    """Each member of an object with the text of its value; of a doubled key the last.

    None if the text is no JSON object, or nests too deep to be taken apart.
    """
    found: dict[str, str] = {}
    try:
        at = _expect(text, 0, "{")
        if text[at] == "}":
            return found
        while True:
            name, at = _DECODER.raw_decode(text, _skip(text, at))
            if not isinstance(name, str):
                return None
            at = _expect(text, at, ":")
            _, end = _DECODER.raw_decode(text, at)
            found[name] = text[at:end]
            at = _skip(text, end)
            if text[at] == "}":
                return found
            at = _expect(text, at, ",")
    except (ValueError, IndexError, RecursionError):
        return None


def _expect(text: str, at: int, sign: str) -> int:
    """The place behind this sign and the space around it."""
    at = _skip(text, at)
    if text[at] != sign:
        raise ValueError(sign)
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
