"""Shapes of params and results: which required key is missing or of the wrong type.

The required keys are those of `methods`, what stands within them is told by `entities`.
Source: schema.ts of each revision.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from mcptap.protocol.revisions import NEWEST_HANDSHAKE, Revision
from mcptap.protocol.revisions.names import COMPLETE
from mcptap.protocol.revisions.revision import Method
from mcptap.protocol.schema.entities import (
    ANY,
    ARRAY,
    CAPABILITIES,
    NUMBER,
    OBJECT,
    OF_RESULTS,
    STRING,
    Block,
    Each,
    Entity,
    Faults,
    Kind,
    fits,
    walk,
    walk_entity,
)

PARAM_TYPES_OF_KEYS = {
    "capabilities": OBJECT,
    "protocolVersion": STRING,
    "clientInfo": OBJECT,
    "name": STRING,
    "uri": STRING,
    "level": STRING,
    "ref": OBJECT,
    "argument": OBJECT,
    "messages": ARRAY,
    "maxTokens": NUMBER,
    "message": STRING,
    "taskId": STRING,
    "progress": NUMBER,
    "notifications": OBJECT,
    "elicitationId": STRING,
    "requestedSchema": OBJECT,
}

_CONTENT: dict[str, Kind] = {"tools/call": Each(Block()), "elicitation/create": OBJECT}
"""What `content` is in the results of these methods."""


def method_facts(revision: Revision, name: str) -> Method | None:
    """The method in its revision; for an unknown revision, in the newest of the handshake."""
    return (revision or NEWEST_HANDSHAKE).methods.get(name)


@cache
def _entity(method: Method) -> Entity:
    """The result of a method."""
    fields = {key: OF_RESULTS[key] for key in method.result_keys if key in OF_RESULTS}
    if method.name in _CONTENT:
        fields["content"] = _CONTENT[method.name]
    if "structuredContent" in method.result_keys:
        fields["structuredContent"] = ANY  # has rules of its own, but for null
    return Entity(fields, method.result)


def result_faults(method: Method, result: Any) -> Faults:
    """What is wrong with a result: pairs of a path and what it is (`is absent`, `is not an array`)."""
    if type(result) is not dict:
        return [("result", "is not an object")]
    if result.get("resultType", COMPLETE) != COMPLETE or "task" in result:
        return []
    faults: Faults = []
    walk_entity(_entity(method), result, "", faults, [])
    if "capabilities" in method.result:
        _walk_capabilities(result.get("capabilities", {}), faults, [])
    elif method.name == "sampling/createMessage" and "content" in result:
        blocks = result["content"]
        for block in blocks if isinstance(blocks, list) else [blocks]:
            walk(Block(), block, "content", faults, [])
    return faults


def _walk_capabilities(capabilities: Any, faults: Faults, nulls: list[str]) -> None:
    """What is wrong, or null, within the capabilities of a server."""
    if capabilities is None:
        faults.append(("capabilities", "is not an object"))
    for name, kind in CAPABILITIES.items():
        declared = capabilities.get(name) if type(capabilities) is dict else None
        if type(declared) is dict:
            walk(kind, declared, f"capabilities.{name}", faults, nulls)


def null_paths(method: Method, result: dict[str, Any]) -> list[str]:
    """Optional keys that are present and null, as paths."""
    nulls: list[str] = []
    walk_entity(_entity(method), result, "", [], nulls)
    if "capabilities" in method.result:
        _walk_capabilities(result.get("capabilities", {}), [], nulls)
    return nulls


def param_faults(method: Method, params: dict[str, Any] | None) -> list[tuple[str, str]]:
    """Required params that are absent or of the wrong type."""
    faults: list[tuple[str, str]] = []
    for key in method.params:
        if params is None or key not in params:
            faults.append((key, "is absent"))
            continue
        kind = PARAM_TYPES_OF_KEYS.get(key)
        if kind is STRING and type(params[key]) is str:
            continue
        if kind is not None and not fits(params[key], kind):
            faults.append((key, f"is not {kind}"))
    if method.name == "tools/call" and params is not None:
        arguments = params.get("arguments")
        if arguments is not None and type(arguments) is not dict:
            faults.append(("arguments", "is not an object"))
    return faults
