"""Where the values of a JSON text stand, so that one can be changed and every other byte kept.

A client's line is sent as it was recorded but for the few values that the fresh server made
up; parsing and writing it anew would lose spacing, number spelling and escapes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

Path = tuple[str | int, ...]
"""Names and indices from the outermost value inward."""

_SPACE = re.compile(r"[ \t\r\n]*")
_decoder = json.JSONDecoder()

SAME: Final = object()
"""What a change returns for a value that is to stay as it is."""


@dataclass(frozen=True, slots=True)
class Span:
    """A value and its place in the text: `[start, end)`, in characters."""

    path: Path
    start: int
    end: int
    value: Any
    """The value of a scalar; an empty list or dict stands for any array or object."""
    name_start: int = -1
    """Where the member's name begins, -1 for what is no member."""


def spans(text: str) -> Iterator[Span]:
    """All values of a JSON text, each container behind what it holds. Raises ValueError on bad JSON."""
    path: list[str | int] = []
    names: list[int] = []  # beside `path`: where each name begins
    opened: list[int] = []
    at = _skip(text, 0)
    while True:
        mark = text[at : at + 1]
        if mark in ("{", "["):
            opened.append(at)
            at = _skip(text, at + 1)
            if text[at : at + 1] not in ("}", "]"):
                names.append(at if mark == "{" else -1)
                if mark == "{":
                    name, at = _name(text, at)
                    path.append(name)
                else:
                    path.append(0)
                continue
            path.append(0)  # an empty container closes below, as any other does
            names.append(-1)
        else:
            value, end = _decoder.raw_decode(text, at)
            yield Span(tuple(path), at, end, value, names[-1] if names else -1)
            at = _skip(text, end)
        while opened and text[at : at + 1] in ("}", "]"):
            path.pop()
            names.pop()
            start = opened.pop()
            at += 1
            value = {} if text[start] == "{" else []
            yield Span(tuple(path), start, at, value, names[-1] if names else -1)
            at = _skip(text, at)
        if not opened:
            return
        if text[at : at + 1] != ",":
            raise ValueError(f"no comma at {at}")
        at = _skip(text, at + 1)
        last = path[-1]
        if isinstance(last, int):
            path[-1] = last + 1
        else:
            names[-1] = at
            path[-1], at = _name(text, at)


def change_values(data: bytes, change: Callable[[Path, Any], Any]) -> bytes:
    """A line of JSON in which `change(path, value)` decided about each scalar; `SAME` keeps it.

    Bytes that are not JSON come back as they are.
    """
    edits = []
    try:
        text = data.decode()
        for span in spans(text):
            if isinstance(span.value, dict | list):
                continue
            new = change(span.path, span.value)
            if new is not SAME:
                edits.append((span.start, span.end, json.dumps(new, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return data
    return edit(text, edits).encode(errors="surrogatepass") if edits else data


def rename_members(data: bytes, parent: Path, names: Mapping[str, str]) -> bytes:
    """A line of JSON in which the members of the object at `parent` have new names."""
    edits = []
    try:
        text = data.decode()
        for span in spans(text):
            new = names.get(str(span.path[-1])) if span.path[:-1] == parent and span.path else None
            if new is not None and span.name_start >= 0:
                _, end = _decoder.raw_decode(text, span.name_start)
                edits.append((span.name_start, end, json.dumps(new, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return data
    return edit(text, edits).encode(errors="surrogatepass") if edits else data


def edit(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """A text in which each span `[start, end)`, in order and apart, is replaced."""
    pieces = []
    done = 0
    for start, end, new in edits:
        pieces += [text[done:start], new]
        done = end
    return "".join(pieces) + text[done:]


def _name(text: str, at: int) -> tuple[str, int]:
    """The name of a member, and where its value begins."""
    if text[at : at + 1] != '"':
        raise ValueError(f"no name at {at}")
    name, at = _decoder.raw_decode(text, at)
    at = _skip(text, at)
    if text[at : at + 1] != ":":
        raise ValueError(f"no colon at {at}")
    return name, _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
