"""One line of a recording file to one record. Pure functions; see `recordings/README.md`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import orjson

from mcptap.recording.format.content import from_base64
from mcptap.recording.format.model import UNPARSED, Damaged, Event, Header, Line, Part, Record, RecordingError
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
_MSG = b'"msg":'
PLAIN_FIELDS = len(("n", "k", "t", "wall", "ch", "content"))
"""What a record has of a line that came whole and ended in LF, as nearly all do."""


def decode_header(raw: bytes) -> Header:
    """The header from the first line of a file. Raises RecordingError (without the file's name)."""
    if not raw.startswith(MAGIC):
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


def _line(fields: dict[str, Any], raw: bytes, number: int) -> Line | Damaged:
    channel, t, data = fields.get("ch"), fields["t"], _content(fields, raw)
    if data is None or channel not in CHANNELS:
        return Damaged(number, raw, "its channel or content is missing or wrong")
    value = fields.get("msg", UNPARSED)
    if len(fields) == PLAIN_FIELDS and "n" in fields:
        return Line(number, channel, data, b"\n", t, t, fields["wall"], True, 0, value)
    first, offset, eol = fields.get("t0", t), fields.get("from", 0), fields.get("eol")
    if not _is_count(first) or not _is_count(offset):
        return Damaged(number, raw, "its offset or first time is wrong")
    if eol is not None and not (isinstance(eol, str) and eol in _EOLS):
        return Damaged(number, raw, "its line terminator is unknown")
    if offset:
        value = UNPARSED  # it is the end of a value
    return Line(number, channel, data, _EOLS[eol], t, first, fields["wall"], True, offset, value)


def _part(fields: dict[str, Any], raw: bytes, number: int) -> Part | Damaged:
    channel, at = fields.get("ch"), fields.get("at")
    data = _content(fields, raw)
    if data is None or channel not in CHANNELS or not _is_count(at):
        return Damaged(number, raw, "its channel, content or offset is missing or wrong")
    return Part(number, channel, at, data, fields["t"], fields["wall"])


def _content(fields: dict[str, Any], raw: bytes) -> bytes | None:
    """The exact bytes of a content field; None if there is none or it is bad."""
    if "msg" in fields:
        # Only mcptap's own fields stand before the content, so its first name is the one.
        start, end = raw.find(_MSG), raw.rfind(b"}")
        return None if start < 0 or end < start else raw[start + len(_MSG) : end]
    text = fields.get("text")
    if isinstance(text, str):
        try:
            return text.encode()
        except UnicodeEncodeError:
            return None
    coded = fields.get("b64")
    if isinstance(coded, str):
        try:
            return from_base64(coded)
        except ValueError:
            return None
    return None


def _loads(raw: bytes) -> Any:
    """A record as JSON. What orjson refuses but JSON allows (a lone surrogate) is read as well."""
    try:
        return orjson.loads(raw)
    except ValueError:
        pass
    try:
        return json.loads(raw)
    except ValueError:
        return None
    except RecursionError:
        return _loads_around_message(raw)


def _loads_around_message(raw: bytes) -> Any:
    """A record with a message that nests deeper than parsers go: its other fields.

    A line at the limit of the parser that judged it is over it here, one level further down.
    """
    start = raw.find(_MSG)
    if start < 0:
        return None
    try:
        fields = json.loads(raw[:start] + b'"msg":0}')
    except (ValueError, RecursionError):
        return None
    fields["msg"] = UNPARSED
    return fields


def _is_count(value: Any) -> TypeIs[int]:
    return type(value) is int and 0 <= value < MAX_COUNT  # a bool is no count
