"""What sides declare without a handshake: a stateless client says it in the `_meta` of each request."""

from __future__ import annotations

from typing import Any

from mcptap.protocol.model.message import REQUEST, Message
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import META_CLIENT_CAPABILITIES, META_CLIENT_INFO
from mcptap.wire import CLIENT_TO_SERVER

LOOKED_AT = 100
"""Requests that are looked at: a stateless client declares in its first."""


class Declared:
    """What a client says of itself in the `_meta` of its requests."""

    def __init__(self) -> None:
        self.capabilities: dict[str, Any] | None = None
        self.info: dict[str, Any] = {}
        self._left = LOOKED_AT

    def take(self, message: Message) -> None:
        """Look at a message."""
        if not self._left or message.kind is not REQUEST or message.channel != CLIENT_TO_SERVER:
            return
        self._left -= 1
        capabilities, info = (message.meta.get(key) for key in (META_CLIENT_CAPABILITIES, META_CLIENT_INFO))
        if isinstance(capabilities, dict):
            self.capabilities = {**(self.capabilities or {}), **capabilities}
        if isinstance(info, dict):
            self.info = self.info or info


def why_unknown(session: Session) -> str:
    """Why what a side did not declare can't be known; empty if it is known that it declared nothing."""
    if session.partial:
        return "the beginning of the session, or one side of it, is not in the recording"
    stateless = session.stateless
    if (stateless.proven or stateless.asked) and stateless.discovered is None:
        return (
            "this session has no handshake, and server/discover, which would tell, was not asked or refused"
        )
    if not session.ended:
        return "the opening of the session has not been answered so far"
    return ""
