"""Why a value does not fit a JSON Schema, as far as it can be judged without doubt.

What is said to be wrong is wrong in every dialect since draft-07. What is not judged here
(patterns, formats, remote references, `not`, `if`) counts as right. By hand, since a library
would run patterns, and fetch references: recordings come from strangers.
"""

from __future__ import annotations

from typing import Any

from mcptap.protocol.schema.values import (
    MAX_DEPTH,
    TYPES,
    Budget,
    brief,
    has_type,
    is_number,
    same,
    type_words,
    typed,
)


def instance_fault(schema: Any, value: Any, name: str = "") -> str:
    """Why a value certainly does not fit a schema, or an empty string. `name` is what to call the value."""
    return _check(schema, value, name, schema, 0, Budget())


def _check(schema: Any, value: Any, name: str, root: Any, depth: int, budget: Budget) -> str:
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
        if all(kind in TYPES for kind in names) and not any(has_type(value, kind) for kind in names):
            return f"{called} is {typed(value)}, not {type_words(names)}"
    options = schema.get("enum")
    if isinstance(options, list) and not any(same(value, option) for option in options):
        return f"{called} is none of {brief(options)}"
    if "const" in schema and not same(value, schema["const"]):
        return f"{called} is not {brief(schema['const'])}"
    if isinstance(value, dict):
        fault = _check_object(schema, value, name, root, depth, budget)
    elif isinstance(value, list):
        fault = _check_array(schema, value, name, root, depth, budget)
    else:
        fault = _check_scalar(schema, value, called)
    return fault or _check_combined(schema, value, name, root, depth, budget)


def _check_object(
    schema: dict[str, Any], value: dict[str, Any], name: str, root: Any, depth: int, budget: Budget
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
    schema: dict[str, Any], value: list[Any], name: str, root: Any, depth: int, budget: Budget
) -> str:
    least, most = schema.get("minItems"), schema.get("maxItems")
    if is_number(least) and len(value) < least:
        return f"{name or 'it'} has {len(value)} items, fewer than {least}"
    if is_number(most) and len(value) > most:
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
        if is_number(least) and len(value) < least:
            return f"{called} is shorter than {least}"
        if is_number(most) and len(value) > most:
            return f"{called} is longer than {most}"
    elif is_number(value):
        low, high = schema.get("minimum"), schema.get("maximum")
        above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
        if is_number(low) and value < low:
            return f"{called} is less than {low}"
        if is_number(high) and value > high:
            return f"{called} is more than {high}"
        if is_number(above) and value <= above:
            return f"{called} is not more than {above}"
        if is_number(below) and value >= below:
            return f"{called} is not less than {below}"
    return ""


def _check_combined(
    schema: dict[str, Any], value: Any, name: str, root: Any, depth: int, budget: Budget
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


def _join(name: str, key: str) -> str:
    return f"{name}.{key}" if name else str(key)
