"""The handshake: `initialize`, its answer, `notifications/initialized`, and what comes too early."""

from __future__ import annotations

import re
from typing import Any, Final

from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.party import Party
from mcptap.protocol.model.request import Request
from mcptap.protocol.revisions import UNKNOWN, find_handshake, looks_stateless
from mcptap.protocol.revisions.names import OPENERS
from mcptap.wire import SERVER_TO_CLIENT

MAX_EARLY: Final = 20

_NOT_READY = re.compile(r"initiali[sz]", re.I)


class Handshake:
    """How far it went, and what the two sides agreed on."""

    def __init__(self, client: Party, server: Party) -> None:
        self._client = client
        self._server = server
        self.revision = UNKNOWN
        """The revision agreed on or (before the answer) asked for; empty if unknown."""
        self.requested = ""
        """The `protocolVersion` that the client asked for last."""
        self.answered: object = None
        """The `protocolVersion` of the result, as written."""
        self.initialize: Request | None = None
        """The `initialize` that counts: the last one before a result."""
        self.done = False
        """Whether `initialize` got a result."""
        self.refusal: object = None
        """The error that `initialize` was answered with."""
        self.initialized: Message | None = None
        """The first `notifications/initialized`."""
        self.early_client_request: Request | None = None
        """The first request between the result and `notifications/initialized`, other than pings."""
        self.refused_early: Request | None = None
        """The first request that the server refused because `notifications/initialized` had not come."""
        self.early_server_requests: list[Request] = []
        """Requests of the server, other than pings, before `notifications/initialized` (the first ones)."""

    def take_initialize(self, message: Message, request: Request) -> None:
        """The client sent `initialize`."""
        params = message.params or {}
        version = params.get("protocolVersion")
        self.requested = version if isinstance(version, str) else ""
        revision = find_handshake(version)
        if not self.done:
            self.initialize = request
            self.revision = revision
            capabilities = params.get("capabilities")
            self._client.capabilities = capabilities if isinstance(capabilities, dict) else {}
            info = params.get("clientInfo")
            self._client.info = info if isinstance(info, dict) else {}
        request.revision = revision

    def take_result(self, request: Request, result: dict[str, Any]) -> None:
        """The server answered `initialize`."""
        if self.done and request is not self.initialize:
            return
        self.done = True
        self.answered = result.get("protocolVersion")
        if not looks_stateless(self.answered):
            self.revision = find_handshake(self.answered)
        request.revision = self.revision
        capabilities = result.get("capabilities")
        self._server.capabilities = capabilities if isinstance(capabilities, dict) else None
        info = result.get("serverInfo")
        self._server.info = info if isinstance(info, dict) else {}

    def take_refusal(self, request: Request, error: object) -> None:
        """The server refused a request before `notifications/initialized`."""
        if request is self.initialize and not self.done:
            self.refusal = error
        text = error.get("message") if isinstance(error, dict) else None
        if self.done and self.refused_early is None and isinstance(text, str) and _NOT_READY.search(text):
            self.refused_early = request

    def take_early_request(self, request: Request) -> None:
        """A request came before `notifications/initialized`."""
        if request.method == "ping":
            return
        if request.channel == SERVER_TO_CLIENT:
            if self.initialize is not None and len(self.early_server_requests) < MAX_EARLY:
                self.early_server_requests.append(request)
        elif self.done and self.early_client_request is None and request.method not in OPENERS:
            self.early_client_request = request
