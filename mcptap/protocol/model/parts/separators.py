"""Characters within a line that some readers take for its end, and what was lost by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import Request
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

SEPARATORS: Final[Mapping[bytes, str]] = {
    b"\xe2\x80\xa8": "U+2028",
    b"\xe2\x80\xa9": "U+2029",
    b"\xc2\x85": "U+0085",
}
"""The bytes of each in UTF-8. JSON allows all of them within a string; a line of MCP ends at LF alone."""
REMEMBERED: Final = 256


class Loss(NamedTuple):
    """A line that its reader did not take as one: its record, the record that shows it, and what it was."""

    number: int
    shown_by: int
    request: Request | None
    """The request whose answer was lost; None if the line itself was torn and refused."""


class Separators:
    """Lines with such a character, by channel."""

    def __init__(self) -> None:
        self.first: dict[str, tuple[int, str]] = {}
        """The record of the first such line of a channel, and the name of the character."""
        self.losses: dict[str, Loss] = {}
        """The first loss of each channel."""
        self._held: dict[int, None] = {}
        self._torn = 0
        self._refusals = 0

    def take_line(self, message: Message) -> None:
        """A line of stdin or stdout came."""
        data = message.line.data
        if message.channel == CLIENT_TO_SERVER:
            self._torn = 0
        if data.isascii():
            return
        for raw, name in SEPARATORS.items():
            if raw in data:
                self.first.setdefault(message.channel, (message.number, name))
                self._held[message.number] = None
                if len(self._held) > REMEMBERED:
                    del self._held[next(iter(self._held))]
                if message.channel == CLIENT_TO_SERVER:
                    self._torn, self._refusals = message.number, 0
                return

    def take_parse_error(self, message: Message) -> None:
        """The server could not parse a line: two such errors to one line show that it read two."""
        if self._torn:
            self._refusals += 1
            if self._refusals > 1:
                self.losses.setdefault(CLIENT_TO_SERVER, Loss(self._torn, message.number, None))

    def take_time_out(self, message: Message, request: Request) -> None:
        """The client gave up a request, as timed out, that was answered already."""
        if request.answer in self._held:
            self.losses.setdefault(SERVER_TO_CLIENT, Loss(request.answer, message.number, request))
