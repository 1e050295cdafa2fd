"""The protocol side of the server: a line of the client in, what to do about it out. No I/O.

Both eras are served, request by request: after `initialize` (revisions up to 2025-11-25), and with a revision
in the `_meta` of each request (2026-07-28). What it answers at once costs no imports.
"""

from __future__ import annotations

from mcptap import __version__
from mcptap.agent.messages import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    error,
    result,
)
from mcptap.agent.tools import INSTRUCTIONS, NAMES, TOOLS
from mcptap.recording.format.content import NOT_JSON, parse_strictly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from mcptap.agent.messages import Key

HANDSHAKE_REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
STATELESS_REVISIONS = ("2026-07-28",)
"""As in `protocol.revisions`, whose import a client would wait for; a test compares them."""

BATCHED_REVISION = "2025-03-26"
"""The only revision that has batches: who speaks it has to take them."""

_META = "io.modelcontextprotocol/"
_VERSION, _CAPABILITIES = _META + "protocolVersion", _META + "clientCapabilities"

INFO = {"name": "mcptap", "title": "mcptap", "version": __version__}
_CAPABILITIES_OF_SERVER: dict[str, Any] = {"tools": {}}
_LIST_TTL_MS = 3_600_000
"""The list of tools is the same for as long as this version is installed."""


class Call:
    """A tool that is to be called. `token` is that of its progress, None if the client wants none."""

    __slots__ = ("arguments", "key", "name", "stateless", "token")

    def __init__(
        self, key: Key, name: str, arguments: dict[str, Any], token: Key | None, stateless: bool
    ) -> None:
        self.key = key
        self.name = name
        self.arguments = arguments
        self.token = token
        self.stateless = stateless

    def answer(self, text: str, is_error: bool = False) -> bytes:
        """The line that answers it."""
        said: dict[str, Any] = {"content": [{"type": "text", "text": text}]}
        if is_error:
            said["isError"] = True
        return result(self.key, _complete(said) if self.stateless else said)


class Cancelled:
    """A call whose answer is no longer wanted."""

    __slots__ = ("key",)

    def __init__(self, key: Key) -> None:
        self.key = key


class Batch:
    """What the messages of a batch ask for, in their order; its answers are one line."""

    __slots__ = ("said",)

    def __init__(self, said: list[bytes | Call | Cancelled]) -> None:
        self.said = said


def batched(answers: Iterable[bytes]) -> bytes:
    """The line that answers a batch; empty if nothing in it is to be answered."""
    inner = b",".join(answer.rstrip(b"\n") for answer in answers)
    return b"[%b]\n" % inner if inner else b""


class Conversation:
    """Answers what can be answered at once."""

    def __init__(self) -> None:
        self._is_open = self._is_stateless = self._has_batches = False

    def receive(self, line: bytes) -> bytes | Call | Cancelled | Batch | None:
        """What a line (without its end) asks for: the line that answers it, a call, or nothing."""
        if not line.strip():
            return None
        message = parse_strictly(line)
        if message is NOT_JSON:
            return error(None, PARSE_ERROR, "the line is no JSON")
        if isinstance(message, list) and message and self._has_batches:
            said = [got for each in message if (got := self._received(each, in_batch=True)) is not None]
            return Batch(said) if said else None
        return self._received(message)

    def _received(self, message: Any, *, in_batch: bool = False) -> bytes | Call | Cancelled | None:
        if not isinstance(message, dict):
            only = f"; only revision {BATCHED_REVISION} has batches" if isinstance(message, list) else ""
            return error(None, INVALID_REQUEST, f"a line has to be one JSON-RPC message{only}")
        method = message.get("method")
        if method is None and ("result" in message or "error" in message):
            return None  # nothing was asked of the client
        key = message.get("id")
        is_key = isinstance(key, str | int) and not isinstance(key, bool)
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
            return error(key if is_key else None, INVALID_REQUEST, "this is no message of JSON-RPC 2.0")
        params = message.get("params", {})
        if "id" not in message:
            return self._notified(method, params)
        if not isinstance(key, str | int) or isinstance(key, bool):
            return error(None, INVALID_REQUEST, "the id of a request is a string or a whole number")
        if not isinstance(params, dict):
            return error(key, INVALID_PARAMS, "params has to be an object")
        if in_batch and method == "initialize":
            return error(key, INVALID_REQUEST, "initialize has to stand alone, not in a batch")
        return self._asked(key, method, params)

    def too_long(self, most: int) -> bytes:
        """What answers a line of more bytes than are taken."""
        return error(None, INVALID_REQUEST, f"a line has at most {most:,} bytes here")

    @staticmethod
    def _notified(method: str, params: Any) -> Cancelled | None:
        """A notification is never answered, whatever is wrong with it."""
        key = params.get("requestId") if isinstance(params, dict) else None
        if method == "notifications/cancelled" and isinstance(key, str | int):
            return Cancelled(key)
        return None

    def _asked(self, key: Key, method: str, params: dict[str, Any]) -> bytes | Call:
        meta = params.get("_meta")
        meta = meta if isinstance(meta, dict) else {}
        if method == "initialize":
            return self._opened(key, params)
        if _VERSION in meta or method == "server/discover":
            return self._stateless(key, method, params, meta)
        if method == "ping":
            return result(key, {})
        if not self._is_open:
            lacking = f"_meta lacks {_VERSION}" if self._is_stateless else "send initialize first"
            return error(key, INVALID_PARAMS, f"{method} came too soon: {lacking}")
        if method == "tools/list":
            return result(key, {"tools": TOOLS})
        if method == "tools/call":
            return _call(key, params, meta, stateless=False)
        return error(key, METHOD_NOT_FOUND, f"there is no method {method[:80]!r} here")

    def _opened(self, key: Key, params: dict[str, Any]) -> bytes:
        self._is_open = True
        asked = params.get("protocolVersion")
        agreed = asked if asked in HANDSHAKE_REVISIONS else HANDSHAKE_REVISIONS[-1]
        self._has_batches = agreed == BATCHED_REVISION
        return result(
            key,
            {
                "protocolVersion": agreed,
                "capabilities": _CAPABILITIES_OF_SERVER,
                "serverInfo": INFO,
                "instructions": INSTRUCTIONS,
            },
        )

    def _stateless(self, key: Key, method: str, params: dict[str, Any], meta: dict[str, Any]) -> bytes | Call:
        asked = meta.get(_VERSION)
        if not isinstance(asked, str) or not isinstance(meta.get(_CAPABILITIES), dict):
            missing = _CAPABILITIES if isinstance(asked, str) else _VERSION
            return error(key, INVALID_PARAMS, f"_meta lacks {missing}")
        if asked not in STATELESS_REVISIONS:
            known = {"supported": list(STATELESS_REVISIONS), "requested": asked}
            return error(key, UNSUPPORTED_VERSION, "the revision is not spoken here", known)
        self._is_stateless = True
        if method == "server/discover":
            said = {
                "supportedVersions": list(STATELESS_REVISIONS),
                "capabilities": _CAPABILITIES_OF_SERVER,
                "instructions": INSTRUCTIONS,
            }
            return result(key, _cacheable(said))
        if method == "tools/list":
            return result(key, _cacheable({"tools": TOOLS}))
        if method == "tools/call":
            return _call(key, params, meta, stateless=True)
        return error(key, METHOD_NOT_FOUND, f"there is no method {method[:80]!r} here")


def _call(key: Key, params: dict[str, Any], meta: dict[str, Any], *, stateless: bool) -> bytes | Call:
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str) or name not in NAMES:
        return error(key, INVALID_PARAMS, f"there is no such tool; there are {', '.join(NAMES)}")
    arguments = {} if arguments is None else arguments
    if not isinstance(arguments, dict):
        return error(key, INVALID_PARAMS, "arguments has to be an object")
    token = meta.get("progressToken")
    wanted = isinstance(token, str | int) and not isinstance(token, bool)
    return Call(key, name, arguments, token if wanted else None, stateless)


def _complete(said: dict[str, Any]) -> dict[str, Any]:
    return {**said, "resultType": "complete", "_meta": {_META + "serverInfo": INFO}}


def _cacheable(said: dict[str, Any]) -> dict[str, Any]:
    return _complete({**said, "ttlMs": _LIST_TTL_MS, "cacheScope": "private"})
