"""What a played client sends, as lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcptap.protocol.model.message import Message
from mcptap.protocol.revisions.names import METHOD_NOT_FOUND


def as_line(message: Any) -> bytes:
    """A message (or a batch of them) as a line of compact JSON, with its LF."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    # What UTF-8 can't hold, a lone surrogate, JSON has an escape for: the same as Python's.
    return text.encode(errors="backslashreplace") + b"\n"


def request_line(
    method: str, params: dict[str, Any] | None, key: Any, meta: dict[str, Any] | None = None
) -> bytes:
    """A request with the id `key` as a line; `meta` is added to its `_meta`."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "id": key, "method": method}
    if meta:
        params = {**(params or {}), "_meta": {**meta, **(params or {}).get("_meta", {})}}
    if params is not None:
        message["params"] = params
    return as_line(message)


def notification_line(method: str, params: dict[str, Any] | None = None) -> bytes:
    """A notification as a line."""
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    if params is not None:
        message["params"] = params
    return as_line(message)


def reply(request: Message, capabilities: Mapping[str, Any], folder: str) -> bytes:
    """The response, as a line, of a client that declares these capabilities and works in this folder.

    Its roots are the folder. Nobody is there to be asked, so a question to a person is cancelled.
    """
    result: dict[str, Any] | None = None
    if request.method == "roots/list" and "roots" in capabilities:
        result = {"roots": [{"uri": Path(folder).absolute().as_uri(), "name": Path(folder).name}]}
    elif request.method == "elicitation/create" and "elicitation" in capabilities:
        result = {"action": "cancel"}
    if result is None:
        return refusal(request)
    return as_line({"jsonrpc": "2.0", "id": request.line.value["id"], "result": result})


def refusal(request: Message) -> bytes:
    """The response, as a line, to a request of the server that the client knows no answer to.

    A ping has to be answered (2025-11-25, basic/utilities/ping); all else may be refused.
    """
    response: dict[str, Any] = {"jsonrpc": "2.0", "id": request.line.value["id"]}
    if request.method == "ping":
        response["result"] = {}
    else:
        response["error"] = {
            "code": METHOD_NOT_FOUND,
            "message": f"{request.method} is not supported by this client",
        }
    return as_line(response)
