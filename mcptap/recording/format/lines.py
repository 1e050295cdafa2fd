"""The records of what passed on a channel: `line` and `part`. How each is written, and how it is read."""

from __future__ import annotations

from mcptap.recording.format.content import MSG, NOT_JSON, as_count, decode_content, parse_line
from mcptap.recording.format.values import Fields
from mcptap.wire import CHANNELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LINE = b'{"n":%d,"k":"line","t":%d,"wall":%d,"ch":"%b",%b%b}\n'
"""Record number, time and wall-clock time (µs), channel, optional fields, content."""

PART = b'{"n":%d,"k":"part","t":%d,"wall":%d,"ch":"%b","at":%d,%b}\n'
"""The same with the offset of the content in its line (bytes)."""

FIRST_TIME = b'"t0":%d,'
"""Optional field of a line: the time of its first byte (µs), if that came earlier than the last."""

EOL = b'"eol":"%b",'
"""Optional field of a line: its terminator, if that is not LF."""

CRLF, NONE = b"\\r\\n", b""
"""The two terminators but LF, as JSON spells them within quotes."""

FROM = b'"from":%d,'
"""Optional field of a line: how many of its bytes stand in parts."""

DIVERTED = b'"diverted":%d,'
"""Optional field of a line: how many bytes of its beginning went to stderr and not to the client."""

KNOWN = b'"known":"%b",'
"""Optional field of a line of a converted capture: what is known of it (below), if not all."""

OUTLINE, BEGINS, TOLD = "outline", "begins", "told"
"""What the capture knew of a line: some members of its message, its beginning, or only that it passed."""

EOLS = {None: b"\n", "\n": b"\n", "\r\n": b"\r\n", "": b""}
"""Terminators by the value of the field."""

UNPARSED: Any = object()
"""The value of a line that nobody asked for yet."""


def encode_line(
    number: int, stamp: tuple[int, int], channel: bytes, optional: bytes, content: bytes
) -> bytes:
    """One line. `optional` is made of the optional fields above, `content` is one field."""
    return LINE % (number, *stamp, channel, optional, content)


def message_template(channel: str) -> bytes:
    """What `encode_message` fills in: the record of a line of this channel that is JSON and ended in LF."""
    numbers, _, end = LINE.rpartition(b'"%b",%b%b')
    return numbers + b'"%b",' % channel.encode() + MSG + b"%b" + end


def encode_message(number: int, stamp: tuple[int, int], template: bytes, data: bytes) -> bytes:
    """One line that is JSON and ended in LF, as nearly all do."""
    t, wall = stamp
    return template % (number, t, wall, data)


def encode_lines(
    number: int, stamp: tuple[int, int], channel: bytes, lines: Sequence[tuple[bytes, bytes]]
) -> bytes:
    """Lines that came together, numbered from `number` on: of each its optional fields and content."""
    t, wall = stamp
    return b"".join(
        [
            LINE % (n, t, wall, channel, optional, content)
            for n, (optional, content) in enumerate(lines, number)
        ]
    )


def encode_messages(number: int, stamp: tuple[int, int], template: bytes, lines: bytes, count: int) -> bytes:
    """Lines that are all JSON and ended in LF, given with LF between them."""
    # One format for all of them: in a flood, calls for each line are where the time goes.
    begin, _, end = (template.replace(b"%d", b"%%d", 1) % (*stamp, b"%b")).partition(b"%b")
    if b"%" in lines:
        lines = lines.replace(b"%", b"%%")
    return (begin + lines.replace(b"\n", end + begin) + end) % tuple(range(number, number + count))


def encode_part(number: int, stamp: tuple[int, int], channel: bytes, at: int, content: bytes) -> bytes:
    """Bytes of a line that go on before it ended; `at` of its bytes went before."""
    return PART % (number, *stamp, channel, at, content)


class Line(Fields):
    """One line of one channel, with the exact bytes that were on the wire.

    `number` is the record that ended the line (for an unfinished one, its last part);
    `t_us`, `first_us` are when its last and first byte came, in µs since the session's start;
    `complete` is false if the recording ends in the middle of the line. `offset` counts the
    bytes that stand in parts before this record; a reader's lines are whole, so it is 0.
    `is_exact` is false if another program rewrote the record: `data` is then its value encoded
    anew, not the bytes that were on the wire. `diverted` counts the bytes of the beginning that
    `mcptap run --divert` put on stderr in place of the client; None if all went to the client.
    `known` is empty if all of the line is known. Captures of other tools may know less: `OUTLINE`,
    the members given are right, what they hold is missing or replaced; `BEGINS`, `data` is only the
    beginning; `TOLD`, a log tells that the message passed, its id is not that of the wire.
    """

    __slots__ = (
        "_value", "channel", "complete", "data", "diverted", "eol", "first_us", "is_exact", "known", "number",
        "offset", "t_us", "wall_us",
    )  # fmt: skip

    def __init__(
        self,
        number: int,
        channel: str,
        data: bytes,
        eol: bytes,
        t_us: int,
        first_us: int,
        wall_us: int,
        complete: bool = True,
        offset: int = 0,
        value: Any = UNPARSED,
        is_exact: bool = True,
        diverted: int | None = None,
        known: str = "",
    ) -> None:
        self.number = number
        self.channel = channel
        self.data = data
        self.eol = eol
        self.t_us = t_us
        self.first_us = first_us
        self.wall_us = wall_us
        self.complete = complete
        self.offset = offset
        self.is_exact = is_exact
        self.diverted = diverted
        self.known = known
        self._value = value

    @property
    def value(self) -> Any:
        """The JSON value as `parse_line` gives it, or `NOT_JSON`; an `Outline` if not all of it is known."""
        if self._value is UNPARSED:
            self._value = NOT_JSON if self.known == BEGINS else parse_line(self.data)
            if self.known in (OUTLINE, TOLD) and type(self._value) is dict:
                from mcptap.jsontext.bounded import Outline  # the tap has no time for this import

                self._value = Outline(self._value)
        return self._value

    @property
    def raw(self) -> bytes:
        """Content and terminator: the bytes as they came."""
        return self.data + self.eol

    @property
    def as_written(self) -> Line:
        """The line as its sender wrote it, whatever was diverted of it."""
        if self.diverted is None:
            return self
        return Line(
            self.number, self.channel, self.data, self.eol, self.t_us, self.first_us, self.wall_us,
            is_exact=self.is_exact,
        )  # fmt: skip

    @property
    def delivered(self) -> bytes:
        """Of these bytes those that went on to the receiver: all, but for what was diverted."""
        if self.diverted is None:
            return self.raw
        return self.data[self.diverted :] + self.eol if self.diverted < len(self.data) else b""


class Part(Fields):
    """Bytes of a line that went on before the line ended (`at`: their offset in it)."""

    __slots__ = ("at", "channel", "data", "number", "t_us", "wall_us")

    def __init__(self, number: int, channel: str, at: int, data: bytes, t_us: int, wall_us: int) -> None:
        self.number = number
        self.channel = channel
        self.at = at
        self.data = data
        self.t_us = t_us
        self.wall_us = wall_us


def decode_line(fields: dict[str, Any], raw: bytes, number: int) -> Line:
    """A line from the fields of its record and its text. Raises ValueError: why it is damaged."""
    channel, content = fields.get("ch"), decode_content(fields, raw)
    if content is None or channel not in CHANNELS:
        raise ValueError("its channel or content is missing or wrong")
    data, is_exact = content
    is_exact = is_exact and fields.get("masked") is not True
    t, eol = fields["t"], fields.get("eol")
    first, offset = as_count(fields.get("t0", t)), as_count(fields.get("from", 0))
    if first is None or offset is None:
        raise ValueError("its offset or first time is wrong")
    if eol is not None and not (isinstance(eol, str) and eol in EOLS):
        raise ValueError("its line terminator is unknown")
    diverted = fields.get("diverted")
    if diverted is not None and as_count(diverted) is None:
        raise ValueError("what it says of its diversion is wrong")
    known = fields.get("known", "")
    if known not in ("", OUTLINE, BEGINS, TOLD):
        raise ValueError("what is known of it is not told in words that this mcptap knows")
    return Line(
        number, channel, data, EOLS[eol], t, first, fields["wall"], True, offset,
        is_exact=is_exact, diverted=diverted, known=known,
    )  # fmt: skip


def decode_part(fields: dict[str, Any], raw: bytes, number: int) -> Part:
    """A part from the fields of its record and its text. Raises ValueError: why it is damaged."""
    channel, at = fields.get("ch"), as_count(fields.get("at"))
    content = decode_content(fields, raw)
    if content is None or "msg" in fields or channel not in CHANNELS or at is None:
        raise ValueError("its channel, content or offset is missing or wrong")
    return Part(number, channel, at, content[0], fields["t"], fields["wall"])
