"""JSON values: their types, in JSON Schema and in words, and when two are the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeIs

TYPES = ("null", "boolean", "object", "array", "number", "integer", "string")
MAX_DEPTH = 60
"""So deep a schema is looked into."""
MAX_NODES = 20_000
"""So many of its nodes are looked at."""


class Budget:
    """How many more nodes may be looked at."""

    def __init__(self) -> None:
        self.left = MAX_NODES

    def spent(self) -> bool:
        """Take one; whether there was none left."""
        self.left -= 1
        return self.left < 0


def is_number(value: Any) -> TypeIs[int | float]:
    """Whether it is a number (a truth value is none)."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def has_type(value: Any, kind: str) -> bool:
    """Whether it has this type of JSON Schema; 1.0 is an integer."""
    if kind == "null":
        return value is None
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return is_number(value) and (isinstance(value, int) or value.is_integer())
    if kind == "number":
        return is_number(value)
    return isinstance(value, {"object": dict, "array": list, "string": str}[kind])


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: 1 is 1.0, and true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def typed(value: Any) -> str:
    """What a JSON value is, in words: `null`, `a string`, `an array`."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, int | float):
        return "a number"
    return "an array" if isinstance(value, list) else "an object"


def type_words(names: list[str]) -> str:
    """Types of JSON Schema in words: `a string or null`."""
    words = {"object": "an object", "array": "an array", "integer": "an integer", "null": "null"}
    return " or ".join(words.get(name, f"a {name}") for name in names)


def brief(value: Any) -> str:
    """A value as JSON, of at most 60 characters."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
