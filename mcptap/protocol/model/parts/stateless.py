"""What belongs to 2026-07-28: discovery, the envelope of each request, and requests for input."""

from __future__ import annotations

from collections import deque
from typing import Any

from mcptap.protocol.model.parts.party import Party
from mcptap.protocol.model.request import Request
from mcptap.protocol.revisions.names import (
    INPUT_REQUIRED,
    META_CLIENT_CAPABILITIES,
    META_SERVER_INFO,
    META_VERSION,
    UNSUPPORTED_VERSION,
)


def missing_meta(meta: object) -> str:
    """The first key that a request's `_meta` has to have and lacks, or an empty string."""
    if not isinstance(meta, dict) or not isinstance(meta.get(META_VERSION), str):
        return META_VERSION
    return "" if isinstance(meta.get(META_CLIENT_CAPABILITIES), dict) else META_CLIENT_CAPABILITIES


class InputWait:
    """A result `input_required` that waits for the client to come back."""

    __slots__ = ("answer", "id", "kinds", "method", "retried", "state", "tool")

    def __init__(self, request: Request, answer: int, state: object, kinds: tuple[str, ...]) -> None:
        self.method = request.method
        self.tool = request.tool
        self.id = request.id
        self.answer = answer
        """The record number of that result."""
        self.state = state
        """`requestState` as given, None if there was none."""
        self.kinds = kinds
        """The methods of its `inputRequests`."""
        self.retried = False


class Stateless:
    """What a session shows of 2026-07-28."""

    def __init__(self, server: Party) -> None:
        self._server = server
        self.proven = False
        """Whether the server proved that it speaks it: it gave a result to such a request."""
        self.asked = False
        """Whether the client sent a request of it, other than `server/discover`."""
        self.discover: Request | None = None
        """The first `server/discover`."""
        self.discovered: dict[str, Any] | None = None
        """The result of the last `server/discover` that got one."""
        self.supported: tuple[str, ...] | None = None
        """Versions that the server says it supports, by discovery or in refusing another one."""
        self.enveloped_results = 0
        """Results, with a `resultType`, to requests other than `server/discover`."""
        self.waits: deque[InputWait] = deque(maxlen=256)
        self.retry: InputWait | None = None
        """The wait for input that the last request comes back to."""

    def take_request(self, request: Request, params: dict[str, Any] | None) -> None:
        """The client sent a request of this revision."""
        self.retry = None
        if params is not None and ("inputResponses" in params or "requestState" in params):
            self._find_wait(request, params)
        if request.method == "server/discover":
            self.discover = self.discover or request

    def _find_wait(self, request: Request, params: dict[str, Any]) -> None:
        """The wait that a request comes back to: that of its state, else the oldest of its method."""
        waits = [w for w in self.waits if w.method == request.method and not w.retried]
        state = params.get("requestState")
        for wait in [w for w in waits if w.state == state] or waits:
            wait.retried = True
            self.retry = wait
            return

    def take_refusal(self, error: dict[str, Any]) -> None:
        """`server/discover` was refused, perhaps with the versions that the server speaks."""
        data = error.get("data")
        versions = data.get("supported") if isinstance(data, dict) else None
        if error.get("code") == UNSUPPORTED_VERSION and isinstance(versions, list):
            self.supported = tuple(v for v in versions if isinstance(v, str))

    def take_result(
        self, request: Request, result: dict[str, Any], number: int, *, after_handshake: bool
    ) -> None:
        """The server gave a result, in this record, to a request of this revision."""
        self.proven = True
        if not self._server.info:
            meta = result.get("_meta")
            info = meta.get(META_SERVER_INFO) if isinstance(meta, dict) else None
            self._server.info = info if isinstance(info, dict) else {}
        kind = result.get("resultType")
        if request.method == "server/discover":
            self.discovered = result
            versions = result.get("supportedVersions")
            if isinstance(versions, list):
                self.supported = tuple(v for v in versions if isinstance(v, str))
            capabilities = result.get("capabilities")
            if isinstance(capabilities, dict) and not after_handshake:
                self._server.capabilities = capabilities
        elif isinstance(kind, str):
            self.enveloped_results += 1
        if kind == INPUT_REQUIRED:
            wanted = result.get("inputRequests")
            asks = wanted.values() if isinstance(wanted, dict) else ()
            methods = (ask.get("method") for ask in asks if isinstance(ask, dict))
            kinds = tuple(method for method in methods if isinstance(method, str))
            self.waits.append(InputWait(request, number, result.get("requestState"), kinds))
