"""Lines that are no messages by themselves, and one message together."""

from __future__ import annotations

import re

from mcptap.protocol.model.broken import BOM, LOOK_AT, Broken
from mcptap.protocol.model.message import TEXT, Message

MAX_PIECES = 5000
MAX_PIECES_BYTES = 16 << 20

# An open string matches as well, so that each character is looked at once.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*("?)')


def depth(text: str) -> int | None:
    """How many brackets of JSON stay open at the end of this line; None if a string stays open."""
    if not all(match.group(1) for match in _STRING.finditer(text)):
        return None
    bare = _STRING.sub("", text)
    return bare.count("{") + bare.count("[") - bare.count("}") - bare.count("]")


class Pieces:
    """Consecutive lines of one channel that may be one message, pretty-printed.

    `starts` and `goes_on` take a line that is no message, and hold it if it may be a piece. Once
    the brackets are `closed`, `whole` tells whether the held lines are a message. `release` gives
    them back.
    """

    def __init__(self) -> None:
        self.held: list[Message] = []
        self._depth = 0
        self._bytes = 0

    def starts(self, message: Message) -> bool:
        """Whether a message spread over lines may begin with this line; then it is held."""
        if message.kind is not TEXT or len(message.line.data) > LOOK_AT:
            return False
        text = message.line.data.removeprefix(BOM).decode(errors="replace")
        if not text.lstrip().startswith("{"):
            return False
        deep = depth(text)
        if deep is None or deep <= 0:
            return False
        self.held, self._depth, self._bytes = [message], deep, len(message.line.data)
        return True

    def goes_on(self, message: Message) -> bool:
        """Whether this line, no message by itself, may be the next piece; then it is held."""
        deep = depth(message.line.data.decode(errors="replace"))
        self._bytes += len(message.line.data)
        if deep is None or len(self.held) >= MAX_PIECES or self._bytes > MAX_PIECES_BYTES:
            return False
        self.held.append(message)
        self._depth += deep
        return True

    @property
    def closed(self) -> bool:
        """Whether every bracket is closed, so that the lines are a whole or nothing."""
        return self._depth <= 0

    def whole(self) -> Broken | None:
        """The message that the held lines are together, or None."""
        joined = b"\n".join(piece.line.data for piece in self.held)
        broken = Broken(joined)
        if isinstance(broken.value, dict) and "jsonrpc" in broken.value and len(self.held) > 1:
            broken.joined = broken.value
            broken.numbers = [piece.number for piece in self.held]
            return broken
        return None

    def release(self) -> list[Message]:
        """The held lines, which are forgotten here."""
        held, self.held = self.held, []
        self._depth = self._bytes = 0
        return held
