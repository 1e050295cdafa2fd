"""Content of a line as a field of a record: exact, and readable where it can be.

This is on the path of every line, and it is imported before the first byte flows. So it
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

NOT_JSON: object = object()
"""What `parse` returns for bytes that are not JSON (None would be JSON's null)."""

JSON_SPACE = " \t\r\n"
"""White space that JSON allows around a value (RFC 8259, section 2)."""

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


def _quote(text: str) -> bytes:
    quoted: str = encode_basestring(text)
    return quoted.encode()


class Codec:
    """Parses and encodes lines; faster once `hurry` was called.

    `parse(data)` gives the JSON value of a line or `NOT_JSON`; `quote(text)` gives a
    string as JSON, in bytes.
    """

    def __init__(self) -> None:
        self.parse: Callable[[bytes], JsonValue] = parse_strictly
        self.quote: Callable[[str], bytes] = _quote
        self.hurried = False
        self._loads: Callable[[bytes], Any] | None = None
        self._word = os.urandom(16).hex()
        self._between = b',"%b",' % self._word.encode()
        self._skip = 0

    def hurry(self) -> None:
        """Take up orjson, if it is there. May be called at any time, and again."""
        self.hurried = True
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
        if value is not NOT_JSON:
            return b'"msg":' + data
        return self.plain_field(data)

    def plain_field(self, data: bytes) -> bytes:
        """The content field for bytes that are no JSON line of their own."""
        try:
            return b'"text":' + self.quote(data.decode())
        except UnicodeDecodeError:
            return b'"b64":"' + _base64(data) + b'"'


def quote_or_base64(data: bytes) -> bytes:
    """Any bytes as a JSON value: a string if they are UTF-8, else `{"b64": …}`."""
    try:
        return _quote(data.decode())
    except UnicodeDecodeError:
        return b'{"b64":"' + _base64(data) + b'"}'


def _base64(data: bytes) -> bytes:
    from binascii import b2a_base64  # seldom needed

    return b2a_base64(data, newline=False)


def from_base64(text: str) -> bytes:
    """The bytes of a `b64` field. Raises ValueError if it is not base64."""
    from binascii import a2b_base64

    return a2b_base64(text, strict_mode=True)
