"""Requests and their answers, in words that users know."""

from __future__ import annotations

from typing import Any, Final

from mcptap.protocol.model.message import Id, OddId

PENDING: Final = "pending"
ANSWERED: Final = "answered"
ERROR: Final = "error"
"""Answered with a JSON-RPC error."""
IS_ERROR: Final = "isError"
"""A tool call answered with a result that says `isError`."""
CANCELLED: Final = "cancelled"
UNREADABLE: Final = "answered unreadably"
"""The answer is on the wire in a form that clients cannot read."""
UNANSWERED: Final = "unanswered"
"""The session ended without an answer."""

STATES = (PENDING, ANSWERED, ERROR, IS_ERROR, CANCELLED, UNREADABLE, UNANSWERED)


class Request:
    """A request and what became of it.

    `number` and `answer` are record numbers (`answer` is None until there is one); times are
    microseconds of the session. `params` are those of the request, kept only while it is
    open, and not if they are large.
    """

    __slots__ = (
        "answer", "answered_us", "bad_cursor", "cancel", "cancel_reason", "cancelled_us", "channel",
        "era_meta", "error_code", "id", "lacks", "method", "number", "owed_us", "params", "progress_us",
        "revision", "silence_us", "size", "state", "t_us", "token", "tool", "version",
    )  # fmt: skip

    def __init__(self, channel: str, key: Id, method: str, number: int, t_us: int) -> None:
        self.channel = channel
        self.id = key
        self.method = method
        self.number = number
        self.t_us = t_us
        self.state: str = PENDING
        self.answer: int | None = None
        self.answered_us = 0
        self.cancel: int | None = None
        self.cancelled_us = 0
        self.cancel_reason = ""
        self.error_code: int | None = None
        self.params: dict[str, Any] | None = None
        self.revision = ""
        self.era_meta = False
        self.size = 0
        self.token: Id | None = None
        self.tool = ""
        self.version = ""
        """The version that a request of 2026-07-28 names."""
        self.bad_cursor = False
        """Whether its cursor is one that no page gave."""
        self.owed_us = 0
        """For how long in all the client had owed answers to the server when this was sent."""
        self.progress_us = 0
        """When its last progress came; 0 if none did."""
        self.silence_us = 0
        """The longest time without progress, before the last one came."""
        self.lacks = ""
        """The key of its envelope that is missing."""

    def __repr__(self) -> str:
        return f"<{self.method} id {self.id!r} {self.state} records {self.number}, {self.answer}>"

    @property
    def open(self) -> bool:
        """Whether an answer may still come: it is pending, or was cancelled without one."""
        return self.answer is None

    def note_progress(self, t_us: int) -> None:
        """Progress came: the other side works on it."""
        self.silence_us = max(self.silence_us, t_us - (self.progress_us or self.t_us))
        self.progress_us = t_us

    @property
    def latency_us(self) -> int | None:
        """Microseconds from request to answer, None while there is none."""
        return None if self.answer is None else max(0, self.answered_us - self.t_us)


class IdSet:
    """A set of ids that is small for the ids that real senders use, which count up.

    Integers are kept as ranges while they come in order, everything else one by one.
    """

    __slots__ = ("_high", "_low", "_others")

    def __init__(self) -> None:
        self._low = self._high = 0
        self._others: set[Id] = set()

    def add(self, key: Id) -> None:
        """Put an id into the set."""
        if type(key) is int:
            if key == self._high:
                if self._low == self._high:
                    self._low = key
                self._high = key + 1
                self._absorb()
                return
            if self._low <= key < self._high:
                return
            if self._low == self._high:
                self._low, self._high = key, key + 1
                return
        self._others.add(key)

    def _absorb(self) -> None:
        while self._others and self._high in self._others:
            self._others.remove(self._high)
            self._high += 1

    def __contains__(self, key: Id) -> bool:
        return (type(key) is int and self._low <= key < self._high) or key in self._others

    def __bool__(self) -> bool:
        return self._low != self._high or bool(self._others)


def twin(key: Id) -> Id | None:
    """The same id in the other type (`1` for `"1"` and the reverse), if there is one."""
    if isinstance(key, int):
        return str(key)
    if isinstance(key, str) and key.lstrip("-").isdecimal() and key.isascii() and len(key) < 40:
        return int(key)
    return None


__all__ = [
    "ANSWERED", "CANCELLED", "ERROR", "IS_ERROR", "PENDING", "STATES", "UNANSWERED", "UNREADABLE",
    "Id", "IdSet", "OddId", "Request", "twin",
]  # fmt: skip
