"""What a recording holds, as readers see it: a header, lines, events, damage.

Times are integers in microseconds (`t_us` since the start of the session, monotonic;
`wall_us` since 1970). Record numbers are line numbers of the file, from 1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import orjson

from mcptap.errors import UserError
from mcptap.recording.format.content import NOT_JSON, from_base64, parse_strictly

__all__ = ["NOT_JSON", "Damaged", "Event", "Header", "Item", "Line", "Part", "Record", "RecordingError"]


UNPARSED: Any = object()
"""The value of a line that nobody asked for yet."""


class RecordingError(UserError):
    """A file can't be used as a recording. The text is one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first record: how the server was started. `fields` has it all, as written."""

    fields: dict[str, Any]
    number: int = 1

    @property
    def name(self) -> str:
        """The server's name."""
        return str(self.fields.get("name") or "server")

    @property
    def argv(self) -> list[str]:
        """The command and its arguments; bytes that are no UTF-8 come as surrogate escapes."""
        return [as_text(a) for a in as_list(self.fields.get("argv"))]

    @property
    def cwd(self) -> str:
        """The working directory, or an empty string if it is not known."""
        return as_text(self.fields.get("cwd") or "")

    @property
    def program(self) -> str | None:
        """The file that was found for the command, if one was."""
        found = self.fields.get("program")
        return None if found is None else as_text(found)

    @property
    def parent(self) -> dict[str, Any]:
        """`pid`, `name` and `argv` of the process that started the tap, where known."""
        return as_object(self.fields.get("parent"))

    @property
    def environment(self) -> dict[str, Any]:
        """`names`, `values` and `placeholders` of the environment, where known."""
        return as_object(self.fields.get("env"))

    @property
    def start_wall_us(self) -> int:
        """Wall-clock start in microseconds since 1970; 0 if it is not known."""
        wall = self.fields.get("wall")
        return wall if isinstance(wall, int) else 0


@dataclass(slots=True)
class Line:
    """One line of one channel, with the exact bytes that were on the wire.

    `number` is the record that ended the line (for an unfinished one, its last part);
    `complete` is false if the recording ends in the middle of the line. `offset` counts the
    bytes that stand in parts before this record; a reader's lines are whole, so it is 0.
    `is_exact` is false if another program rewrote the record: `data` is then its value encoded
    anew, not the bytes that were on the wire.
    """

    number: int
    channel: str
    data: bytes
    eol: bytes
    t_us: int
    first_us: int
    wall_us: int
    complete: bool = True
    offset: int = 0
    _value: Any = field(default=UNPARSED, repr=False, compare=False)
    is_exact: bool = True

    @property
    def value(self) -> Any:
        """The JSON value, or `NOT_JSON`. Integers over 64 bits come as floats."""
        if self._value is UNPARSED:
            self._value = parse_line(self.data)
        return self._value

    @property
    def raw(self) -> bytes:
        """Content and terminator: the bytes as they passed."""
        return self.data + self.eol


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened: `kind` and the fields that the format gives for it."""

    number: int
    kind: str
    t_us: int
    wall_us: int
    fields: dict[str, Any]

    @property
    def ends_session(self) -> bool:
        """Whether no more is to come: the server ended, could not be started, or runs unrecorded."""
        return (
            self.kind == "exit"
            or (self.kind == "spawn" and "errno" in self.fields)
            or (self.kind == "gap" and self.fields.get("rest") is True)
        )


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of a line that went on before the line ended (`at`: their offset in it)."""

    number: int
    channel: str
    at: int
    data: bytes
    t_us: int
    wall_us: int


@dataclass(frozen=True, slots=True)
class Damaged:
    """A record that can't be read, and why."""

    number: int
    raw: bytes
    why: str


Record = Header | Line | Event | Part | Damaged
"""What one line of the file can be; a `Line` here may lack the bytes that stand in parts."""

Item = Line | Event | Damaged
"""What a reader gives behind the header: lines are whole."""


def parse_line(data: bytes) -> Any:
    """The JSON value of a line, or `NOT_JSON`."""
    try:
        return orjson.loads(data)
    except ValueError:
        return parse_strictly(data)


def as_text(value: Any) -> str:
    """A string of the header, or one that had to be written as `{"b64": …}`."""
    if isinstance(value, dict):
        try:
            return from_base64(str(value.get("b64", ""))).decode(errors="surrogateescape")
        except ValueError:
            return ""
    return value if isinstance(value, str) else ""


def as_list(value: Any) -> list[Any]:
    """The value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_object(value: Any) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}
