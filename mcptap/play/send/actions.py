"""What a conversation wants done, at which pace, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from mcptap.play.client.client_script import Entry
from mcptap.protocol.model.message import Message
from mcptap.recording.format.model import Line


class Pace(Enum):
    """When the next line may go."""

    ANSWERED = "answered"
    """When the requests before it are answered."""
    SEEN = "seen"
    """When the answers are there that the recorded client had by then: what overlapped does so again."""
    RECORDED = "recorded"
    """At its recorded time."""
    FLOOD = "flood"
    """At once."""


@dataclass(frozen=True, slots=True)
class Send:
    """Send these bytes now."""

    data: bytes
    is_reply: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing to do until something is heard, or until this time."""

    until_us: int


@dataclass(frozen=True, slots=True)
class EndInput:
    """The last line has no newline: close the server's stdin, which ends it, and go on listening."""


@dataclass(frozen=True, slots=True)
class Finish:
    """All is said: close the server's stdin."""


Action = Send | Wait | EndInput | Finish


@dataclass(slots=True)
class Outcome:
    """What became of the script."""

    unanswered: list[Message] = field(default_factory=list)
    """Requests that got no answer in time."""
    unsent: list[Entry] = field(default_factory=list)
    """What could not be said: the server was gone, or the fresh server gave no occasion."""
    pollution: list[Line] = field(default_factory=list)
    """Lines of the server's stdout that are no messages."""
    notes: list[str] = field(default_factory=list)
    """Sentences for the user, in order."""
