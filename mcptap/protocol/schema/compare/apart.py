"""Whether the forms between which a schema chooses exclude each other."""

from __future__ import annotations

from typing import Any

from mcptap.jsontext.diff import equal
from mcptap.protocol.schema.compare.normal import Schema, normal, types_of


def are_apart(options: list[Any], root: Any) -> bool:
    """Whether no value fits two of these: by their types, or by a member that tells them apart."""
    made = [normal(option, root) for option in options]
    return all(
        one is not None and other is not None and _two_are_apart(one, other, root)
        for at, one in enumerate(made)
        for other in made[at + 1 :]
    )


def _two_are_apart(one: Schema, other: Schema, root: Any) -> bool:
    kinds, others = types_of(one), types_of(other)
    if kinds is None or others is None:
        return False
    if not kinds & others or _differ(one, other):
        return True
    for name in set(one.get("required", ())) & set(other.get("required", ())):
        mine, theirs = (
            normal(_object(schema.get("properties")).get(name, True), root) for schema in (one, other)
        )
        if mine is not None and theirs is not None and _differ(mine, theirs):
            return True
    return False


def _differ(one: Schema, other: Schema) -> bool:
    """Whether both allow only certain values, none of them the same."""
    values, more = one.get("enum"), other.get("enum")
    if not isinstance(values, list) or not isinstance(more, list):
        return False
    return not any(equal(value, another) for value in values for another in more)


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
