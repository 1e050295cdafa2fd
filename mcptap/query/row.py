"""A record of a session as a row that a filter can look at."""

from __future__ import annotations

from mcptap.protocol.model.message import BATCH, LOG, NOTIFICATION, REQUEST, RESPONSE, Message
from mcptap.protocol.model.request import Request
from mcptap.query.fields import RecordKind
from mcptap.recording.format.model import Damaged, Event, Item, Line

_KINDS = {
    REQUEST: RecordKind.REQUEST,
    RESPONSE: RecordKind.ANSWER,
    NOTIFICATION: RecordKind.NOTIFICATION,
    BATCH: RecordKind.BATCH,
    LOG: RecordKind.STDERR,
}


def kind_of(message: Message) -> RecordKind:
    """The filter's word for what a line is."""
    return _KINDS.get(message.kind, RecordKind.POLLUTION)


class ItemRow:
    """An item of a recording, with the message that a session made of it if it is a line.

    Its status and latency are those of the moment at which they are asked for.
    """

    __slots__ = ("item", "message", "request", "words")

    def __init__(self, item: Item, message: Message | None = None, words: str = "") -> None:
        self.item = item
        self.message = message
        self.words = words
        """What `text:` searches in an event."""
        is_half = message is not None and message.kind in (REQUEST, RESPONSE)
        self.request: Request | None = message.request if message is not None and is_half else None
        """The request and answer that this record is one of."""

    @property
    def channel(self) -> str:
        """The channel, also of an event that has one."""
        if isinstance(self.item, Line):
            return self.item.channel
        return str(self.item.fields.get("ch", "")) if isinstance(self.item, Event) else ""

    @property
    def kind(self) -> RecordKind:
        """One of the filter's kinds."""
        if self.message is not None:
            return kind_of(self.message)
        return RecordKind.DAMAGED if isinstance(self.item, Damaged) else RecordKind.EVENT

    @property
    def method(self) -> str | None:
        """The method, of an answer that of its request."""
        return (self.message.method or None) if self.message is not None else None

    @property
    def tool(self) -> str | None:
        """The tool that is called, or answers."""
        request = self.request
        return (request.tool or None) if request is not None else None

    @property
    def id(self) -> str | None:
        """The id as it is shown."""
        key = self.message.id if self.message is not None else None
        return None if key is None else str(key)

    @property
    def status(self) -> str | None:
        """What became of the request, as far as it is known."""
        request = self.request
        return None if request is None else request.state

    @property
    def latency_us(self) -> int | None:
        """Time from request to answer, if there is one."""
        request = self.request
        return None if request is None else request.latency_us

    @property
    def size(self) -> int:
        """Bytes of the line."""
        return len(self.item.data) if isinstance(self.item, Line) else 0

    @property
    def number(self) -> int:
        """The record number."""
        return self.item.number

    @property
    def t_us(self) -> int:
        """Microseconds since the start; 0 for a damaged record."""
        return 0 if isinstance(self.item, Damaged) else self.item.t_us

    def text(self) -> str:
        """The line as it was on the wire, or an event's words."""
        if isinstance(self.item, Line):
            return self.item.data.decode(errors="replace")
        return self.words if isinstance(self.item, Event) else self.item.raw.decode(errors="replace")
