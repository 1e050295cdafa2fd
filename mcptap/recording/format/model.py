"""What a recording holds, as readers see it: a header, lines, events, damage.

Times are integers in microseconds (`t_us` since the start of the session, monotonic;
`wall_us` since 1970). Record numbers are line numbers of the file, from 1.
"""

from __future__ import annotations

from mcptap.errors import UserError
from mcptap.recording.format.content import NOT_JSON, parse_line
from mcptap.recording.format.events import Event
from mcptap.recording.format.header import Header, as_list, as_object, as_text
from mcptap.recording.format.lines import UNPARSED, Line, Part
from mcptap.recording.format.values import Fields

__all__ = [
    "NOT_JSON", "UNPARSED", "Damaged", "Event", "Header", "Item", "Line", "Part", "Record", "RecordingError",
    "as_list", "as_object", "as_text", "parse_line",
]  # fmt: skip


class RecordingError(UserError):
    """A file can't be used as a recording. The text is one sentence for the user."""


class Damaged(Fields):
    """A record that can't be read, and why."""

    __slots__ = ("number", "raw", "why")

    def __init__(self, number: int, raw: bytes, why: str) -> None:
        self.number = number
        self.raw = raw
        self.why = why


Record = Header | Line | Event | Part | Damaged
"""What one line of the file can be; a `Line` here may lack the bytes that stand in parts."""

Item = Line | Event | Damaged
"""What a reader gives behind the header: lines are whole."""
