"""What can be asked of a record: the row that a filter looks at, and the table of fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Protocol

from mcptap.protocol.model.request import RequestState
from mcptap.wire import CHANNELS


class RecordKind(StrEnum):
    """What a record is, in the words of the language."""

    REQUEST = "request"
    ANSWER = "answer"
    """A result or an error, also in a form that clients can't read."""
    NOTIFICATION = "notification"
    BATCH = "batch"
    POLLUTION = "pollution"
    """A line on stdin or stdout that is no message of JSON-RPC."""
    STDERR = "stderr"
    EVENT = "event"
    DAMAGED = "damaged"


class Searched(Protocol):
    """Whatever has the fields of some table, and a text."""

    def text(self) -> str:
        """What `text:` searches."""


class Row(Searched, Protocol):
    """A record as a filter sees it. Everything but `text()` should be cheap to get."""

    @property
    def channel(self) -> str:
        """`c2s`, `s2c`, `stderr`; for an event its channel if it has one, else empty."""

    @property
    def kind(self) -> str:
        """One of `RecordKind`."""

    @property
    def method(self) -> str | None:
        """The method of a request or notification; for an answer, that of its request."""

    @property
    def tool(self) -> str | None:
        """The tool that is called; for an answer, the tool that answers."""

    @property
    def id(self) -> str | None:
        """The JSON-RPC id as it is shown: a number as written, a string without its quotes."""

    @property
    def status(self) -> str | None:
        """One of `RequestState`, for a request and its answer."""

    @property
    def latency_us(self) -> int | None:
        """Microseconds between a request and its answer, for both of them."""

    @property
    def size(self) -> int:
        """Bytes of the line without its terminator; 0 for an event."""

    @property
    def number(self) -> int:
        """The record number."""

    @property
    def t_us(self) -> int:
        """Microseconds since the start of the session."""

    def text(self) -> str:
        """What `text:` searches: the line as it was on the wire, or an event's words."""


class Values(Enum):
    """What kind of value a field takes."""

    PATTERN = "pattern"
    WORD = "word"
    COUNT = "count"
    SIZE = "size"
    DURATION = "duration"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the language."""

    name: str
    values: Values
    help: str
    """What it matches, in a few words."""
    example: str
    words: tuple[str, ...] = ()
    """The words that a field of words knows."""
    attribute: str = ""
    """Where a row has the value, if not under the field's name."""


Fields = Mapping[str, Field]
"""A table of fields by name: what can be asked of rows of one kind."""


FIELDS: dict[str, Field] = {
    field.name: field
    for field in (
        Field(
            "method",
            Values.PATTERN,
            "the method; for an answer, that of its request",
            "method:tools/call",
        ),
        Field("tool", Values.PATTERN, "the tool that is called, or that answers", "tool:read_*"),
        Field("id", Values.PATTERN, "the JSON-RPC id", "id:7"),
        Field(
            "dir", Values.WORD, "the channel: client to server, back, stderr", "dir:s2c", CHANNELS, "channel"
        ),
        Field("kind", Values.WORD, "the kind of record", "kind:pollution", tuple(RecordKind)),
        Field("status", Values.WORD, "what became of a request", "status:unanswered", tuple(RequestState)),
        Field(
            "latency",
            Values.DURATION,
            "time from request to answer (us, ms, s, m, h)",
            "latency:>1s",
            attribute="latency_us",
        ),
        Field("size", Values.SIZE, "bytes of the line (b, k, m; 1k is 1,000)", "size:>100k"),
        Field("n", Values.COUNT, "the record number", "n:100..200", attribute="number"),
        Field(
            "t",
            Values.DURATION,
            "time since the start of the session (us, ms, s, m, h)",
            "t:1s..2.5s",
            attribute="t_us",
        ),
        Field("text", Values.TEXT, "text in the line, in upper or lower case", 'text:"not found"'),
    )
}
"""All fields of records by name, in the order of the help page."""
