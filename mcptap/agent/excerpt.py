"""A JSON value cut to a size: per value, never within, so that what is left is JSON again.

What was left out stands in its place as a string that says how much it is, and how to read it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from mcptap.jsontext.tree import Number, Object

_STEPS = (
    *((4_000, 400, 16), (1_200, 80, 12), (400, 40, 10), (200, 20, 8), (120, 10, 6)),
    *((80, 6, 5), (40, 4, 4), (24, 2, 3), (16, 1, 2), (12, 1, 1)),
)
"""How many characters of a string, items of a container and levels are shown, the most first."""

_NAME = 60
"""Characters of a member's name that are shown."""

CUT = "✂"
"""Begins each string that stands for what was left out."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What is shown of a value: its text, and where what is left begins (None: it is all there)."""

    text: str
    next_offset: int | None = None


def at_pointer(value: Any, pointer: str) -> Any:
    """The value that a JSON pointer (RFC 6901) leads to. Raises KeyError with the part that leads nowhere."""
    if not pointer:
        return value
    if not pointer.startswith("/"):
        raise KeyError(pointer)
    for raw in pointer[1:].split("/"):
        step = raw.replace("~1", "/").replace("~0", "~")
        if isinstance(value, Object):
            found = [inner for name, inner in value if name == step]
            if not found:
                raise KeyError(step)
            value = found[-1]
        elif isinstance(value, list) and step.isascii() and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            raise KeyError(step)
    return value


def kinds_of(value: Any) -> str:
    """What there is to choose from in a value, in words."""
    if isinstance(value, Object):
        names = [json.dumps(name[:_NAME], ensure_ascii=False) for name, _ in value[:10]]
        return f"an object of {len(value):,} members: {', '.join(names)}" if names else "an empty object"
    if isinstance(value, list):
        return f"an array of {len(value):,} items"
    return "no container"


def excerpt(value: Any, pointer: str, most: int, offset: int = 0, of: str = "") -> Excerpt:
    """As much of a value as fits into so many characters; of a string or container from `offset` on.

    `of` stands before each path, for the arguments that say what it is a path in.
    """
    if isinstance(value, str) and not isinstance(value, Number):
        piece = value[offset : offset + most]
        end = offset + len(piece)
        return Excerpt(json.dumps(piece, ensure_ascii=False), end if end < len(value) else None)
    if not isinstance(value, list):
        return Excerpt(_spelled(value))
    rest = _part(value, offset, len(value))
    for characters, items, depth in _STEPS:
        shown = _part(rest, 0, items)
        text = _Writer((characters, items, depth), pointer, offset, of).write(shown)
        if len(text) <= most:
            break
    end = offset + len(shown)
    return Excerpt(text, end if end < len(value) else None)


def _part(value: Any, begin: int, end: int) -> Any:
    return Object(value[begin:end]) if isinstance(value, Object) else value[begin:end]


def _spelled(value: Any) -> str:
    return value if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


class _Writer:
    """Writes a container, no more than so many characters, items and levels of it."""

    def __init__(self, bounds: tuple[int, int, int], pointer: str, first: int, of: str) -> None:
        self._characters, self._items, self._depth = bounds
        self._pointer = pointer
        self._first = first
        self._of = of

    def write(self, shown: Any) -> str:
        return self._container(shown, self._pointer, 0, self._first, len(shown))

    def _value(self, value: Any, pointer: str | None, level: int) -> str:
        if isinstance(value, str) and not isinstance(value, Number):
            return self._string(value, pointer)
        if not isinstance(value, list):
            return _spelled(value)
        if value and level >= self._depth:
            noun = "members" if isinstance(value, Object) else "items"
            return self._left_out(f"{len(value):,} {noun}", pointer)
        return self._container(_part(value, 0, self._items), pointer, level, 0, len(value))

    def _string(self, value: str, pointer: str | None) -> str:
        left = len(value) - self._characters
        if left <= 40:  # the note would be as long
            return json.dumps(value, ensure_ascii=False)
        note = f"{CUT} {left:,} characters{self._where(pointer, self._characters)}"
        return json.dumps(f"{value[: self._characters]} {note}", ensure_ascii=False)

    def _container(self, shown: Any, pointer: str | None, level: int, first: int, of: int) -> str:
        is_object = isinstance(shown, Object)
        pieces = []
        for place, item in enumerate(shown, first):
            if is_object:
                name, inner = item
                step = name.replace("~", "~0").replace("/", "~1") if len(name) <= _NAME else None
                known = None if step is None or pointer is None else f"{pointer}/{step}"
                spelled = json.dumps(name if step is not None else f"{name[:_NAME]}{CUT}", ensure_ascii=False)
                pieces.append(f"{spelled}: {self._value(inner, known, level + 1)}")
            else:
                known = None if pointer is None else f"{pointer}/{place}"
                pieces.append(self._value(item, known, level + 1))
        left = of - len(shown)
        if left > 0:
            note = self._left_out(f"{left:,} more", pointer, first + len(shown))
            pieces.append(f'"{CUT}": {note}' if is_object else note)
        left_sign, right_sign = ("{", "}") if is_object else ("[", "]")
        if not pieces:
            return left_sign + right_sign
        if sum(map(len, pieces)) < 80 and not any("\n" in piece for piece in pieces):
            return left_sign + ", ".join(pieces) + right_sign
        inner_text = ",\n".join(pieces).replace("\n", "\n ")
        return f"{left_sign}\n {inner_text}\n{right_sign}"

    def _left_out(self, what: str, pointer: str | None, offset: int = 0) -> str:
        return json.dumps(f"{CUT} {what}{self._where(pointer, offset)}", ensure_ascii=False)

    def _where(self, pointer: str | None, offset: int) -> str:
        if pointer is None:
            return ""
        return f": {self._of}path={pointer}" + (f" offset={offset}" if offset else "")
