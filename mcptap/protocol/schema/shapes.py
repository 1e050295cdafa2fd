"""Shapes of params and results: which required key is missing or of the wrong type.

The required keys are those of `methods`; here are their types, and what the items of lists
must hold. Unknown keys are never a fault. Source: schema.ts of each revision.
"""

from __future__ import annotations

from typing import Any

from mcptap.protocol.revisions import NEWEST_HANDSHAKE, Revision
from mcptap.protocol.revisions.names import COMPLETE, LISTS
from mcptap.protocol.revisions.revision import Method

STRING = "a string"
OBJECT = "an object"
ARRAY = "an array"
NUMBER = "a number"
INTEGER = "an integer"

_CHECKS: dict[str, tuple[type, ...]] = {
    STRING: (str,),
    OBJECT: (dict,),
    ARRAY: (list,),
    NUMBER: (int, float),
    INTEGER: (int,),
}

RESULT_TYPES_OF_KEYS = {
    "capabilities": OBJECT,
    "protocolVersion": STRING,
    "serverInfo": OBJECT,
    "supportedVersions": ARRAY,
    "tools": ARRAY,
    "resources": ARRAY,
    "resourceTemplates": ARRAY,
    "prompts": ARRAY,
    "contents": ARRAY,
    "messages": ARRAY,
    "completion": OBJECT,
    "roots": ARRAY,
    "tasks": ARRAY,
    "model": STRING,
    "role": STRING,
    "action": STRING,
    "taskId": STRING,
    "status": STRING,
    "createdAt": STRING,
    "lastUpdatedAt": STRING,
    "_meta": OBJECT,
}
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

_ITEM_KEYS = {
    "tools": {"name": STRING},
    "resources": {"uri": STRING, "name": STRING},
    "resourceTemplates": {"uriTemplate": STRING, "name": STRING},
    "prompts": {"name": STRING},
    "messages": {"role": STRING, "content": OBJECT},
    "roots": {"uri": STRING},
    "tasks": {"taskId": STRING, "status": STRING},
}

_BLOCK_KEYS = {
    "text": {"text": STRING},
    "resource": {"resource": OBJECT},
    "resource_link": {"uri": STRING, "name": STRING},
}

# Keys that may be absent and may not be null, by where they stand.
OPTIONAL_RESULT_KEYS = ("nextCursor", "_meta", "instructions", "isError", "description", "stopReason")
OPTIONAL_ITEM_KEYS = {
    "tools": ("title", "description", "annotations", "outputSchema", "icons", "execution", "_meta"),
    "resources": ("title", "description", "mimeType", "size", "annotations", "icons", "_meta"),
    "resourceTemplates": ("title", "description", "mimeType", "annotations", "icons", "_meta"),
    "prompts": ("title", "description", "arguments", "icons", "_meta"),
    "content": ("annotations", "_meta"),
    "contents": ("mimeType", "_meta"),
}


def fits(value: Any, kind: str) -> bool:
    """Whether a value has this type (a truth value is no number)."""
    return isinstance(value, _CHECKS[kind]) and not (kind in (NUMBER, INTEGER) and isinstance(value, bool))


def method_facts(revision: Revision, name: str) -> Method | None:
    """The method in its revision; for an unknown revision, in the newest of the handshake."""
    return (revision or NEWEST_HANDSHAKE).methods.get(name)


def result_faults(method: Method, result: Any, revision: Revision) -> list[tuple[str, str]]:
    """What a result lacks: pairs of a path and what is wrong with it (`is absent`, `is no array`)."""
    if type(result) is not dict:
        return [("result", "is not an object")]
    if result.get("resultType", COMPLETE) != COMPLETE or "task" in result:
        return []
    faults: list[tuple[str, str]] = []
    for key in method.result:
        if key not in result:
            faults.append((key, "is absent"))
            continue
        kind = RESULT_TYPES_OF_KEYS.get(key)
        if kind is not None and not fits(result[key], kind) and key != "capabilities":
            faults.append((key, f"is not {kind}"))
    if method.name == "tools/call":
        if "content" in result:
            _content_faults(result["content"], faults)
    elif method.name == "initialize":
        _info_faults(result.get("serverInfo"), faults)
    elif method.name == "completion/complete":
        completion = result.get("completion")
        if isinstance(completion, dict) and not isinstance(completion.get("values"), list):
            faults.append(("completion.values", "is not an array"))
    else:
        for key, wanted in _ITEM_KEYS.items():
            if key in method.result and isinstance(result.get(key), list):
                _item_faults(key, result[key], wanted, faults, revision)
    return faults


def _info_faults(info: Any, faults: list[tuple[str, str]]) -> None:
    if isinstance(info, dict):
        faults.extend(
            (f"serverInfo.{key}", "is not a string" if key in info else "is absent")
            for key in ("name", "version")
            if not isinstance(info.get(key), str)
        )


def _content_faults(content: Any, faults: list[tuple[str, str]]) -> None:
    if type(content) is not list:
        faults.append(("content", "is not an array"))
        return
    for block in content:
        if type(block) is not dict:
            faults.append(("content[]", "is not an object"))
            continue
        kind = block.get("type")
        if type(kind) is not str:
            faults.append(("content[].type", "is not a string" if "type" in block else "is absent"))
            continue
        for key, wanted in _BLOCK_KEYS.get(kind, {}).items():
            if not fits(block.get(key), wanted):
                what = f"is not {wanted}" if key in block else "is absent"
                faults.append((f"content[].{key} ({kind})", what))


def _item_faults(
    key: str, items: list[Any], wanted: dict[str, str], faults: list[tuple[str, str]], revision: Revision
) -> None:
    for item in items:
        if type(item) is not dict:
            faults.append((f"{key}[]", "is not an object"))
            continue
        for name, kind in wanted.items():
            if name in item and fits(item[name], kind):
                continue
            if (
                key == "messages"
                and name == "content"
                and isinstance(item.get(name), list)
                and revision.allows_content_lists
            ):
                continue
            faults.append((f"{key}[].{name}", f"is not {kind}" if name in item else "is absent"))


def null_paths(method: Method, result: dict[str, Any]) -> list[str]:
    """Optional keys that are present and null, as paths."""
    found: list[str] = []
    if None in result.values():
        found += [key for key in OPTIONAL_RESULT_KEYS if key in result and result[key] is None]
        if "structuredContent" in method.result_keys and result.get("structuredContent", 0) is None:
            found.append("structuredContent")
    key = LISTS.get(method.name)
    if key is None:
        key = "content" if method.name == "tools/call" else "contents"
    items = result.get(key)
    if type(items) is list:
        optional = OPTIONAL_ITEM_KEYS[key]
        for item in items:
            if type(item) is dict and None in item.values():
                found += [f"{key}[].{name}" for name in optional if name in item and item[name] is None]
    return found


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
