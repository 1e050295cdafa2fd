"""Where the values of a JSON text stand: the one scanner for spans, members and replacements.

Nothing here recurses: a text may nest as deep as it likes. All raise ValueError on bad JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]
"""Names and indices from the outermost value inward."""

_SPACE = re.compile(r"[ \t\r\n]*")
_BRACKET = re.compile(r'[\[\]{}]|"(?:[^"\\]|\\.)*"', re.DOTALL)
_decoder = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class _Place:
    """A step from a container to one of its values, linked to the steps before it."""

    step: str | int
    outer: _Place | None


@dataclass(frozen=True, slots=True)
class Span:
    """A value and its place in the text: `[start, end)`, in characters."""

    start: int
    end: int
    value: Any
    """The value of a scalar; an empty list or dict stands for any array or object."""
    name_start: int
    """Where the member's name begins, -1 for what is no member."""
    _place: _Place | None

    @property
    def path(self) -> Path:
        """Names and indices that lead to the value; made anew at each call."""
        steps: list[str | int] = []
        place = self._place
        while place is not None:
            steps.append(place.step)
            place = place.outer
        return tuple(reversed(steps))


def spans(text: str) -> Iterator[Span]:
    """All values of a JSON text, each container behind what it holds."""
    opened: list[tuple[int, _Place | None, int]] = []  # start, place and name of open containers
    place: _Place | None = None
    name_start = -1
    at = skip_space(text, 0)
    while True:
        mark = text[at : at + 1]
        if mark in ("{", "["):
            opened.append((at, place, name_start))
            at = skip_space(text, at + 1)
            if text[at : at + 1] not in ("}", "]"):
                if mark == "{":
                    name_start = at
                    name, at = _name(text, at)
                    place = _Place(name, place)
                else:
                    name_start = -1
                    place = _Place(0, place)
                continue
        else:
            value, end = _decoder.raw_decode(text, at)
            yield Span(at, end, value, name_start, place)
            at = skip_space(text, end)
        while opened and text[at : at + 1] in ("}", "]"):
            start, place, name_start = opened.pop()
            if text[start] + text[at] not in ("{}", "[]"):
                raise ValueError(f"no such end at {at}")
            at += 1
            yield Span(start, at, {} if text[start] == "{" else [], name_start, place)
            at = skip_space(text, at)
        if not opened:
            return
        if text[at : at + 1] != ",":
            raise ValueError(f"no comma at {at}")
        at = skip_space(text, at + 1)
        start, outer, _ = opened[-1]
        if text[start] == "{":
            name_start = at
            name, at = _name(text, at)
            place = _Place(name, outer)
        else:
            assert place is not None
            assert isinstance(place.step, int)
            place = _Place(place.step + 1, outer)


def member_spans(text: str, at: int = 0) -> Iterator[tuple[str, int, int]]:
    """Name, start and end of each member of the object that begins at `at`, in order; a doubled name twice.

    What is inside of a value is passed over at the speed of a parser in C.
    """
    at = skip_space(text, at)
    if text[at : at + 1] != "{":
        raise ValueError(f"no object at {at}")
    at = skip_space(text, at + 1)
    if text[at : at + 1] == "}":
        return
    while True:
        name, start = _name(text, at)
        end = value_end(text, start)
        yield name, start, end
        at = skip_space(text, end)
        if text[at : at + 1] == "}":
            return
        if text[at : at + 1] != ",":
            raise ValueError(f"no comma at {at}")
        at = skip_space(text, at + 1)


def value_end(text: str, start: int) -> int:
    """Where the value that begins at `start` ends.

    Of what nests too deep for the parser only the brackets are looked at.
    """
    try:
        return int(_decoder.raw_decode(text, start)[1])
    except RecursionError:
        depth = 0
        for found in _BRACKET.finditer(text, start):
            mark = text[found.start()]
            depth += (mark in "[{") - (mark in "]}")
            if not depth:
                return found.end()
        raise ValueError(f"the value at {start} never ends") from None


def members(text: str) -> dict[str, str] | None:
    """Each member of an object with its value as spelled; of a doubled name the last. None if it is none."""
    try:
        return {name: text[start:end] for name, start, end in member_spans(text)}
    except ValueError:
        return None


def skip_space(text: str, at: int) -> int:
    """The place behind the space that begins at `at`."""
    if text[at : at + 1] > " ":  # nearly always: most JSON on the wire has no space
        return at
    match = _SPACE.match(text, at)
    return match.end() if match else at


def string_end(text: str, start: int) -> int:
    """Where the string or name that begins at `start` ends."""
    return int(_decoder.raw_decode(text, start)[1])


def _name(text: str, at: int) -> tuple[str, int]:
    """The name of a member, and where its value begins."""
    if text[at : at + 1] != '"':
        raise ValueError(f"no name at {at}")
    name, at = _decoder.raw_decode(text, at)
    at = skip_space(text, at)
    if text[at : at + 1] != ":":
        raise ValueError(f"no colon at {at}")
    return name, skip_space(text, at + 1)
