"""What the decoders of logs share: a clock that sets the header's time, and what is known of the start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Decoder
from mcptap.captures.lines import Clock, log_event, process_event, text_line, unknown_header
from mcptap.captures.sections import Section
from mcptap.recording.format.model import Event, Header, Item, Line


class LogDecoder(Decoder):
    """A decoder of lines that say when they were written."""

    def __init__(self, evidence: Evidence, name: str = "server") -> None:
        self.evidence = evidence
        self.header = unknown_header(name)
        self._clock = Clock()
        self.passed_over = 0

    def only(self, section: Section) -> None:
        """Take only the lines of this session."""
        if section.name:
            self.tell(name=section.name)

    def tell(self, **fields: Any) -> None:
        """Something about the start of the server has become known."""
        self.header = Header({**self.header.fields, **fields})

    def moment(self, wall_us: int) -> tuple[int, int]:
        """Times of a line that was written then: since the start and since 1970, in µs."""
        began = self._clock.start_us
        found = self._clock.at(wall_us)
        if not began and self._clock.start_us:
            self.tell(wall=self._clock.start_us)
        return found

    def pass_over(self, raw: bytes) -> Iterator[Item]:
        """A line that is not understood, or of no session; blank ones do not count."""
        self.passed_over += bool(raw.strip())
        return iter(())

    def line(self, number: int, channel: str, data: bytes, wall_us: int = 0) -> Line:
        """A line of the session of which the log has the text."""
        t_us, wall_us = self.moment(wall_us)
        return Line(number, channel, data, b"\n", t_us, t_us, wall_us)

    def text(self, number: int, channel: str, text: str, wall_us: int = 0) -> Line:
        """The same for a string."""
        return text_line(number, channel, text, *self.moment(wall_us))

    def log(self, number: int, text: str, wall_us: int = 0, level: str = "") -> Event:
        """Something that the log says itself."""
        return log_event(number, text, *self.moment(wall_us), level)

    def event(self, number: int, kind: str, wall_us: int = 0, **fields: Any) -> Event:
        """Something that happened to the process or a channel."""
        return process_event(number, kind, *self.moment(wall_us), **fields)


def only_name(names: Iterable[str]) -> str:
    """The name of the server, if all of them are one; else that of none."""
    found = set(names)
    return found.pop() if len(found) == 1 else "server"
