"""One line of a recording file to one record. Pure functions; see `recordings/README.md`."""

from __future__ import annotations

import re
from typing import Any

from mcptap.jsontext.bounded import parse, parse_whole
from mcptap.recording.format.content import MSG, as_count
from mcptap.recording.format.events import decode_event
from mcptap.recording.format.header import FORMAT, MAGIC, Header
from mcptap.recording.format.lines import (
    CRLF,
    EOL,
    EOLS,
    FIRST_TIME,
    LINE,
    NONE,
    Line,
    decode_line,
    decode_part,
)
from mcptap.recording.format.model import Damaged, Record, RecordingError
from mcptap.wire import CHANNELS

MAX_HEADER = 1 << 24
"""Bytes. Linux takes some 2 MB of arguments and environment, of which an escaped byte may make six."""

_SPELLED_EOLS = {None: EOLS[None], CRLF: b"\r\n", NONE: b""}


def _pattern(template: bytes, text: bytes = b"") -> bytes:
    """A template of the encoder as a regular expression; `text` is what stands for its `%b`."""
    return re.escape(template).replace(b"%d", rb"(0|[1-9]\d{0,17})").replace(b"%b", b"(" + text + b")")


_MESSAGE_LINE = re.compile(
    b"%b(?:%b)?(?:%b)?%b"
    % (
        _pattern(LINE.partition(b"%b%b")[0], "|".join(CHANNELS).encode()),
        _pattern(FIRST_TIME),
        _pattern(EOL, b"(?:%b)?" % re.escape(CRLF)),
        MSG,
    )
).match
"""How mcptap begins the record of a line that is JSON; nearly all records are such."""


def is_recording(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a recording, be it rewritten by another program."""
    if head.startswith(MAGIC):
        return True
    first = head.partition(b"\n")[0]
    fields = _loads(first) if first.startswith(b"{") and b'"mcptap"' in first else None
    return isinstance(fields, dict) and "mcptap" in fields and fields.get("k") == "header"


def decode_header(raw: bytes) -> Header:
    """The header from the first line of a file. Raises RecordingError (without the file's name)."""
    if not is_recording(raw):
        raise RecordingError('is not a recording of mcptap: its first line does not begin with {"mcptap":')
    fields = _loads(raw)
    version = fields.get("mcptap") if isinstance(fields, dict) else None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise RecordingError("has a header that can't be read: the file is damaged")
    if version > FORMAT:
        raise RecordingError(
            f"has format {version}, written by mcptap {str(fields.get('version', '?'))[:40]!r}; "
            f"this mcptap reads up to format {FORMAT}, so update it"
        )
    return Header(fields)


def decode_record(raw: bytes, number: int) -> Record:
    """One line of the file behind the header (with or without its LF); never an exception.

    What can't be read is a `Damaged`. A kind that this version does not know is an `Event`.
    """
    if raw.endswith(b"\n"):
        raw = raw[:-1]
    found = _MESSAGE_LINE(raw)
    if found is not None and raw.endswith(b"}"):
        line = _message_line(found, raw, number)
        if line is not None:
            return line
    fields = _loads(raw)
    if not isinstance(fields, dict):
        return Damaged(number, raw, "it is not a JSON object")
    kind, t, wall = fields.get("k"), as_count(fields.get("t")), as_count(fields.get("wall"))
    if not isinstance(kind, str) or t is None or wall is None:
        return Damaged(number, raw, "its kind or time is missing")
    try:
        if kind == "line":
            return decode_line(fields, raw, number)
        if kind == "part":
            return decode_part(fields, raw, number)
        if kind == "header":
            raise ValueError("it is a second header")
        return decode_event(fields, number)
    except ValueError as error:
        return Damaged(number, raw, str(error))


def _message_line(found: re.Match[bytes], raw: bytes, number: int) -> Line | None:
    """A line of JSON whose record is spelled as mcptap writes it: all but the value was matched.

    Only the value itself is parsed, so nothing else can stand between it and the closing brace.
    """
    _, t, wall, channel, first, eol = found.groups()
    data = raw[found.end() : -1]
    try:
        value = parse(data)
    except ValueError:
        return None
    t_us = int(t)
    first_us = t_us if first is None else int(first)
    return Line(number, channel.decode(), data, _SPELLED_EOLS[eol], t_us, first_us, int(wall), True, 0, value)


def _loads(raw: bytes) -> Any:
    """A record as JSON; None if it is not JSON."""
    try:
        return parse_whole(raw)
    except ValueError:
        return None
