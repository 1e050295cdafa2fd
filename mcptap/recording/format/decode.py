"""One line of a recording file to one record. Pure functions; see `recordings/README.md`."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import orjson

from mcptap.recording.format.content import from_base64, parse_strictly
from mcptap.recording.format.model import (
    NOT_JSON,
    UNPARSED,
    Damaged,
    Event,
    Header,
    Line,
    Part,
    Record,
    RecordingError,
    parse_line,
)
from mcptap.wire import CHANNELS

if TYPE_CHECKING:
    from typing_extensions import TypeIs

FORMAT = 1
MAGIC = b'{"mcptap":'
MAX_HEADER = 1 << 24
"""Bytes. Linux takes some 2 MB of arguments and environment, of which an escaped byte may make six."""
MAX_COUNT = 1 << 62
"""No time in microseconds and no offset comes near it; a larger one is damage."""
_EOLS = {None: b"\n", "\n": b"\n", "\r\n": b"\r\n", "": b""}
_SPELLED_EOLS = {None: b"\n", b"\\r\\n": b"\r\n", b"": b""}
CONTENT_FIELDS = ("msg", "text", "b64")
_MSG = b'"msg":'
_SPACE = re.compile(rb"[ \t\r]")
_COUNT = rb"(0|[1-9]\d{0,17})"
_MESSAGE_LINE = re.compile(
    rb'\{"n":%b,"k":"line","t":%b,"wall":%b,"ch":"(c2s|s2c|stderr)",(?:"t0":%b,)?'
    rb'(?:"eol":"((?:\\r\\n)?)",)?"msg":' % (_COUNT, _COUNT, _COUNT, _COUNT)
).match
"""How mcptap begins the record of a line that is JSON; nearly all records are such."""

DEEP = 500
"""No parser gives up at fewer levels than this."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")


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
    kind, t, wall = fields.get("k"), fields.get("t"), fields.get("wall")
    if not isinstance(kind, str) or not _is_count(t) or not _is_count(wall):
        return Damaged(number, raw, "its kind or time is missing")
    if kind == "line":
        return _line(fields, raw, number)
    if kind == "part":
        return _part(fields, raw, number)
    if kind == "header":
        return Damaged(number, raw, "it is a second header")
    return Event(number, kind, t, wall, fields)


def _message_line(found: re.Match[bytes], raw: bytes, number: int) -> Line | None:
    """A line of JSON whose record is spelled as mcptap writes it: all but the value was matched.

    Only the value itself is parsed, so nothing else can stand between it and the closing brace.
    """
    _, t, wall, channel, first, eol = found.groups()
    data = raw[found.end() : -1]
    try:
        value = orjson.loads(data)
    except ValueError:
        value = parse_strictly(data)
        if value is NOT_JSON:
            if not _is_one_deep_value(data):
                return None
            value = UNPARSED
    t_us = int(t)
    first_us = t_us if first is None else int(first)
    return Line(number, channel.decode(), data, _SPELLED_EOLS[eol], t_us, first_us, int(wall), True, 0, value)


def _is_one_deep_value(data: bytes) -> bool:
    """Whether this is one object or array with all its brackets closed, that nests deeper than
    parsers go; what stands between the brackets is not looked at.
    """
    brackets = _STRING.sub(b"", data).strip(b" \t\r")
    depth = deepest = 0
    for bracket in _BRACKET.finditer(brackets):
        if depth == 0 and bracket.start() > 0:
            return False
        depth += 1 if bracket[0] in b"[{" else -1
        deepest = max(deepest, depth)
    return depth == 0 and deepest >= DEEP and brackets.endswith((b"]", b"}")) and b'"' not in brackets


def _line(fields: dict[str, Any], raw: bytes, number: int) -> Line | Damaged:
    channel, t = fields.get("ch"), fields["t"]
    content = _content(fields, raw)
    if content is None or channel not in CHANNELS:
        return Damaged(number, raw, "its channel or content is missing or wrong")
    data, is_exact = content
    first, offset, eol = fields.get("t0", t), fields.get("from", 0), fields.get("eol")
    if not _is_count(first) or not _is_count(offset):
        return Damaged(number, raw, "its offset or first time is wrong")
    if eol is not None and not (isinstance(eol, str) and eol in _EOLS):
        return Damaged(number, raw, "its line terminator is unknown")
    return Line(number, channel, data, _EOLS[eol], t, first, fields["wall"], True, offset, is_exact=is_exact)


def _part(fields: dict[str, Any], raw: bytes, number: int) -> Part | Damaged:
    channel, at = fields.get("ch"), fields.get("at")
    content = _content(fields, raw)
    if content is None or "msg" in fields or channel not in CHANNELS or not _is_count(at):
        return Damaged(number, raw, "its channel, content or offset is missing or wrong")
    return Part(number, channel, at, content[0], fields["t"], fields["wall"])


def _content(fields: dict[str, Any], raw: bytes) -> tuple[bytes, bool] | None:
    """The bytes of the content field, and whether they are those of the wire; None if it is bad."""
    if len([name for name in CONTENT_FIELDS if name in fields]) != 1:
        return None
    try:
        if "msg" in fields:
            return _message(raw)
        if "text" in fields:
            return fields["text"].encode(), True
        return from_base64(fields["b64"]), True
    except (ValueError, AttributeError, TypeError, RecursionError):  # also: no string
        return None


def _message(raw: bytes) -> tuple[bytes, bool]:
    """The bytes of `msg` in a record that is not spelled as this mcptap does. Raises ValueError.

    A program that rewrites records puts spaces between their members, or their members into
    another order. Nothing of that before `msg`, and one JSON value between it and the last
    brace: then these are the bytes that were written. Else the value is encoded anew.
    """
    start, end = raw.find(_MSG), raw.rfind(b"}")
    data = raw[start + len(_MSG) : end]
    if start > 0 and not _SPACE.search(raw, 0, start) and parse_line(data) is not NOT_JSON:
        return data, True
    return _encoded(json.loads(raw)["msg"]), False


def _encoded(value: Any) -> bytes:
    """A value as compact JSON. Raises ValueError if it is none: a number too large for a float."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # a lone surrogate
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()


def _loads(raw: bytes) -> Any:
    """A record as JSON. What orjson refuses but JSON allows (a lone surrogate) is read as well."""
    try:
        return orjson.loads(raw)
    except ValueError:
        pass
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _is_count(value: Any) -> TypeIs[int]:
    return type(value) is int and 0 <= value < MAX_COUNT  # a bool is no count
