"""Where a member stands in the bytes of a JSON object, so that one value can be changed and no other byte.

A recorded answer has to carry the id of a new request; parsing and writing it anew would
lose spacing, number spelling and escapes, which may be the very thing a client trips over.
Unlike `spans`, which visits every value, this skips what is not on the way: an answer can be
megabytes long, and its id stands at the top.
"""

from __future__ import annotations

import json
import re

_SPACE = re.compile(r"[ \t\r\n]*")
_decoder = json.JSONDecoder()


def member_span(data: bytes, *path: str) -> tuple[int, int] | None:
    """Start and end, in bytes, of the value at `path` in a JSON object; None if there is none.

    Of a repeated name the last one counts, as for the parsers that read it.
    """
    try:
        text = data.decode()
        start, end = 0, len(text)
        for name in path:
            found = _member(text, start, name)
            if found is None:
                return None
            start, end = found
    except (ValueError, RecursionError):
        return None
    first = len(text[:start].encode())
    return first, first + len(text[start:end].encode())


def _member(text: str, at: int, wanted: str) -> tuple[int, int] | None:
    """The span of a member's value in the object that begins at `at`. Raises ValueError on bad JSON."""
    at = _skip(text, at)
    if text[at : at + 1] != "{":
        return None
    found = None
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        name, at = _decoder.raw_decode(text, at)
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            raise ValueError("a colon is missing")
        start = _skip(text, at + 1)
        _, at = _decoder.raw_decode(text, start)
        if name == wanted:
            found = start, at
        at = _skip(text, at)
        if text[at : at + 1] != ",":
            break
        at = _skip(text, at + 1)
    return found


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
