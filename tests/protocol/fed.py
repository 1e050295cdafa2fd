"""A session that is fed messages one by one, without a recording."""

from __future__ import annotations

from typing import Any

from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.session import Session
from mcptap.recording.format.model import Event
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT
from tests.diagnosis.sessions import line
from tests.helpers import as_bytes, request, result

SECOND = 1_000_000


class Fed:
    """A session and the clock of its items, which stands still unless it is told to go on."""

    def __init__(self, session: Session | None = None) -> None:
        self.session = session or Session()
        self.number = 1
        self.t_us = 0

    def client(self, content: Any) -> Message:
        """A line from the client: bytes, or a message as an object."""
        return self._line(CLIENT_TO_SERVER, content)

    def server(self, content: Any) -> Message:
        """A line from the server."""
        return self._line(SERVER_TO_CLIENT, content)

    def ask(self, id: Any, method: str, params: Any = None, answer: Any = None) -> Request:
        """A request of the client, and the result that the server gives to it."""
        asked = self.client(request(id, method, params))
        self.server(result(id, answer))
        assert asked.request is not None
        return asked.request

    def event(self, kind: str, **fields: Any) -> None:
        """An event."""
        self.number += 1
        self.session.feed(Event(self.number, kind, self.t_us, 0, fields))

    def wait(self, us: int) -> None:
        """So many microseconds pass."""
        self.t_us += us

    def _line(self, channel: str, content: Any) -> Message:
        self.number += 1
        message = self.session.feed(line(self.number, channel, as_bytes(content).rstrip(b"\n"), self.t_us))
        assert message is not None
        return message
