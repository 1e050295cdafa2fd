"""Captures of which each line is a JSON object: what their decoders share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mcptap.captures.format import Decoder
from mcptap.captures.lines import (
    Clock,
    from_rfc3339,
    message_line,
    object_of,
    process_event,
    text_line,
    unknown_header,
)
from mcptap.recording.format.model import Damaged, Event, Item, Line

_SECONDS, _MILLIS, _MICROS, _NANOS = 1e8, 1e11, 1e14, 1e17
"""From so large a number on, a time since 1970 is one in this unit: 1e8 seconds are March 1973."""

WHOLE_ASSUMED = "the recording was taken to hold the whole session"
LF_ASSUMED = "each line was ended by LF"


class RecordsDecoder(Decoder):
    """Decodes JSON objects, one a line. `record` makes the items of one."""

    def __init__(self, name: str = "server", **known: Any) -> None:
        self.header = unknown_header(name, **known)
        self.clock = Clock()
        self._sequence: int | None = None

    def feed(self, raw: bytes, number: int) -> Iterable[Item]:
        """The items of the object that this line is."""
        if not raw or raw.isspace():
            return ()
        fields = object_of(raw)
        if fields is None:
            return (self.not_understood(number, raw, "it is no JSON object"),)
        return self.record(fields, raw, number)

    def record(self, fields: dict[str, Any], raw: bytes, number: int) -> Iterable[Item]:
        """The items of one object of the capture."""
        raise NotImplementedError

    def not_understood(self, number: int, raw: bytes, why: str) -> Damaged:
        """A line that could not be used, counted."""
        self.passed_over += 1
        return Damaged(number, raw, why)

    def at(self, wall_us: int) -> tuple[int, int]:
        """The time of a line as `Clock.at` gives it; the first one is the start of the session."""
        times = self.clock.at(wall_us)
        if not self.header.fields.get("wall"):
            self.header.fields["wall"] = self.clock.start_us
        return times

    def missing(self, sequence: Any, number: int, t_us: int, wall_us: int, who: str) -> Iterator[Event]:
        """A gap, if numbers are missing before this one."""
        if type(sequence) is not int:
            return
        count = 0 if self._sequence is None else sequence - self._sequence - 1
        self._sequence = sequence
        if count > 0:
            why = f"{who} numbered them, but they are not in the file"
            yield process_event(number, "gap", t_us, wall_us, records=count, bytes=0, since=t_us, why=why)


def content_line(number: int, channel: str, content: Any, t_us: int = 0, wall_us: int = 0) -> Line:
    """A line that a capture gives as text, or as the value that it is."""
    make = text_line if isinstance(content, str) else message_line
    return make(number, channel, content, t_us, wall_us)


def moment_of(stamp: Any) -> int:
    """A time of day in microseconds since 1970; 0 if it is none.

    It is given as RFC 3339, or as a number since 1970 whose size tells its unit.
    """
    if isinstance(stamp, str):
        return from_rfc3339(stamp)
    if isinstance(stamp, bool) or not isinstance(stamp, (int, float)) or not _SECONDS <= stamp < 1e20:
        return 0
    for least, factor in ((_NANOS, 1e-3), (_MICROS, 1.0), (_MILLIS, 1e3)):
        if stamp >= least:
            return round(stamp * factor)
    return round(stamp * 1e6)
