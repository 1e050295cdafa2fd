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
_HALF = re.compile(r"(?:-|(?<=[0-9])(?:\.|[eE][-+]?)|(?<![a-z])(?:t|tr|tru|f|fa|fal|fals|n|nu|nul))\Z")
"""The half of a number or of a word that stands at the end of a cut text."""
_HALF_IN_STRING = re.compile(r"(?<!\\)(?:\\\\)*(?P<half>\\(?:u[0-9a-fA-F]{0,3})?)\Z")
"""The same of an escape."""


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
                end, value, added = cut
                yield start, end, value, added
                return
            at = start + 1
        else:
            yield start, end, value, ""
            at = end


def _ended(text: str, start: int) -> tuple[int, Any, str] | None:
    """The end and value of an object or array that was cut off, and the signs that close it.

    It ends before the half of a word, number or escape. None if it is none.
    """
    opened: list[str] = []
    for token in _TOKEN.finditer(text, start):
        mark = token[0][0]
        if mark == '"':
            if not token["end"]:
                half = _HALF_IN_STRING.search(text, token.start())
                return _tried(text, start, half.start("half") if half else len(text), opened, '"')
        elif mark in _ENDS:
            opened.append(mark)
            if len(opened) > _MOST_OPEN:
                return None
        elif not opened or _ENDS[opened.pop()] != mark:
            return None
    half = _HALF.search(text, start)
    return _tried(text, start, half.start() if half else len(text), opened, "")


def _tried(text: str, start: int, end: int, opened: list[str], quote: str) -> tuple[int, Any, str] | None:
    if not opened:
        return None
    ends = "".join(_ENDS[mark] for mark in reversed(opened))
    piece = text[start:end]
    for missing in ("", ":null", "null", '"":null'):
        added = f"{quote}{missing}{ends}"
        try:
            return end, _decoder.decode(piece + added), added
        except (ValueError, RecursionError):
            continue
    return None
