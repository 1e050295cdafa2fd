"""The client's own lines that come back as if the server had written them: a terminal is in between."""

from __future__ import annotations

from typing import Final

from mcptap.protocol.model.ids import Id, as_id
from mcptap.protocol.model.message import Message
from mcptap.protocol.revisions import REVISIONS
from mcptap.recording.format.model import Line
from mcptap.wire import CLIENT_TO_SERVER

WINDOW_US: Final = 5_000_000
"""A line comes back so soon (µs), if it does."""
KEPT: Final = 64
"""So many lines of the client are kept,"""
LONGEST: Final = 1 << 16
"""if they have no more bytes than this."""

_BY_CLIENT_ONLY: Final = frozenset(
    method.name
    for revision in REVISIONS
    for method in revision.methods.values()
    if method.directions == (CLIENT_TO_SERVER,)
)


class Echo:
    """Which lines of the server repeat lines of the client."""

    __slots__ = ("_asked", "_sent", "seen")

    def __init__(self) -> None:
        self._sent: dict[bytes, tuple[int, int]] = {}
        self._asked: dict[Id | None, None] = {}
        self.seen = False
        """Whether a line came back that only a client may send."""

    def take_sent(self, line: Line) -> None:
        """The client sent a line."""
        data, sent = line.data, self._sent
        if len(data) <= LONGEST:
            sent.pop(data, None)
            sent[data] = (line.number, line.t_us)
            if len(sent) > KEPT:
                del sent[next(iter(sent))]

    def repeats(self, line: Line) -> int | None:
        """The record of the client that this line of the server repeats, None if it is one of its own.

        What either side may send counts only once a line came back that is the client's alone.
        """
        sent = self._sent.get(line.data)
        if sent is None or line.t_us - sent[1] > WINDOW_US:
            return None
        value = line.value
        method = value.get("method") if type(value) is dict else None
        if not self.seen:
            if type(method) is not str or method not in _BY_CLIENT_ONLY:
                return None
            self.seen = True
        if type(method) is str and "id" in value:
            self._asked[as_id(value["id"])] = None
            if len(self._asked) > KEPT:
                del self._asked[next(iter(self._asked))]
        del self._sent[line.data]
        return sent[0]

    def is_answer(self, message: Message) -> bool:
        """Whether the client answers a request of its own that came back."""
        return message.channel == CLIENT_TO_SERVER and message.id in self._asked
