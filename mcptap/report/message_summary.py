"""What matters of the commonest messages, in less than a line.

For the narrow lines of a terminal, where the beginning of the JSON would say nothing.
"""

from __future__ import annotations

import json
from typing import Any

from mcptap.protocol.model.message import REQUEST, RESPONSE, Message
from mcptap.recording.format.model import as_list, as_object


def message_summary(message: Message) -> str:
    """A few words on a message; empty where its JSON tells as much."""
    if message.kind == REQUEST:
        params = message.params or {}
        if message.method == "initialize":
            return _handshake(params, params.get("clientInfo"))
        if message.method == "tools/call" and "arguments" in params:
            return json.dumps(params["arguments"], ensure_ascii=False)
    elif message.kind == RESPONSE and isinstance(message.result, dict):
        return _result(message.method, message.result)
    return ""


def _result(method: str, result: dict[str, Any]) -> str:
    if method == "initialize":
        return _handshake(result, result.get("serverInfo"))
    if method == "tools/call":
        texts = [as_object(part).get("text") for part in as_list(result.get("content"))]
        return (
            json.dumps(texts[0], ensure_ascii=False) if len(texts) == 1 and isinstance(texts[0], str) else ""
        )
    name, _, action = method.partition("/")
    if action == "list" and isinstance(result.get(name), list):
        return _names(name, result[name])
    return ""


def _handshake(side: dict[str, Any], info: Any) -> str:
    """What one side says of itself in `initialize`."""
    who = " ".join(str(as_object(info).get(key, "")) for key in ("name", "version")).strip()
    declared = ", ".join(as_object(side.get("capabilities"))) or "nothing"
    return f"{side.get('protocolVersion', 'no version')}, declares {declared}, {who or 'no name'}"


def _names(what: str, items: list[Any]) -> str:
    names = [str(as_object(item).get("name") or as_object(item).get("uri") or "?") for item in items]
    noun = what.removesuffix("s") if len(items) == 1 else what
    return f"{len(items)} {noun}: {', '.join(names)}" if items else f"no {what}"
