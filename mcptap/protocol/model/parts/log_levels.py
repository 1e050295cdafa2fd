"""Which log messages the client asked for."""

from __future__ import annotations

from mcptap.protocol.model.ids import Id


class LogLevels:
    """Levels that were set: for the session, or for a request."""

    def __init__(self) -> None:
        self.level: str | None = None
        """The level of the last `logging/setLevel` that succeeded."""
        self.level_us = 0
        """When its answer came."""
        self.requests: set[Id] = set()
        """Requests in flight that ask for log messages (2026-07-28)."""
        self.request_ended_us: int | None = None
        """When the last of such requests was answered."""

    def take_level(self, level: object, t_us: int) -> None:
        """`logging/setLevel` succeeded at this time."""
        self.level = level if isinstance(level, str) else None
        self.level_us = t_us

    def end_request(self, key: Id, t_us: int) -> None:
        """A request was answered at this time."""
        if key in self.requests:
            self.requests.discard(key)
            self.request_ended_us = t_us
