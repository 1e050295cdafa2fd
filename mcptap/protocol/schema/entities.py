"""What results hold, key by key: which keys an object must have, and of which type each of its values is.

Unknown keys are never a fault. Source: schema.ts of each revision, which agree in the types of the
keys that they have; compared with the validators of the Python SDK 1.30.0 and 2.3.0 and of the
TypeScript SDK 1.32.2 over some two thousand results, each wrong in one place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

STRING = "a string"
OBJECT = "an object"
ARRAY = "an array"
NUMBER = "a number"
INTEGER = "an integer"
BOOLEAN = "true or false"
PRIORITY = "a number from 0 to 1"
ANY = "anything"

_CHECKS: dict[str, tuple[type, ...]] = {
    STRING: (str,),
    OBJECT: (dict,),
    ARRAY: (list,),
    NUMBER: (int, float),
    INTEGER: (int,),
    BOOLEAN: (bool,),
    PRIORITY: (int, float),
    ANY: (object,),
}


def fits(value: Any, kind: str) -> bool:
    """Whether a value has this type (a truth value is no number)."""
    if not isinstance(value, _CHECKS[kind]) or (type(value) is bool and kind not in (BOOLEAN, ANY)):
        return False
    return kind != PRIORITY or (isinstance(value, int | float) and 0 <= value <= 1)


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of these words."""

    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Each:
    """An array of values of this kind."""

    item: Kind


@dataclass(frozen=True, slots=True)
class Map:
    """An object with any keys, whose values are of this kind."""

    value: Kind


@dataclass(frozen=True, slots=True)
class Entity:
    """An object of the schema. With `one_of`, at least one of these keys must be there."""

    fields: Mapping[str, Kind]
    required: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A content block: which entity it is, its `type` says; other types are for another rule."""


Kind = str | OneOf | Each | Map | Entity | Block

Faults = list[tuple[str, str]]
"""Paths (`tools[].icons[].src`) and what is wrong there (`is absent`, `is not a string`)."""

ROLE = OneOf(("user", "assistant"))
_ICON = Entity(
    {"src": STRING, "mimeType": STRING, "sizes": Each(STRING), "theme": OneOf(("light", "dark"))}, ("src",)
)
_NAMED: dict[str, Kind] = {
    "name": STRING,
    "title": STRING,
    "description": STRING,
    "icons": Each(_ICON),
    "_meta": OBJECT,
}
_ANNOTATIONS = Entity({"audience": Each(ROLE), "priority": PRIORITY, "lastModified": STRING})
_OF_RESOURCE = _NAMED | {"mimeType": STRING, "annotations": _ANNOTATIONS}
_RESOURCE = Entity(_OF_RESOURCE | {"uri": STRING, "size": NUMBER}, ("uri", "name"))
_EMBEDDED = Entity(
    {"uri": STRING, "mimeType": STRING, "_meta": OBJECT, "text": STRING, "blob": STRING},
    ("uri",),
    ("text", "blob"),
)
_IN_BLOCK: dict[str, Kind] = {"annotations": _ANNOTATIONS, "_meta": OBJECT}
BLOCKS = {
    "text": Entity(_IN_BLOCK | {"text": STRING}, ("text",)),
    "image": Entity(_IN_BLOCK),  # its data and mimeType have a rule of their own
    "audio": Entity(_IN_BLOCK),
    "resource": Entity(_IN_BLOCK | {"resource": _EMBEDDED}, ("resource",)),
    "resource_link": _RESOURCE,
}
_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_TOOL = Entity(
    _NAMED
    | {
        "outputSchema": ANY,
        "annotations": Entity({"title": STRING} | dict.fromkeys(_HINTS, BOOLEAN)),
        "execution": Entity({"taskSupport": OneOf(("required", "optional", "forbidden"))}),
    },
    ("name",),
)
_ARGUMENT = Entity({"name": STRING, "description": STRING, "required": BOOLEAN}, ("name",))
_TASK: dict[str, Kind] = {
    "taskId": STRING,
    "status": STRING,
    "statusMessage": STRING,
    "createdAt": STRING,
    "lastUpdatedAt": STRING,
    "pollInterval": NUMBER,
}

OF_RESULTS: dict[str, Kind] = _TASK | {
    "protocolVersion": STRING,
    "supportedVersions": Each(STRING),
    "serverInfo": Entity(
        {"name": STRING, "version": STRING, "title": STRING, "websiteUrl": STRING, "icons": Each(_ICON)},
        ("name", "version"),
    ),
    "instructions": STRING,
    "description": STRING,
    "nextCursor": STRING,
    "isError": ANY,  # has a rule of its own, but for null
    "stopReason": STRING,
    "model": STRING,
    "role": ROLE,
    "action": OneOf(("accept", "decline", "cancel")),
    "_meta": OBJECT,
    "tools": Each(_TOOL),
    "resources": Each(_RESOURCE),
    "resourceTemplates": Each(Entity(_OF_RESOURCE | {"uriTemplate": STRING}, ("uriTemplate", "name"))),
    "prompts": Each(Entity(_NAMED | {"arguments": Each(_ARGUMENT)}, ("name",))),
    "contents": Each(Entity({"mimeType": STRING, "_meta": OBJECT})),  # the rest has a rule of its own
    "messages": Each(Entity({"role": ROLE, "content": Block()}, ("role", "content"))),
    "completion": Entity({"values": Each(STRING), "total": INTEGER, "hasMore": BOOLEAN}, ("values",)),
    "roots": Each(Entity({"uri": STRING, "name": STRING, "_meta": OBJECT}, ("uri",))),
    "tasks": Each(Entity(_TASK, ("taskId", "status"))),
}
"""The kinds of values that keys of results have, whatever the method."""

_SAYS_CHANGED: dict[str, Kind] = {"listChanged": BOOLEAN}
CAPABILITIES: dict[str, Kind] = {
    "tools": Entity(_SAYS_CHANGED),
    "prompts": Entity(_SAYS_CHANGED),
    "resources": Entity(_SAYS_CHANGED | {"subscribe": BOOLEAN}),
    "experimental": Map(OBJECT),
    "extensions": Map(OBJECT),
}
"""What stands within a capability of a server; that each is an object is for another rule."""


def walk(kind: Kind, value: Any, path: str, faults: Faults, nulls: list[str]) -> None:
    """Add what is wrong with a value to `faults`, and paths of optional keys that are null to `nulls`."""
    if type(kind) is str:
        if not fits(value, kind):
            faults.append((path, f"is not {kind}"))
    elif type(kind) is Each:
        if type(value) is not list:
            faults.append((path, "is not an array"))
            return
        path += "[]"
        for item in value:
            walk(kind.item, item, path, faults, nulls)
    elif type(kind) is OneOf:
        if value not in kind.words:
            faults.append((path, f"is not {', '.join(kind.words[:-1])} or {kind.words[-1]}"))
    elif type(value) is not dict:
        faults.append((path, "is not an object"))
    elif type(kind) is Entity:
        walk_entity(kind, value, f"{path}.", faults, nulls)
    elif type(kind) is Map:
        for key, inner in value.items():
            walk(kind.value, inner, f"{path}.{key}", faults, nulls)
    else:
        _walk_block(value, path, faults, nulls)


def walk_entity(entity: Entity, value: dict[str, Any], prefix: str, faults: Faults, nulls: list[str]) -> None:
    """The same for an object of the schema; `prefix` is its path, with a dot."""
    for key in entity.required:
        if key not in value:
            faults.append((f"{prefix}{key}", "is absent"))
    if entity.one_of and not any(key in value for key in entity.one_of):
        faults.append((prefix[:-1], f"has neither {' nor '.join(entity.one_of)}"))
    fields = entity.fields
    for key, inner in value.items():
        kind = fields.get(key)
        if kind is None or (kind is STRING and type(inner) is str):
            continue  # as nearly all are
        if inner is None and key not in entity.required and key not in entity.one_of:
            nulls.append(f"{prefix}{key}")
        elif kind is not ANY:
            walk(kind, inner, f"{prefix}{key}", faults, nulls)


def _walk_block(block: dict[str, Any], path: str, faults: Faults, nulls: list[str]) -> None:
    kind = block.get("type")
    if type(kind) is not str:
        faults.append((f"{path}.type", "is not a string" if "type" in block else "is absent"))
    elif kind in BLOCKS:
        found: Faults = []
        walk_entity(BLOCKS[kind], block, f"{path}.", found, nulls)
        if found:
            faults += [(f"{where} ({kind})", why) for where, why in found]
