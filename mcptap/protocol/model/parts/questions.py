"""The odd questions of `mcptap probe`, and what they provoked, as its recordings say it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcptap.protocol.model.message import Message
    from mcptap.recording.format.model import Event, Header

QUESTION = "question"


class Questions:
    """What a probe sent on purpose that no client would send, and all that came of it."""

    __slots__ = ("_counts", "begun", "current", "provoked", "seen")

    def __init__(self, header: Header | None) -> None:
        self.current = ""
        """The question that the server has not got over, in words; at the end: that it never did."""
        self.begun: int | None = None
        """Record number of the event that announced it."""
        self.seen = False
        """Whether there were any."""
        self.provoked: set[int] = set()
        """Record numbers of odd lines, of what passed before they were over, and of all answers to them."""
        # Whoever wants findings to be overlooked might write such events into any recording.
        self._counts = header is not None and bool(header.probe)

    def take_event(self, event: Event) -> None:
        """Take an event, which may begin or end a question."""
        if event.kind == QUESTION and self._counts:
            self.current = event.fields.get("what") or ""
            self.begun, self.seen = event.number, True

    def take(self, message: Message) -> None:
        """Take a line, whose request is known."""
        request = message.request
        if self.current or (request is not None and request.number in self.provoked):
            self.provoked.add(message.number)
