"""Requests and what became of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from mcptap.protocol.model.ids import Id
from mcptap.protocol.revisions import UNKNOWN


class RequestState(StrEnum):
    """What became of a request; its answer has the same."""

    ANSWERED = "answered"
    ERROR = "error"
    """Answered with a JSON-RPC error."""
    IS_ERROR = "iserror"
    """A tool call answered with a result that says `isError`."""
    UNREADABLE = "unreadable"
    """The answer is on the wire in a form that clients cannot read."""
    PENDING = "pending"
    UNANSWERED = "unanswered"
    """The session ended without an answer."""
    CANCELLED = "cancelled"


# Short names for the members, as in `message`.
ANSWERED, ERROR, IS_ERROR, UNREADABLE, PENDING, UNANSWERED, CANCELLED = RequestState


class Request:
    """A request and what became of it.

    `number` and `answer` are record numbers (`answer` is None until there is one); times are
    microseconds of the session. `params` are those of the request, kept only while it is
    open, and not if they are large.
    """

    __slots__ = (
        "answer", "answered_us", "bad_cursor", "cancel", "cancel_reason", "cancelled_us", "channel",
        "client_busy_us", "error_code", "id", "is_stateless", "method", "missing_meta", "number",
        "overtaken_us", "params", "progress_us", "revision", "silence_us", "size", "state", "t_us", "token",
        "tool", "version",
    )  # fmt: skip

    def __init__(self, channel: str, key: Id, method: str, number: int, t_us: int) -> None:
        self.channel = channel
        self.id = key
        self.method = method
        self.number = number
        self.t_us = t_us
        self.state = PENDING
        self.answer: int | None = None
        self.answered_us = 0
        self.cancel: int | None = None
        self.cancelled_us = 0
        self.cancel_reason = ""
        self.error_code: int | None = None
        self.params: dict[str, Any] | None = None
        self.revision = UNKNOWN
        self.is_stateless = False
        """Whether it names the version that it follows in its `_meta`, as 2026-07-28 asks."""
        self.size = 0
        self.token: Id | None = None
        self.tool = ""
        self.version = ""
        """That version."""
        self.bad_cursor = False
        """Whether its cursor is one that no page gave."""
        self.client_busy_us = 0
        """For how long in all requests of the server had waited for the client when this was sent."""
        self.progress_us = 0
        """When its last progress came; 0 if none did."""
        self.silence_us = 0
        """The longest time without progress, before the last one came."""
        self.overtaken_us: int | None = None
        """How long (µs) the slowest later request of its kind took that was answered while it waited."""
        self.missing_meta = ""
        """The key that its `_meta` has to have, by 2026-07-28, and lacks."""

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
