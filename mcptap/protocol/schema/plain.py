"""The quick form of a simple schema: what nearly all tools have, checked at nearly every call."""

from __future__ import annotations

from typing import Any

_PLAIN_TYPES: dict[str, frozenset[type]] = {
    "string": frozenset({str}),
    "integer": frozenset({int}),
    "number": frozenset({int, float}),
    "boolean": frozenset({bool}),
    "object": frozenset({dict}),
    "array": frozenset({list}),
    "null": frozenset({type(None)}),
}
_TELL_ONLY = frozenset({"title", "description", "default", "examples", "$schema", "$comment", "deprecated"})


class Plain:
    """A schema of an object with properties of simple types, which is what most tools have.

    `fault` is quick, and says the same as `instance_fault` where it says anything.
    """

    __slots__ = ("_closed", "_required", "_types")

    def __init__(self, required: list[str], types: dict[str, frozenset[type] | None], closed: bool) -> None:
        self._required = required
        self._types = types
        self._closed = closed

    def fault(self, value: Any) -> str | None:
        """Why the value does not fit, empty if it fits, None if the slow way has to tell."""
        if type(value) is not dict:
            return None
        for key in self._required:
            if key not in value:
                return f"{key} is missing"
        types = self._types
        for key, inner in value.items():
            if key in types:
                allowed = types[key]
                if allowed is not None and type(inner) not in allowed:
                    return None
            elif self._closed:
                return None
        return ""


def plain(schema: Any) -> Plain | None:
    """The quick form of a schema, or None if it is not that simple."""
    if not isinstance(schema, dict) or schema.get("type") != "object":
        return None
    if schema.keys() - _TELL_ONLY - {"type", "properties", "required", "additionalProperties"}:
        return None
    required, properties = schema.get("required", []), schema.get("properties", {})
    more = schema.get("additionalProperties", True)
    if not isinstance(required, list) or not isinstance(properties, dict) or not isinstance(more, bool):
        return None
    types: dict[str, frozenset[type] | None] = {}
    for name, sub in properties.items():
        if not isinstance(sub, dict) or sub.keys() - _TELL_ONLY - {"type"}:
            return None
        kind = sub.get("type")
        if kind is not None and (not isinstance(kind, str) or kind not in _PLAIN_TYPES):
            return None
        types[name] = None if kind is None else _PLAIN_TYPES[kind]
    return Plain([key for key in required if isinstance(key, str)], types, not more)
