"""Who sent a message of which nothing but the message is known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mcptap.protocol.revisions import KNOWN
from mcptap.recording.format.model import RecordingError
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

SERVER_REQUESTS = frozenset(("sampling/createMessage", "roots/list", "elicitation/create"))
CLIENT_NOTIFICATIONS = frozenset(
    ("notifications/initialized", "notifications/roots/list_changed", "notifications/cancelled")
)
MAX_PENDING = 10_000
"""Requests whose answers are waited for; more than that are forgotten, oldest first."""

_PROTOCOLS = (
    ("session/", "the Agent Client Protocol (ACP), between an editor and an agent"),
    ("fs/", "the Agent Client Protocol (ACP), between an editor and an agent"),
    ("textDocument/", "the Language Server Protocol"),
    ("workspace/", "the Language Server Protocol"),
    ("eth_", "Ethereum"),
)
"""Protocols that use JSON-RPC as well, by how their methods begin."""


class Senders:
    """Tells the senders of messages, one after the other: of a request or notification by its method, of a
    response by the request that it answers."""

    def __init__(self) -> None:
        self._pending: dict[str, dict[tuple[type, Any], None]] = {
            CLIENT_TO_SERVER: {},
            SERVER_TO_CLIENT: {},
        }

    def sender(self, value: Any) -> str:
        """The channel of the next message, or of a batch by its first one."""
        if isinstance(value, list):
            return self.sender(value[0]) if value else CLIENT_TO_SERVER
        if not isinstance(value, dict):
            return SERVER_TO_CLIENT
        method, key = value.get("method"), _key(value.get("id"))
        if isinstance(method, str):
            sender = _caller(method, value)
            if key is not None:
                waiting = self._pending[sender]
                waiting[key] = None
                if len(waiting) > MAX_PENDING:
                    del waiting[next(iter(waiting))]
            return sender
        asked_by_server = self._pending[SERVER_TO_CLIENT]
        asked_by_client = self._pending[CLIENT_TO_SERVER]
        if key is None or key in asked_by_client or key not in asked_by_server:
            if key is not None:
                asked_by_client.pop(key, None)
            return SERVER_TO_CLIENT
        del asked_by_server[key]
        return CLIENT_TO_SERVER


def _caller(method: str, value: dict[str, Any]) -> str:
    if "id" in value:
        return SERVER_TO_CLIENT if method in SERVER_REQUESTS else CLIENT_TO_SERVER
    if method in CLIENT_NOTIFICATIONS or not method.startswith("notifications/"):
        return CLIENT_TO_SERVER
    return SERVER_TO_CLIENT


def _key(identifier: Any) -> tuple[type, Any] | None:
    return (type(identifier), identifier) if isinstance(identifier, (str, int, float)) else None


def refuse_other_protocols(values: Iterable[Any]) -> None:
    """Raise RecordingError if most methods of these messages are none of MCP: JSON-RPC of something else."""
    found = [value.get("method") for value in values if isinstance(value, dict)]
    methods = {method for method in found if isinstance(method, str)}
    strange = sorted(methods - KNOWN)
    if 2 * len(strange) <= len(methods):
        return
    for beginning, name in _PROTOCOLS:
        if any(method.startswith(beginning) for method in strange):
            raise RecordingError(f"holds JSON-RPC of {name}, not MCP ({', '.join(strange[:3])})")
    raise RecordingError(
        f"holds JSON-RPC, but most of its methods are none of MCP ({', '.join(strange[:3])})"
    )
