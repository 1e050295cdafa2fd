"""JSON Schema as far as it can be judged without doubt.

`schema_fault` says what is wrong with a schema itself, `instance_fault` why a value does not
fit one. Both are careful: what is said to be wrong is wrong in every dialect since draft-07,
and what this module does not judge (patterns, formats, remote references, `not`, `if`) counts
as right. A pattern is never run: recordings come from strangers, and a pattern may take for ever.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeIs

TYPES = ("null", "boolean", "object", "array", "number", "integer", "string")
MAX_DEPTH = 60
MAX_NODES = 20_000

_MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("allOf", "anyOf", "oneOf")
_SINGLE = (
    "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
    "unevaluatedProperties", "unevaluatedItems", "additionalItems",
)  # fmt: skip
_COUNTS = ("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties")
_NUMBERS = ("minimum", "maximum", "multipleOf")


class _Budget:
    """How many more nodes may be looked at."""

    def __init__(self) -> None:
        self.left = MAX_NODES

    def spent(self) -> bool:
        self.left -= 1
        return self.left < 0


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
    return _check_schema(schema, "", 0, _Budget())


def _check_schema(schema: Any, path: str, depth: int, budget: _Budget) -> str:
    if isinstance(schema, bool) or depth > MAX_DEPTH or budget.spent():
        return ""
    where = path or "the root"
    if not isinstance(schema, dict):
        return f"{where} is {typed(schema)}, not a schema"
    fault = _check_keywords(schema, where)
    if fault:
        return fault
    for key in _MAPS:
        if key in schema:
            inner = schema[key]
            if not isinstance(inner, dict):
                return f"{key} of {where} is {typed(inner)}, not an object"
            for name, sub in inner.items():
                fault = _check_schema(sub, f"{path}.{name}" if path else str(name), depth + 1, budget)
                if fault:
                    return fault
    for key in _LISTS:
        if key in schema:
            options = schema[key]
            if not isinstance(options, list) or not options:
                what = "empty" if options == [] else typed(options)
                return f"{key} of {where} is {what}, not a list of schemas"
            for sub in options:
                fault = _check_schema(sub, path, depth + 1, budget)
                if fault:
                    return fault
    for key in _SINGLE:
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


def instance_fault(schema: Any, value: Any, name: str = "") -> str:
    """Why a value certainly does not fit a schema, or an empty string. `name` is what to call the value."""
    return _check(schema, value, name, schema, 0, _Budget())


def _check(schema: Any, value: Any, name: str, root: Any, depth: int, budget: _Budget) -> str:
    if schema is False:
        return f"{name or 'it'} is not allowed"
    if not isinstance(schema, dict) or depth > MAX_DEPTH or budget.spent():
        return ""
    if depth and "$id" in schema:
        return ""  # its references have another base
    if "$ref" in schema:
        target = _resolve(root, schema["$ref"])
        return "" if target is None else _check(target, value, name, root, depth + 1, budget)
    if value is None and schema.get("nullable") is True:
        return ""
    called = name or "it"
    kinds = schema.get("type")
    if kinds is not None:
        names = kinds if isinstance(kinds, list) else [kinds]
        if all(kind in TYPES for kind in names) and not any(_is(value, kind) for kind in names):
            return f"{called} is {typed(value)}, not {_article(names)}"
    options = schema.get("enum")
    if isinstance(options, list) and not any(_same(value, option) for option in options):
        return f"{called} is none of {_brief(options)}"
    if "const" in schema and not _same(value, schema["const"]):
        return f"{called} is not {_brief(schema['const'])}"
    if isinstance(value, dict):
        fault = _check_object(schema, value, name, root, depth, budget)
    elif isinstance(value, list):
        fault = _check_array(schema, value, name, root, depth, budget)
    else:
        fault = _check_scalar(schema, value, called)
    return fault or _check_combined(schema, value, name, root, depth, budget)


def _check_object(
    schema: dict[str, Any], value: dict[str, Any], name: str, root: Any, depth: int, budget: _Budget
) -> str:
    required = schema.get("required")
    if isinstance(required, list):
        for key in required:
            if isinstance(key, str) and key not in value:
                return f"{_join(name, key)} is missing"
    properties = schema.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    more = schema.get("additionalProperties", True)
    for key, inner in value.items():
        if key in properties:
            fault = _check(properties[key], inner, _join(name, key), root, depth + 1, budget)
        elif "patternProperties" in schema or more is True:
            fault = ""
        elif more is False:
            fault = f"{_join(name, key)} is not one of its properties"
        else:
            fault = _check(more, inner, _join(name, key), root, depth + 1, budget)
        if fault:
            return fault
    return ""


def _check_array(
    schema: dict[str, Any], value: list[Any], name: str, root: Any, depth: int, budget: _Budget
) -> str:
    least, most = schema.get("minItems"), schema.get("maxItems")
    if _number(least) and len(value) < least:
        return f"{name or 'it'} has {len(value)} items, fewer than {least}"
    if _number(most) and len(value) > most:
        return f"{name or 'it'} has {len(value)} items, more than {most}"
    items, first = schema.get("items", True), schema.get("prefixItems")
    if isinstance(items, list):
        first, items = items, schema.get("additionalItems", True)
    first = first if isinstance(first, list) else []
    for index, inner in enumerate(value):
        sub = first[index] if index < len(first) else items
        fault = _check(sub, inner, f"{name}[{index}]", root, depth + 1, budget)
        if fault:
            return fault
    return ""


def _check_scalar(schema: dict[str, Any], value: Any, called: str) -> str:
    if isinstance(value, str):
        least, most = schema.get("minLength"), schema.get("maxLength")
        if _number(least) and len(value) < least:
            return f"{called} is shorter than {least}"
        if _number(most) and len(value) > most:
            return f"{called} is longer than {most}"
    elif _number(value):
        low, high = schema.get("minimum"), schema.get("maximum")
        above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
        if _number(low) and value < low:
            return f"{called} is less than {low}"
        if _number(high) and value > high:
            return f"{called} is more than {high}"
        if _number(above) and value <= above:
            return f"{called} is not more than {above}"
        if _number(below) and value >= below:
            return f"{called} is not less than {below}"
    return ""


def _check_combined(
    schema: dict[str, Any], value: Any, name: str, root: Any, depth: int, budget: _Budget
) -> str:
    every = schema.get("allOf")
    if isinstance(every, list):
        for sub in every:
            fault = _check(sub, value, name, root, depth + 1, budget)
            if fault:
                return fault
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if isinstance(options, list) and options:
            faults = [_check(sub, value, name, root, depth + 1, budget) for sub in options]
            if all(faults):
                return (
                    faults[0]
                    if len(faults) == 1
                    else f"{name or 'it'} fits none of {len(faults)} alternatives"
                )
    return ""


def _resolve(root: Any, reference: Any) -> Any:
    """The schema that a local reference points at, None if it is not local or leads nowhere."""
    if not isinstance(reference, str) or not (reference == "#" or reference.startswith("#/")):
        return None
    at = root
    for step in reference[2:].split("/") if len(reference) > 1 else []:
        step = step.replace("~1", "/").replace("~0", "~")
        if "%" in step or not isinstance(at, dict) or step not in at:
            return None
        at = at[step]
    return at


def _number(value: Any) -> TypeIs[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is(value: Any, kind: str) -> bool:
    if kind == "null":
        return value is None
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return _number(value) and (isinstance(value, int) or value.is_integer())
    if kind == "number":
        return _number(value)
    return isinstance(value, {"object": dict, "array": list, "string": str}[kind])


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: 1 is 1.0, and true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
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


def _article(names: list[str]) -> str:
    words = {"object": "an object", "array": "an array", "integer": "an integer", "null": "null"}
    return " or ".join(words.get(name, f"a {name}") for name in names)


def _join(name: str, key: str) -> str:
    return f"{name}.{key}" if name else str(key)


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"
