"""Lines that are no messages: what stands in them, and which of them are one message in pieces."""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import Any

from mcptap.protocol.model.message import BOM, TEXT, Id, Message
from mcptap.recording.format.content import NOT_JSON
from mcptap.recording.format.model import parse_line

_ID = re.compile(r'["\']id["\']\s{0,20}:\s{0,20}(?:("(?:[^"\\]|\\.){0,200}")|(-?\d{1,4000})(?![\d.eE]))')
_MEMBER = re.compile(r"""["'](?:jsonrpc|result)["']""")
_CONSTANT = re.compile(r"[:\[,\s](NaN|-?Infinity)[\s,\]}]")
# An open string matches as well, so that each character is looked at once.
_STRING = re.compile(r'"(?:[^"\\]|\\.)*("?)')


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_constant=_refuse)
_TRIES = 64
_LOOK_AT = 1 << 20
"""How many characters of a broken line are looked at: enough for what people print."""

MAX_PIECES = 5000
MAX_PIECES_BYTES = 16 << 20


class Broken:
    """What can be made out in a line that no client can read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.bom = data.startswith(BOM)
        self.pieces: list[Message] = []
        """If the message is spread over several lines: all of them."""
        self.joined: dict[str, Any] | None = None
        """And the object they make together."""

    @cached_property
    def text(self) -> str:
        """The text without a byte-order mark; what is not UTF-8 is replaced, UTF-16 is decoded."""
        data = self.data[len(BOM) :] if self.bom else self.data
        if self.utf16:
            return data.replace(b"\0", b"").decode("latin-1")
        return data.decode(errors="replace")

    @cached_property
    def utf16(self) -> bool:
        """Whether every second byte is zero, as in UTF-16 of mostly ASCII text."""
        sample = self.data[:400]
        return len(sample) > 3 and sample.count(0) * 5 >= len(sample) * 2

    @cached_property
    def value(self) -> Any:
        """The JSON value that the text would be for a reader that forgives the encoding, or `NOT_JSON`."""
        return parse_line(self.text.encode(errors="replace"))

    @cached_property
    def objects(self) -> list[dict[str, Any]]:
        """Complete objects with a key `jsonrpc` that stand in the line among other text."""
        if self.value is not NOT_JSON:
            return []
        text = self.text if len(self.text) <= _LOOK_AT * 16 else self.text[:_LOOK_AT]
        found: list[dict[str, Any]] = []
        if '"jsonrpc"' not in text:
            return found
        at = text.find("{")
        for _ in range(_TRIES):
            if at < 0:
                break
            try:
                value, end = _DECODER.raw_decode(text, at)
            except (ValueError, RecursionError):
                at = text.find("{", at + 1)
                continue
            if isinstance(value, dict) and "jsonrpc" in value:
                found.append(value)
            at = text.find("{", end)
        return found

    @cached_property
    def constant(self) -> str:
        """`NaN` or `Infinity`, if it is what makes the line no JSON (RFC 8259 has neither)."""
        match = _CONSTANT.search(self.text[:_LOOK_AT])
        if match is None or not self.text.lstrip().startswith(("{", "[")):
            return ""
        try:
            json.loads(self.text)
        except (ValueError, RecursionError):
            return ""
        return match.group(1)

    @cached_property
    def torn(self) -> bool:
        """Whether it looks like a piece of a message, such as one that was cut off."""
        text = self.text[:_LOOK_AT].lstrip()
        return text.startswith("{") and _MEMBER.search(text) is not None

    def messages(self) -> list[dict[str, Any]]:
        """The objects that were meant as messages, however the line broke them."""
        if self.joined is not None:
            return [self.joined]
        if isinstance(self.value, dict):
            return [self.value]
        if isinstance(self.value, list):
            return [entry for entry in self.value[:1000] if isinstance(entry, dict)]
        return self.objects

    def ids(self) -> list[Id]:
        """Ids that can be made out in the text, as written, at most a few."""
        found: list[Id] = []
        for match in _ID.finditer(self.text[:_LOOK_AT]):
            quoted, number = match.groups()
            try:
                key = json.loads(quoted) if quoted else int(number)
            except ValueError:
                continue
            if key not in found:
                found.append(key)
            if len(found) == 8:
                break
        return found


def depth(text: str) -> int | None:
    """How many brackets of JSON stay open at the end of this line; None if a string stays open."""
    if not all(match.group(1) for match in _STRING.finditer(text)):
        return None
    bare = _STRING.sub("", text)
    return bare.count("{") + bare.count("[") - bare.count("}") - bare.count("]")


class Pieces:
    """Consecutive lines of one channel that may be one message, pretty-printed.

    `offer` takes a line that is no message: true if it belongs to a message that is not whole
    yet. Then `whole` is None until the last line made it whole. `release` gives back the lines
    that turned out to be none.
    """

    def __init__(self) -> None:
        self.held: list[Message] = []
        self._depth = 0
        self._bytes = 0

    def starts(self, message: Message) -> bool:
        """Whether a message spread over lines may begin with this line; then it is held."""
        if message.kind is not TEXT or len(message.line.data) > _LOOK_AT:
            return False
        text = message.line.data.removeprefix(BOM).decode(errors="replace")
        if not text.lstrip().startswith("{"):
            return False
        deep = depth(text)
        if deep is None or deep <= 0:
            return False
        self.held, self._depth, self._bytes = [message], deep, len(message.line.data)
        return True

    def goes_on(self, message: Message) -> bool:
        """Whether this line, no message by itself, may be the next piece; then it is held."""
        deep = depth(message.line.data.decode(errors="replace"))
        self._bytes += len(message.line.data)
        if deep is None or len(self.held) >= MAX_PIECES or self._bytes > MAX_PIECES_BYTES:
            return False
        self.held.append(message)
        self._depth += deep
        return True

    @property
    def closed(self) -> bool:
        """Whether every bracket is closed, so that the lines are a whole or nothing."""
        return self._depth <= 0

    def whole(self) -> Broken | None:
        """The message that the held lines are together, or None."""
        joined = b"\n".join(piece.line.data for piece in self.held)
        broken = Broken(joined)
        if isinstance(broken.value, dict) and "jsonrpc" in broken.value and len(self.held) > 1:
            broken.joined = broken.value
            broken.pieces = self.held
            return broken
        return None

    def release(self) -> list[Message]:
        """The held lines, which are forgotten here."""
        held, self.held = self.held, []
        self._depth = self._bytes = 0
        return held
