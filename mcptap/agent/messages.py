"""Messages of JSON-RPC as bytes, without the imports that a client would wait for.

The standard library's `json` costs half a bare interpreter's start, orjson two of them.
"""

from __future__ import annotations

from mcptap.recording.format.content import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Key = str | int
"""The id of a request."""

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
UNSUPPORTED_VERSION = -32022
"""As in `protocol.revisions.names`, whose package takes longer to import than a client should wait."""


def encode(value: Any) -> bytes:
    """An ordinary value as compact JSON: of objects, lists, strings, whole numbers, booleans and None."""
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return {None: b"null", True: b"true", False: b"false"}[value]
    if isinstance(value, int):
        return b"%d" % value
    if isinstance(value, dict):
        return b"{%b}" % b",".join(quote(name) + b":" + encode(inner) for name, inner in value.items())
    return b"[%b]" % b",".join(map(encode, value))


def result(key: Key, value: dict[str, Any]) -> bytes:
    """The answer to a request, as a line."""
    return encode({"jsonrpc": "2.0", "id": key, "result": value}) + b"\n"


def error(key: Key | None, code: int, message: str, data: dict[str, Any] | None = None) -> bytes:
    """The refusal of a request, as a line; `key` is None if its id is not known."""
    said: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        said["data"] = data
    return encode({"jsonrpc": "2.0", "id": key, "error": said}) + b"\n"


def notification(method: str, params: dict[str, Any]) -> bytes:
    """A notification, as a line."""
    return encode({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n"
