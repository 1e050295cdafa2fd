"""The content of a line or part as a field of a record: exact, and readable where it can be.

Encoding is on the path of every line, and it is imported before the first byte flows. So it
uses the C half of the standard library's json (`_json`), which costs nothing to import,
and takes up orjson only when there is so much to do that its import pays: the import is
twice a bare interpreter's start, and then a line costs a half to a twentieth.

Neither is asked what JSON is for the sake of the bytes: they only choose between three
exact forms. The choice itself is RFC 8259's: NaN and Infinity are refused by
`parse_constant`, and what orjson refuses but RFC 8259 allows (a lone surrogate, great
depth) is tried once more with the other.
"""

from __future__ import annotations

import os
from _json import encode_basestring, make_scanner

TYPE_CHECKING = False  # typing itself costs a third of a bare interpreter's start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    JsonValue = Any

MSG, TEXT, BASE64 = b'"msg":', b'"text":', b'"b64":'
"""The three content fields; a record has one of them, as its last field."""

NAMES = ("msg", "text", "b64")
MAX_COUNT = 1 << 62
"""No time in microseconds and no offset comes near it; a larger one is damage."""

NOT_JSON: object = object()
"""What `parse` returns for bytes that are not JSON (None would be JSON's null)."""

JSON_SPACE = " \t\r\n"
"""White space that JSON allows around a value (RFC 8259, section 2)."""

JSON_STARTS = frozenset([b"%c" % byte for byte in b'{["-0123456789tfn \t\r\n'])
"""With what JSON can begin."""

BUSY_BYTES = 1 << 14
"""A chunk of this many bytes means a flood or a long line: orjson's import pays."""

MANY_BYTES = 1 << 11
SKIP_AFTER_MISS = 32
"""From how many bytes on lines are parsed in one go; for how many chunks not, after a miss."""


def _refuse(constant: str) -> JsonValue:
    raise ValueError(constant)


class _Strict:
    """What the scanner asks its context for: JSON as RFC 8259 has it."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = staticmethod(_refuse)


_scan = make_scanner(_Strict())  # type: ignore[arg-type]


# Where nobody imported json.decoder, the scanner cannot make its JSONDecodeError and fails with
# SystemError instead; importing it would cost what `_json` saves.
_NO_JSON = (StopIteration, ValueError, SystemError)


def parse_strictly(data: bytes) -> JsonValue:
    """Parse one line's bytes as JSON; `NOT_JSON` if they are not (RFC 8259), never an exception."""
    if data[:1] not in JSON_STARTS:
        return NOT_JSON  # a flood of log lines or blank ones is not worth two exceptions each
    try:
        text = data.decode()
        value, end = _scan(text, 0)
        if end == len(text):
            return value
    except _NO_JSON:
        pass
    except RecursionError:
        return NOT_JSON
    # White space around the value is JSON's as well; a line that has it is rare.
    try:
        text = data.decode().strip(JSON_SPACE)
        value, end = _scan(text, 0)
    except (*_NO_JSON, RecursionError):
        return NOT_JSON
    return value if end == len(text) else NOT_JSON


_bounded_parse: Callable[[bytes], JsonValue] | None = None


def parse_line(data: bytes) -> JsonValue:
    """The JSON value of a line, bounded in depth and size (see `bounded`), or `NOT_JSON`. For readers."""
    global _bounded_parse  # noqa: PLW0603 - an import within would be looked up for each line
    if _bounded_parse is None:
        from mcptap.jsontext.bounded import parse  # the tap has no time for this import

        _bounded_parse = parse
    try:
        return _bounded_parse(data)
    except ValueError:
        return NOT_JSON


def quote(text: str) -> bytes:
    """A string as JSON."""
    quoted: str = encode_basestring(text)
    return quoted.encode(errors="backslashreplace")  # a lone surrogate becomes JSON's escape for it


class Codec:
    """Parses and encodes lines; faster once it `use_orjson`s.

    `parse(data)` gives the JSON value of a line or `NOT_JSON`; `quote(text)` gives a
    string as JSON, in bytes.
    """

    def __init__(self) -> None:
        self.parse: Callable[[bytes], JsonValue] = parse_strictly
        self.quote: Callable[[str], bytes] = quote
        self.uses_orjson = False
        """Whether orjson was asked for, be it there or not."""
        self._loads: Callable[[bytes], Any] | None = None
        self._word = os.urandom(16).hex()
        self._between = b',"%b",' % self._word.encode()
        self._skip = 0

    def use_orjson(self) -> None:
        """Import orjson, if it is there, for all that follows. May be called at any time, and again."""
        self.uses_orjson = True
        try:
            from orjson import dumps, loads
        except Exception:  # not there, or broken: the other parser does it all
            return

        def parse(data: bytes) -> JsonValue:
            try:
                return loads(data)
            except ValueError:
                return parse_strictly(data)

        self._loads = loads
        self.parse = parse
        self.quote = dumps

    def parse_all(self, lines: bytes) -> list[JsonValue] | None:
        """The values of many lines, given with LF between them, if each of them is JSON; else None.

        They are parsed as one array with a secret word between each two. A line that is not
        one JSON value, but would fit in with its neighbours (`{"a":[1` and `2]}`), puts a
        word into a deeper place, and then the words are not where they should be.
        """
        if self._loads is None or len(lines) < MANY_BYTES or self._skip > 0:
            self._skip -= 1
            return None
        between = lines.count(b"\n")
        try:
            mixed: list[JsonValue] = self._loads(b"[" + lines.replace(b"\n", self._between) + b"]")
        except ValueError:
            mixed = []
        if mixed[1::2] != [self._word] * between or len(mixed) != 2 * between + 1:
            self._skip = SKIP_AFTER_MISS  # where there is one line that is no JSON, there are more
            return None
        return mixed[::2]

    def field(self, data: bytes, value: JsonValue) -> bytes:
        """The content field for a line (without terminator) whose `parse` gave `value`."""
        return self.plain_field(data) if value is NOT_JSON else MSG + data

    def plain_field(self, data: bytes) -> bytes:
        """The content field for bytes that are no JSON line of their own."""
        try:
            return TEXT + self.quote(data.decode())
        except UnicodeDecodeError:
            return BASE64 + b'"' + _base64(data) + b'"'


def quote_or_base64(data: bytes) -> bytes:
    """Any bytes as a JSON value: a string if they are UTF-8, else `{"b64": …}`."""
    try:
        return quote(data.decode())
    except UnicodeDecodeError:
        return b"{" + BASE64 + b'"' + _base64(data) + b'"}'


def _base64(data: bytes) -> bytes:
    from binascii import b2a_base64  # seldom needed

    return b2a_base64(data, newline=False)


def from_base64(text: str) -> bytes:
    """The bytes of a `b64` field. Raises ValueError if it is not base64."""
    from binascii import a2b_base64

    return a2b_base64(text, strict_mode=True)


def decode_content(fields: dict[str, Any], raw: bytes) -> tuple[bytes, bool] | None:
    """The bytes of a record's content field, and whether they are those of the wire; None if it is bad."""
    if len([name for name in NAMES if name in fields]) != 1:
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
    before, found, rest = raw.partition(MSG)
    data = rest[: rest.rfind(b"}")]
    if found and not any(space in before for space in b" \t\r") and parse_line(data) is not NOT_JSON:
        return data, True
    from json import loads  # big integers stay what they are

    return _encoded(loads(raw)["msg"]), False


def _encoded(value: JsonValue) -> bytes:
    """A value as compact JSON. Raises ValueError if it is none: a number too large for a float."""
    from json import dumps

    try:
        return dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:  # a lone surrogate
        return dumps(value, allow_nan=False, separators=(",", ":")).encode()


def as_count(value: object) -> int | None:
    """A time (µs) or an offset (bytes) of a record, or None if it can be none; a bool is none."""
    return value if type(value) is int and 0 <= value < MAX_COUNT else None
