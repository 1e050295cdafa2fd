"""Schemas made at random, and changes of them of which it is known what they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Any

Schema = dict[str, Any]

NOTHING, TEXT, MORE, LESS, BREACH, GROWN = "nothing", "text", "more", "less", "breach", "grown"
"""What is expected: no change, other words, wider, narrower, a breach or something new either way."""


@dataclass(frozen=True)
class Mutant:
    name: str
    old: Schema
    new: Schema
    expected: str


def schema(random: Random, depth: int = 2) -> Schema:
    """An object with members of many kinds, some of them required."""
    names = random.sample(["city", "day", "unit", "limit", "tags", "where", "deep", "type", "required"], 4)
    return {
        "type": "object",
        "properties": {name: _member(random, depth) for name in names},
        "required": random.sample(names, 2),
    }


def _member(random: Random, depth: int) -> Schema:
    kinds = [
        "string",
        "choice",
        "integer",
        "number",
        "boolean",
        "either",
        *(["array", "object"] if depth else []),
    ]
    match random.choice(kinds):
        case "string":
            return {"type": "string", "minLength": random.randint(1, 3), "maxLength": random.randint(5, 9)}
        case "choice":
            return {"type": "string", "enum": ["a", "b", "c", "d"]}
        case "integer":
            return {"type": "integer", "minimum": 1, "maximum": 50}
        case "number":
            return {"type": "number", "exclusiveMinimum": 0, "maximum": 9.5}
        case "boolean":
            return {"type": "boolean"}
        case "either":
            return {"anyOf": [{"type": "string", "pattern": "^x"}, {"type": "integer"}, {"type": "null"}]}
        case "array":
            return {"type": "array", "items": _member(random, depth - 1), "maxItems": 9}
        case _:
            return schema(random, depth - 1)


def nodes(node: Schema) -> Iterator[Schema]:
    """The schema and all that it holds."""
    yield node
    for inner in node.get("properties", {}).values():
        yield from nodes(inner)
    if "items" in node:
        yield from nodes(node["items"])
    for inner in node.get("anyOf", []):
        yield from nodes(inner)


def _of_type(name: str) -> Callable[[Schema], bool]:
    return lambda node: node.get("type") == name


def _has(key: str) -> Callable[[Schema], bool]:
    return lambda node: key in node


def _any(_node: Schema) -> bool:
    return True


def _set(key: str, value: Any) -> Callable[[Schema, Random], None]:
    def change(node: Schema, _: Random) -> None:
        node[key] = value

    return change


def _drop(key: str) -> Callable[[Schema, Random], None]:
    return lambda node, _: node.pop(key)


def _step(key: str, by: float) -> Callable[[Schema, Random], None]:
    def change(node: Schema, _: Random) -> None:
        node[key] += by

    return change


def _respell(node: Schema, random: Random) -> None:
    members = list(node.items())
    random.shuffle(members)
    node.clear()
    node.update(members)
    for key in ("required", "enum"):
        if key in node:
            random.shuffle(node[key])
    if "type" in node:
        node["type"] = [node["type"]]


def _wrap(node: Schema, _: Random) -> None:
    inner = dict(node)
    node.clear()
    node["allOf"] = [inner]


def _lose_member(node: Schema, random: Random) -> None:
    name = random.choice(list(node["properties"]))
    del node["properties"][name]
    node["required"] = [one for one in node["required"] if one != name]


def _require(node: Schema, _: Random) -> None:
    node["required"] = [*node["required"], next(n for n in node["properties"] if n not in node["required"])]


def _add_member(node: Schema, _: Random) -> None:
    node["properties"]["more"] = {"type": "string"}


def _add_required(node: Schema, random: Random) -> None:
    _add_member(node, random)
    node["required"] = [*node["required"], "more"]


def _other_type(node: Schema, _: Random) -> None:
    node.clear()
    node["type"] = "array"


def _also_null(node: Schema, _: Random) -> None:
    node["type"] = [node["type"], "null"]


def _lose_form(node: Schema, _: Random) -> None:
    node["anyOf"] = node["anyOf"][:-1]


MUTATIONS: dict[str, tuple[Callable[[Schema], bool], Callable[[Schema, Random], None], str]] = {
    "another spelling": (_any, _respell, NOTHING),
    "all of one": (_any, _wrap, NOTHING),
    "a dialect": (_any, _set("$schema", "https://json-schema.org/draft/2020-12/schema"), NOTHING),
    "nothing more required": (_of_type("string"), _set("required", []), NOTHING),
    "a limit of nothing": (_of_type("array"), _set("minItems", 0), NOTHING),
    "others allowed, as before": (_of_type("object"), _set("additionalProperties", True), NOTHING),
    "integers that JSON can carry": (_of_type("boolean"), _set("uniqueItems", False), NOTHING),
    "a description": (_any, _set("description", "Some words."), TEXT),
    "a title": (_any, _set("title", "A title"), TEXT),
    "a default": (_any, _set("default", "x"), TEXT),
    "examples": (_any, _set("examples", ["x"]), TEXT),
    "a pattern": (_has("minLength"), _set("pattern", "^y"), LESS),
    "a format": (_has("minLength"), _set("format", "date"), LESS),
    "longer": (_has("minLength"), _step("minLength", 1), LESS),
    "shorter": (_has("maxLength"), _step("maxLength", -1), LESS),
    "no shortest": (_has("minLength"), _drop("minLength"), MORE),
    "no longest": (_has("maxLength"), _drop("maxLength"), MORE),
    "a value gone": (_has("enum"), lambda node, _: node["enum"].pop(), LESS),
    "a value more": (_has("enum"), lambda node, _: node["enum"].append("e"), MORE),
    "any value": (_has("enum"), _drop("enum"), MORE),
    "a higher minimum": (_has("minimum"), _step("minimum", 1), LESS),
    "a lower minimum": (_has("minimum"), _step("minimum", -1), MORE),
    "a higher exclusive minimum": (_has("exclusiveMinimum"), _step("exclusiveMinimum", 0.5), LESS),
    "a higher maximum": (_has("maximum"), _step("maximum", 1), MORE),
    "no maximum": (_has("maximum"), _drop("maximum"), MORE),
    "multiples": (_has("maximum"), _set("multipleOf", 2), LESS),
    "unique items": (_of_type("array"), _set("uniqueItems", True), LESS),
    "fewer items": (_has("maxItems"), _step("maxItems", -1), LESS),
    "not everything": (_of_type("boolean"), _set("not", {"enum": [False]}), LESS),
    "null as well": (lambda node: node.get("type") in ("boolean", "array", "integer"), _also_null, MORE),
    "any number": (_of_type("integer"), _set("type", "number"), MORE),
    "a form gone": (_has("anyOf"), _lose_form, LESS),
    "a form more": (_has("anyOf"), lambda node, _: node["anyOf"].append({"type": "boolean"}), MORE),
    "required now": (_has("properties"), _require, LESS),
    "new and required": (_has("properties"), _add_required, LESS),
    "no longer required": (_has("properties"), lambda node, _: node["required"].pop(), MORE),
    "a member gone": (_has("properties"), _lose_member, BREACH),
    "a member more": (_has("properties"), _add_member, GROWN),
    "another type": (lambda node: node.get("type") in ("string", "integer", "boolean"), _other_type, BREACH),
    "an unknown keyword": (_any, _set("x-limit", 5), BREACH),
}
"""For each: where it can be made, how, and what it means."""


def mutants(random: Random) -> Iterator[Mutant]:
    """Mutants without end, each with one change."""
    while True:
        old = schema(random)
        new = deepcopy(old)
        name, (fits, change, expected) = random.choice(list(MUTATIONS.items()))
        where = [node for node in nodes(new) if fits(node)]
        if where:
            change(random.choice(where), random)
            yield Mutant(name, old, new, expected)
