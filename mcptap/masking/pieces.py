"""JSON that stands within a text: objects and arrays, the last of them perhaps cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mcptap.jsontext.tree import Number, Object

_decoder = json.JSONDecoder(
    object_pairs_hook=Object, parse_int=Number, parse_float=Number, parse_constant=Number
)
_START = re.compile(r'\{\s*"|\[\s*["\[{]')
_MOST_TRIES = 24
"""So many beginnings are tried; the time stays linear in the text."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\[\s\S])*+(?P<end>"?)|[\[\]{}]')
_ENDS = {"{": "}", "[": "]"}
_MOST_OPEN = 500


def json_in(text: str) -> Iterator[tuple[int, int, Any, str]]:
    """Start, end and exact value of each object and array in a text, and what was added to end a cut one."""
    at = 0
    for _ in range(_MOST_TRIES):
        found = _START.search(text, at)
        if found is None:
            return
        start = found.start()
        try:
            value, end = _decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            cut = _ended(text, start)
            if cut is not None:
                yield start, len(text), *cut
                return
            at = start + 1
        else:
            yield start, end, value, ""
            at = end


def _ended(text: str, start: int) -> tuple[Any, str] | None:
    """The value of an object or array that was cut off, and the signs that end it; None if it is none."""
    opened: list[str] = []
    for token in _TOKEN.finditer(text, start):
        mark = token[0][0]
        if mark == '"':
            if not token["end"]:
                return _tried(text, start, opened, '"')
        elif mark in _ENDS:
            opened.append(mark)
            if len(opened) > _MOST_OPEN:
                return None
        elif not opened or _ENDS[opened.pop()] != mark:
            return None
    return _tried(text, start, opened, "")


def _tried(text: str, start: int, opened: list[str], quote: str) -> tuple[Any, str] | None:
    if not opened:
        return None
    ends = "".join(_ENDS[mark] for mark in reversed(opened))
    piece = text[start:]
    for missing in ("", ":null", "null", '"":null'):
        added = f"{quote}{missing}{ends}"
        try:
            return _decoder.decode(piece + added), added
        except (ValueError, RecursionError):
            continue
    return None
