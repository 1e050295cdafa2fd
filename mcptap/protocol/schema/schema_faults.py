"""What is wrong with a JSON Schema itself, as far as it can be judged without doubt.

What is said to be wrong is wrong in every dialect since draft-07. What is not judged here
(patterns, formats, references, unknown keywords) counts as right. By hand, since a library
would run patterns, and fetch references: recordings come from strangers.
"""

from __future__ import annotations

import json
from typing import Any

from mcptap.protocol.schema.values import MAX_DEPTH, TYPES, Budget, typed

MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
"""Keywords whose members are schemas by name."""
LISTS = ("allOf", "anyOf", "oneOf")
"""Keywords that are lists of schemas."""
SINGLE = (
    "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
    "unevaluatedProperties", "unevaluatedItems", "additionalItems",
)  # fmt: skip
"""Keywords that are a schema."""
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS = ("minimum", "maximum", "multipleOf")


def schema_fault(schema: Any, *, root_object: bool) -> str:
    """What is wrong with a schema, or an empty string.

    `root_object` asks for `"type": "object"` at the root, which MCP requires of input schemas.
    """
    if not isinstance(schema, dict):
        return f"it is {typed(schema)}, not an object"
    if root_object and schema.get("type") != "object":
        if "type" not in schema:
            return 'it has no "type": "object" at its root'
        return f'its type is {json.dumps(schema["type"], ensure_ascii=False)[:60]}, not "object"'
    return _check_schema(schema, "", 0, Budget())


def _check_schema(schema: Any, path: str, depth: int, budget: Budget) -> str:
    if isinstance(schema, bool) or depth > MAX_DEPTH or budget.spent():
        return ""
    where = path or "the root"
    if not isinstance(schema, dict):
        return f"{where} is {typed(schema)}, not a schema"
    fault = _check_keywords(schema, where)
    if fault:
        return fault
    for key in MAPS:
        if key in schema:
            inner = schema[key]
            if not isinstance(inner, dict):
                return f"{key} of {where} is {typed(inner)}, not an object"
            for name, sub in inner.items():
                fault = _check_schema(sub, f"{path}.{name}" if path else str(name), depth + 1, budget)
                if fault:
                    return fault
    for key in LISTS:
        if key in schema:
            options = schema[key]
            if not isinstance(options, list) or not options:
                what = "empty" if options == [] else typed(options)
                return f"{key} of {where} is {what}, not a list of schemas"
            for sub in options:
                fault = _check_schema(sub, path, depth + 1, budget)
                if fault:
                    return fault
    for key in SINGLE:
        if key in schema:
            fault = _check_schema(schema[key], f"{path}.{key}" if path else key, depth + 1, budget)
            if fault:
                return fault
    items = schema.get("items", True)
    for sub in items if isinstance(items, list) else [items]:
        fault = _check_schema(sub, f"{path}[]", depth + 1, budget)
        if fault:
            return fault
    return ""


def _check_keywords(schema: dict[str, Any], where: str) -> str:
    kind = schema.get("type")
    if kind is not None or "type" in schema:
        names = kind if isinstance(kind, list) else [kind]
        for name in names:
            if name not in TYPES:
                return f"{where} has the unknown type {json.dumps(name, ensure_ascii=False)[:60]}"
    required = schema.get("required")
    if "required" in schema and not (
        isinstance(required, list) and all(isinstance(name, str) for name in required)
    ):
        return f"required of {where} is {typed(required)}, not a list of names"
    if "enum" in schema and not isinstance(schema["enum"], list):
        return f"enum of {where} is {typed(schema['enum'])}, not a list"
    for key in ("$ref", "pattern", "$schema", "$id"):
        if key in schema and not isinstance(schema[key], str):
            return f"{key} of {where} is {typed(schema[key])}, not a string"
    for key in _COUNTS:
        value = schema.get(key, 0)
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0 or value != int(value):
            return f"{key} of {where} is not a count"
    for key in _NUMBERS:
        value = schema.get(key, 1)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return f"{key} of {where} is not a number"
    return ""
