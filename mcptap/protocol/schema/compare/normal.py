"""A JSON Schema in the one form in which it is compared: what is only another spelling is the same here.

References are followed, `const` is an `enum` of one, what is as good as absent is absent, and one that may
also be null is spelled with a list of types.
"""

from __future__ import annotations

from typing import Any, Final

from mcptap.jsontext.diff import equal

Schema = dict[str, Any]

NEVER: Final[Schema] = {"enum": []}
"""What nothing fits."""
TYPES: Final = frozenset(("null", "boolean", "object", "array", "number", "string", "integer"))
MOST_SAFE: Final = 2**53 - 1
"""The largest integer that JSON carries from one program to the next; as a limit it limits nothing."""
STYLE: Final = frozenset(("$schema", "$id", "$anchor", "$defs", "definitions"))
"""Keywords that change no valid value, once references are followed."""
WORDS: Final = frozenset(
    (
        "title", "description", "$comment", "examples", "example", "default", "deprecated", "enumNames",
        "enumDescriptions", "markdownDescription", "readOnly", "writeOnly",
    )
)  # fmt: skip
"""Keywords that say something and restrict nothing."""

_AS_GOOD_AS_ABSENT: Final[dict[str, tuple[Any, ...]]] = {
    "minLength": (0,), "minItems": (0,), "minProperties": (0,), "minContains": (1,), "uniqueItems": (False,),
    "required": ([],), "properties": ({},), "patternProperties": ({},), "dependentRequired": ({},),
    "allOf": ([],), "items": (True, {}), "additionalProperties": (True, {}), "propertyNames": (True, {}),
    "unevaluatedProperties": (True, {}), "unevaluatedItems": (True, {}), "prefixItems": ([],),
}  # fmt: skip
_COMBINED = frozenset(("anyOf", "oneOf", "allOf", "not", "if", "then", "else", "$ref", "enum"))
_MOST_REFERENCES = 20


def normal(schema: Any, root: Any) -> Schema | None:
    """The schema with its keywords in one form; `root` is what references are looked up in.

    None if it is no schema, or has a reference that leads nowhere.
    """
    if schema is True:
        return {}
    if schema is False:
        return NEVER
    followed = _followed(schema, root)
    if followed is None:
        return None
    made = {
        key: value
        for key, value in followed.items()
        if key not in STYLE and not is_as_good_as_absent(key, value)
    }
    if "const" in made and "enum" not in made:
        made["enum"] = [made.pop("const")]
    _merge_null(made, root)
    if isinstance(made.get("enum"), list) and (types := types_of(made)) is not None:
        made["enum"] = [value for value in made["enum"] if _kinds(value) & types]
        made["type"] = sorted({min(_kinds(value) & types) for value in made["enum"]})
    return made


def unwrapped(schema: Schema, other: Schema, root: Any) -> Schema:
    """The schema where one thing out of one, or all of one, is that thing, unless `other` chooses as well."""
    for key in ("anyOf", "oneOf", "allOf"):
        options = schema.get(key)
        if isinstance(options, list) and len(options) == 1 and key not in other:
            rest = {name: value for name, value in schema.items() if name != key}
            only = normal(options[0], root)
            if only is not None and not (only.keys() & rest.keys() - WORDS):
                return unwrapped({**only, **rest}, other, root)
    return schema


def types_of(schema: Schema) -> frozenset[str] | None:
    """The types that a schema allows, with `integer` wherever `number` is; None if it can't be told."""
    if "type" not in schema:
        return TYPES
    given = schema["type"]
    named = given if isinstance(given, list) else [given]
    if not all(isinstance(name, str) and name in TYPES for name in named):
        return None
    types = frozenset(named)
    return types | {"integer"} if "number" in types else types


def bounds(schema: Schema) -> dict[bool, tuple[float, bool] | None] | None:
    """The lowest number allowed (under True) and the highest, each with whether it is itself excluded.

    None in place of a limit if there is none; None for all if one of them is no number.
    """
    whole = types_of(schema)
    is_whole = whole is not None and "number" not in whole
    found: dict[bool, tuple[float, bool] | None] = {}
    for is_least, inclusive, exclusive in (
        (True, "minimum", "exclusiveMinimum"),
        (False, "maximum", "exclusiveMaximum"),
    ):
        limits = []
        for key, excluded in ((inclusive, False), (exclusive, True)):
            value = schema.get(key)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float):
                return None
            if is_whole and excluded and value == int(value):
                value, excluded = value + (1 if is_least else -1), False
            if not (is_whole and abs(value) >= MOST_SAFE and (value < 0) is is_least):
                limits.append((value, excluded))
        tightest = max if is_least else min
        found[is_least] = tightest(limits, key=lambda one: (one[0], one[1] is is_least), default=None)
    return found


def is_as_good_as_absent(key: str, value: Any) -> bool:
    """Whether a keyword with this value restricts nothing."""
    return any(type(value) is type(empty) and value == empty for empty in _AS_GOOD_AS_ABSENT.get(key, ()))


def _followed(schema: Any, root: Any) -> Schema | None:
    """The schema with what its `$ref` leads to; what stands beside the reference comes first."""
    for _ in range(_MOST_REFERENCES):
        if not isinstance(schema, dict):
            return {} if schema is True else NEVER if schema is False else None
        reference = schema.get("$ref")
        if reference is None:
            return schema
        target = _found(reference, root)
        beside = {key: value for key, value in schema.items() if key != "$ref"}
        if not isinstance(target, dict | bool):
            return None
        if beside.keys() <= WORDS | STYLE and isinstance(target, dict):
            schema = {**target, **beside}
        elif beside:
            return {"allOf": [target, beside]}
        else:
            schema = target
    return None


def _found(reference: Any, root: Any) -> Any:
    """What a reference within the document leads to; None if nothing."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    at = root
    for step in reference[1:].split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        at = at.get(name) if isinstance(at, dict) else None
    return at


def _merge_null(schema: Schema, root: Any) -> None:
    """Spell `anyOf: [S, null]`, and one of plain types, as a list of types."""
    for key in ("anyOf", "oneOf"):
        options = schema.get(key)
        if not isinstance(options, list) or "type" in schema or "enum" in schema:
            continue
        if all(isinstance(one, dict) and one.keys() == {"type"} for one in options):
            lists = [one["type"] if isinstance(one["type"], list) else [one["type"]] for one in options]
            del schema[key]
            schema["type"] = [name for names in lists for name in names]
            return
        others = [one for one in options if one != {"type": "null"}]
        only = _followed(others[0], root) if len(others) == 1 and len(options) == 2 else None
        if only is None:
            continue
        beside = schema.keys() - {key}
        if isinstance(only.get("type"), str) and not only.keys() & _COMBINED and not beside - WORDS:
            del schema[key]
            inner = {name: value for name, value in only.items() if not is_as_good_as_absent(name, value)}
            schema.update({**inner, **schema, "type": [only["type"], "null"]})
            return


def _kinds(value: Any) -> frozenset[str]:
    """The types that a value is of."""
    if value is None:
        return frozenset(("null",))
    if isinstance(value, bool):
        return frozenset(("boolean",))
    if isinstance(value, int | float):
        return frozenset(("number", "integer")) if equal(value, int(value)) else frozenset(("number",))
    return frozenset(
        ("string" if isinstance(value, str) else "array" if isinstance(value, list) else "object",)
    )
