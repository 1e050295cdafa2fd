"""How the start of a session went."""

from __future__ import annotations


class Startup:
    """When the start reached each step, in microseconds of the session; None if it did not."""

    __slots__ = ("answered_us", "asked_us", "first_byte_us", "listed_us", "method", "spawn_us")

    def __init__(self) -> None:
        self.spawn_us: int | None = None
        self.first_byte_us: int | None = None
        """The first byte on the server's stdout."""
        self.method = ""
        """How the session was opened: `initialize` or `server/discover`."""
        self.asked_us: int | None = None
        self.answered_us: int | None = None
        """The answer to `initialize` or `server/discover` that was no error."""
        self.listed_us: int | None = None
        """The first answer to `tools/list` that was no error."""

    def steps(self) -> list[tuple[str, int]]:
        """The steps that were reached, in words, with their times."""
        named = (
            ("spawn", self.spawn_us),
            ("first byte on stdout", self.first_byte_us),
            (f"{self.method or 'initialize'} answered", self.answered_us),
            ("tools listed", self.listed_us),
        )
        return [(name, t) for name, t in named if t is not None]
