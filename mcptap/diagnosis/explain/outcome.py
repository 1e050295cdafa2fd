"""What a session came to, in one word that `check`, `ls`, the list of recordings and the screen share."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What a session came to. Where several are true, the first of these counts."""

    BROKEN = "broken"
    """There is an error or a warning, not only that a request waits, or the server ended first."""
    WAITING = "waiting"
    """A request waits for its answer, or did when the client left."""
    CALLS_FAILED = "calls-failed"
    """Nothing is broken, but calls or other requests of the client came to nothing."""
    UNCLEAR = "unclear"
    """Not enough was seen to say: nothing was said, records are missing, or another tool captured it."""
    HEALTHY = "healthy"
    """The session was seen from its beginning, and nothing is wrong."""
