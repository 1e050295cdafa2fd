"""What was sent, in numbers and firsts."""

from __future__ import annotations

from typing import Final

from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import ERROR, IS_ERROR, Request
from mcptap.protocol.revisions import KNOWN

MAX_METHODS: Final = 1000
"""So many different methods are counted."""


class Traffic:
    """Counts of a session's lines and of the client's requests."""

    def __init__(self) -> None:
        self.lines = 0
        """Lines of stdin and stdout."""
        self.strays = 0
        """Those of them that are no message."""
        self.first_line: dict[str, int] = {}
        """Record number of the first line of each of the two channels."""
        self.http2: int | None = None
        """Record number of the first line of the client, if the stream begins as HTTP/2 does."""
        self.requests = 0
        """Requests of the client."""
        self.failures = 0
        """Requests of the client that were answered with an error, or with a tool's failure."""
        self.ordinary_requests = 0
        """Requests of the client other than `initialize`, `ping` and `server/discover`."""
        self.first_request: Request | None = None
        """The first request of the client."""
        self.first_but_probes: Request | None = None
        """The first request of the client that is neither `ping` nor `server/discover`."""
        self.last_request = 0
        """Record number of the last request of the client."""
        self.last_call = 0
        """Record number of the last request of the client that calls a tool."""
        self.only_discover = True
        """Whether no request but `server/discover` came from the client."""
        self.by_method: dict[str, int] = {}
        """Requests of the client by method."""
        self.first_answer: int | None = None
        """Record number of the first line from the server that was a readable answer."""
        self.answered_methods: set[str] = set()
        """Methods of MCP that the server answered with a result."""

    @property
    def messages(self) -> int:
        """Requests, notifications and responses of both sides."""
        return self.lines - self.strays

    def take_request(self, request: Request, *, odd: bool = False) -> None:
        """Count a request of the client; an `odd` one of a probe asks for nothing that it names."""
        method = request.method
        self.requests += 1
        self.last_request = request.number
        if method == "tools/call":
            self.last_call = request.number
        if self.first_request is None:
            self.first_request = request
        if method != "server/discover":
            self.only_discover = False
            if method != "ping":
                if self.first_but_probes is None:
                    self.first_but_probes = request
                if method != "initialize":
                    self.ordinary_requests += 1
        if odd:
            return
        counts = self.by_method
        if method in counts or len(counts) < MAX_METHODS:
            counts[method] = counts.get(method, 0) + 1

    def take_answer(self, message: Message, request: Request) -> None:
        """The server answered a request."""
        if self.first_answer is None:
            self.first_answer = message.number
        if request.state is ERROR or request.state is IS_ERROR:
            self.failures += 1
        if type(message.result) is dict and request.method in KNOWN:
            self.answered_methods.add(request.method)
