"""A line that is no message: what can be made out in it."""

from __future__ import annotations

import json
import re
from functools import cached_property
from typing import Any

from mcptap.jsontext.bounded import MAX_BYTES, parse
from mcptap.jsontext.scanner import value_end
from mcptap.protocol.model.ids import Id
from mcptap.recording.format.content import NOT_JSON
from mcptap.recording.format.model import parse_line

BOM = b"\xef\xbb\xbf"

_ID = re.compile(r'["\']id["\']\s{0,20}:\s{0,20}(?:("(?:[^"\\]|\\.){0,200}")|(-?\d{1,4000})(?![\d.eE]))')
_MEMBER = re.compile(r"""["'](?:jsonrpc|result)["']""")
_CONSTANT = re.compile(r"[:\[,\s](?:NaN|-?Infinity)[\s,\]}]")


_TRIES = 64
LOOK_AT = 1 << 20
"""How many characters of a broken line are looked at: enough for what people print."""


class Broken:
    """What can be made out in a line that no client can read."""

    def __init__(self, data: bytes) -> None:
        self.data = data if len(data) <= MAX_BYTES else data[:LOOK_AT]
        self.bom = data.startswith(BOM)
        self.joined: dict[str, Any] | None = None
        """If the message is spread over several lines: the object that they make together."""
        self.numbers: list[int] = []
        """And the record numbers of these lines."""

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

    @property
    def objects(self) -> list[dict[str, Any]]:
        """Complete objects with a key `jsonrpc` that stand in the line among other text."""
        return [value for _, _, value in self._placed]

    @property
    def beside(self) -> tuple[str, str]:
        """What stands before the first of these objects, and what behind the last."""
        placed = self._placed
        return (self.text[: placed[0][0]], self.text[placed[-1][1] :]) if placed else (self.text, "")

    @cached_property
    def _placed(self) -> list[tuple[int, int, dict[str, Any]]]:
        """These objects, each with where it begins and ends in the text."""
        if self.value is not NOT_JSON:
            return []
        text = self.text if len(self.text) <= LOOK_AT * 16 else self.text[:LOOK_AT]
        found: list[tuple[int, int, dict[str, Any]]] = []
        if '"jsonrpc"' not in text:
            return found
        at = text.find("{")
        for _ in range(_TRIES):
            if at < 0:
                break
            try:
                end = value_end(text, at)
                value = parse(text[at:end].encode(errors="surrogatepass"))
            except ValueError:
                at = text.find("{", at + 1)
                continue
            if isinstance(value, dict) and "jsonrpc" in value:
                found.append((at, end, value))
            at = text.find("{", end)
        return found

    @cached_property
    def constant(self) -> str:
        """`NaN` or `Infinity`, if it is what makes the line no JSON (RFC 8259 has neither)."""
        return self._lenient[0]

    @property
    def meant(self) -> Any:
        """What the line says for a reader that takes these constants, or `NOT_JSON`."""
        return self._lenient[1]

    @cached_property
    def _lenient(self) -> tuple[str, Any]:
        if not self.text.lstrip().startswith(("{", "[")) or not _CONSTANT.search(self.text[:LOOK_AT]):
            return "", NOT_JSON
        found: list[str] = []
        try:
            value = json.loads(self.text, parse_constant=found.append)
        except (ValueError, RecursionError):
            return "", NOT_JSON
        return (found[0], value) if found else ("", NOT_JSON)

    @cached_property
    def torn(self) -> bool:
        """Whether it looks like a piece of a message, such as one that was cut off."""
        text = self.text[:LOOK_AT].lstrip()
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
        for match in _ID.finditer(self.text[:LOOK_AT]):
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
