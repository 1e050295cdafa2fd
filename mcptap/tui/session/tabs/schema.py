"""A JSON schema of arguments as people read it: a line each, with its type, its limits and what it is for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcptap.text.columns import cut, fit, text_width
from mcptap.text.paragraphs import fold
from mcptap.tui.widgets.document import Line, Piece, text_line
from mcptap.tui.widgets.text import visible

DEPTH = 4
"""Objects within objects are set out so deep."""

PROPERTIES, CHOICES = 200, 8
"""Properties of an object that are set out, and alternatives that are looked at."""

LINES = 1_000
"""Properties that are set out in all: references can make a small schema a large one."""

NAME, TYPE = 26, 24
"""Most columns of a name and of a type."""

LIMITS = (
    ("minimum", "at least {}"),
    ("exclusiveMinimum", "more than {}"),
    ("maximum", "at most {}"),
    ("exclusiveMaximum", "less than {}"),
    ("multipleOf", "a multiple of {}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("pattern", "like {}"),
    ("format", "a {}"),
    ("minItems", "at least {} items"),
    ("maxItems", "at most {} items"),
)
"""Keywords that limit a value, in words."""

ELSEWHERE = frozenset(
    [
        "allOf",
        "not",
        "if",
        "then",
        "else",
        "patternProperties",
        "propertyNames",
        "dependentRequired",
        "dependentSchemas",
    ]
)
"""Keywords that are only named: what they mean stands in the JSON."""


def schema_lines(schema: Any, columns: int, indent: str = "") -> list[Line]:
    """The properties of an object, one below the other; or in words what there is instead."""
    if not isinstance(schema, dict):
        return [text_line(f"{indent}no schema", "problem")]
    lines = list(_Reader(schema, columns).properties(schema, indent, ()))
    if not lines:
        takes = "nothing" if schema.get("additionalProperties") is False else "anything: it names nothing"
        lines.append(text_line(f"{indent}{takes}", "dim"))
    return lines


Above = tuple[str, ...]
"""The references and objects that a property lies within."""


class _Reader:
    """Sets out one schema; its `$defs` are those of the root."""

    def __init__(self, root: dict[str, Any], columns: int) -> None:
        self._root = root
        self._columns = columns
        self._left = LINES

    def properties(self, schema: dict[str, Any], indent: str, above: Above) -> Iterator[Line]:
        """The lines of the properties of an object. `above`: the references that led here."""
        properties = schema.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        required = schema.get("required")
        needed = set(filter(_is_text, required)) if isinstance(required, list) else set()
        shown = list(properties.items())[:PROPERTIES]
        name_room = min(max((text_width(visible(name)) for name, _ in shown), default=0), NAME)
        types = [cut(visible(self.type_of(inner)), TYPE) for _, inner in shown]
        type_room = max((text_width(text) for text in types), default=0)
        for (name, inner), kind in zip(shown, types, strict=True):
            self._left -= 1
            if self._left < 0:
                return
            head: list[Piece] = [
                (indent + fit(visible(name), name_room) + "  ", "key"),
                (fit(kind, type_room) + "  ", "literal"),
                ("required  ", "plain") if name in needed else ("          ", "faint"),
            ]
            yield from self._described(head, _about(inner), indent)
            deeper, path = self._object_in(inner, above)
            if deeper is not None and len(path) <= DEPTH and len(indent) < 2 * DEPTH + 8:
                yield from self.properties(deeper, indent + "  ", path)
        if len(properties) > len(shown):
            yield text_line(f"{indent}… {len(properties) - len(shown):,} more", "dim")
        missing = sorted(needed - properties.keys())
        if missing:
            yield text_line(visible(f"{indent}required, but not described: {', '.join(missing)}"), "stderr")
        others = sorted(ELSEWHERE & schema.keys())
        if others:
            yield text_line(f"{indent}and {', '.join(others)}: see its JSON", "dim")

    def _described(self, head: list[Piece], text: str, indent: str) -> Iterator[Line]:
        """A property with what it is for: behind it where there is room, else below."""
        used = sum(text_width(piece) for piece, _ in head)
        if self._columns - used >= 30 or not text:
            first, *rest = fold(visible(text), max(30, self._columns - used)) or [""]
            yield Line([*head, (first, "dim")])
            lead = " " * used
        else:
            yield Line(head)
            lead = indent + "    "
            rest = fold(visible(text), max(20, self._columns - len(lead)))
        for piece in rest:
            yield text_line(lead + piece, "dim")

    def type_of(self, schema: Any, depth: int = 0) -> str:
        """The type in a word or a few."""
        if not isinstance(schema, dict) or depth > DEPTH:
            return "any"
        if isinstance(schema.get("enum"), list):
            values = schema["enum"][:TYPE]
            return " | ".join(json.dumps(value, ensure_ascii=False)[:TYPE] for value in values) or "nothing"
        if "const" in schema:
            return json.dumps(schema["const"], ensure_ascii=False)
        if isinstance(schema.get("$ref"), str):
            found = self._resolved(schema["$ref"])
            if isinstance(found, dict) and ("enum" in found or "properties" not in found):
                return self.type_of(found, depth + 1)
            return str(schema["$ref"]).rpartition("/")[2]
        for name in ("anyOf", "oneOf"):
            if isinstance(schema.get(name), list):
                kinds = dict.fromkeys(self.type_of(each, depth + 1) for each in schema[name][:CHOICES])
                return " | ".join(kinds) or "any"
        kind = schema.get("type")
        if isinstance(kind, list):
            return " | ".join(map(str, kind)) or "any"
        if kind == "array":
            inner = self.type_of(schema["items"], depth + 1) if "items" in schema else "any"
            return f"array of ({inner})" if " | " in inner else f"array of {inner}"
        if isinstance(kind, str):
            return kind
        return "object" if "properties" in schema else "any"

    def _object_in(self, schema: Any, above: Above, depth: int = 0) -> tuple[dict[str, Any] | None, Above]:
        """The object whose properties are worth setting out, directly, in a list or behind a reference."""
        if not isinstance(schema, dict) or depth > DEPTH:
            return None, above
        if isinstance(schema.get("properties"), dict):
            return schema, (*above, "")
        reference = schema.get("$ref")
        if isinstance(reference, str):
            if reference in above:
                return None, above
            return self._object_in(self._resolved(reference), (*above, reference), depth + 1)
        inner = [schema.get("items"), *_listed(schema.get("anyOf")), *_listed(schema.get("oneOf"))]
        for each in inner[:CHOICES]:
            found = self._object_in(each, above, depth + 1)
            if found[0] is not None:
                return found
        return None, above

    def _resolved(self, reference: str) -> Any:
        """What a reference within the schema points at; None if that is not there."""
        found: Any = self._root
        steps = reference.removeprefix("#").split("/")
        if not reference.startswith("#") or len(steps) > 16:
            return None
        for step in steps[1:]:
            found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
        return found


def _about(schema: Any) -> str:
    """What a value is for, its limits and what it is if it is not given."""
    if not isinstance(schema, dict):
        return ""
    description, title = schema.get("description"), schema.get("title")
    said = [text for text in (description or title,) if isinstance(text, str)]
    limits = [words.format(_short(schema[name])) for name, words in LIMITS if name in schema]
    if "default" in schema:
        limits.append(f"default {_short(schema['default'])}")
    if limits:
        said.append(f"({', '.join(limits)})")
    return " ".join(" ".join(said).split())


def _short(value: Any) -> str:
    return cut(value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False), 60)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_text(value: object) -> bool:
    return isinstance(value, str)
