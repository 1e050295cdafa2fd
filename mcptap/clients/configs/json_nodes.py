"""JSON, with or without comments and trailing commas, as nodes that are looked into only when asked.

What is passed over is parsed by the parser in C, so that a file of megabytes takes a fraction of a second.
Offsets are those of bytes, since the text is taken as Latin-1, in which a character is a byte: the signs of
JSON are ASCII, and strings are decoded anew from their bytes.

Comments and trailing commas are replaced by as many spaces; what is left must be strict JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from mcptap.clients.configs.nodes import (
    BOM,
    TOO_DEEP,
    Document,
    Kind,
    Member,
    Node,
    UnreadableDocument,
    Violation,
    position,
)
from mcptap.clients.configuration import Syntax
from mcptap.jsontext.scanner import skip_space

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\Z)'
_comment = re.compile(_STRING + r"|(//[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)", re.DOTALL)
_comma = re.compile(_STRING + r"|(,)[ \t\r\n]*+[}\]]", re.DOTALL)

_KINDS = {
    "{": Kind.OBJECT,
    "[": Kind.ARRAY,
    '"': Kind.STRING,
    "t": Kind.TRUE,
    "f": Kind.FALSE,
    "n": Kind.NULL,
}


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


# Whole numbers as floats: Python refuses to convert very long ones.
_passer = json.JSONDecoder(parse_constant=_refuse, parse_int=float)


class JsonNode:
    """A value of a JSON text: `Node`."""

    __slots__ = ("_data", "_inner", "_text", "end", "kind", "start")

    def __init__(self, data: bytes, text: str, start: int, end: int) -> None:
        self._data = data
        self._text = text
        self._inner: tuple[Any, ...] | None = None
        self.start = start
        self.end = end
        self.kind = _KINDS.get(text[start], Kind.NUMBER)

    @property
    def value(self) -> Any:
        """The Python value; of members with the same key the last. Raises UnreadableDocument."""
        try:
            if self.kind is Kind.OBJECT:
                return {one.key: one.value.value for one in self.members}
            if self.kind is Kind.ARRAY:
                return [item.value for item in self.items]
            return _scalar(self._data[self.start : self.end])
        except RecursionError:
            raise UnreadableDocument(TOO_DEEP) from None

    @property
    def members(self) -> Sequence[Member]:
        """Of an object, in file order, those with the same key too; else none."""
        if self.kind is not Kind.OBJECT:
            return ()
        if self._inner is None:
            self._inner = tuple(self._read_members())
        return self._inner

    @property
    def items(self) -> Sequence[Node]:
        """Of an array; else none."""
        if self.kind is not Kind.ARRAY:
            return ()
        if self._inner is None:
            self._inner = tuple(self._read_items())
        return self._inner

    def _read_members(self) -> Iterator[Member]:
        # The text was parsed as a whole before: it is strict JSON.
        text = self._text
        place = skip_space(text, self.start + 1)
        while text[place] != "}":
            if text[place] == ",":
                place = skip_space(text, place + 1)
            key_end = _end(text, place)
            value = skip_space(text, skip_space(text, key_end) + 1)
            end = _end(text, value)
            key = _scalar(self._data[place:key_end])
            yield Member(key, place, key_end, JsonNode(self._data, text, value, end))
            place = skip_space(text, end)

    def _read_items(self) -> Iterator[Node]:
        text = self._text
        place = skip_space(text, self.start + 1)
        while text[place] != "]":
            if text[place] == ",":
                place = skip_space(text, place + 1)
            end = _end(text, place)
            yield JsonNode(self._data, text, place, end)
            place = skip_space(text, end)


def read_json(data: bytes, syntax: Syntax) -> Document:
    """The document of bytes that are UTF-8. Raises UnreadableDocument."""
    text = data.decode("latin-1")
    if data.startswith(BOM):
        text = "   " + text[3:]
    violations: list[Violation] = []
    end = _whole(text)
    if end < 0:
        text, comment = _blanked(_comment, text)
        text, comma = _blanked(_comma, text)
        if comment >= 0 and not syntax.comments:
            violations.append(Violation("a comment", comment))
        if comma >= 0 and not syntax.trailing_commas:
            violations.append(Violation("a comma behind the last value", comma))
        end = _whole(text)
    start = skip_space(text, 0)
    if start == len(text):
        return Document(data, syntax, None, tuple(violations))
    if end < 0:
        raise _error(data, text)
    return Document(data, syntax, JsonNode(data, text, start, end), tuple(violations))


def _whole(text: str) -> int:
    """Where the one value of the text ends; -1 if it is not strict JSON. Raises UnreadableDocument."""
    try:
        end = _end(text, skip_space(text, 0))
    except RecursionError:
        raise UnreadableDocument(TOO_DEEP) from None
    except ValueError:
        return -1
    return end if skip_space(text, end) == len(text) else -1


def _end(text: str, start: int) -> int:
    return int(_passer.raw_decode(text, start)[1])


def _blanked(pattern: re.Pattern[str], text: str) -> tuple[str, int]:
    """The text with spaces for the first group of each match, and where the first of these begins, or -1."""
    pieces: list[str] = []
    done, first = 0, -1
    for found in pattern.finditer(text):
        start, end = found.span(1)
        if start >= 0:
            first = start if first < 0 else first
            pieces += [text[done:start], " " * (end - start)]
            done = end
    return "".join(pieces) + text[done:], first


def _error(data: bytes, text: str) -> UnreadableDocument:
    """What is wrong with a text that is no JSON, and where."""
    what, place = "more behind the first value", 0
    try:
        place = skip_space(text, _end(text, skip_space(text, 0)))
    except json.JSONDecodeError as error:
        what, place = error.msg[:1].lower() + error.msg[1:], error.pos
    except ValueError as error:  # NaN and its like
        return UnreadableDocument(f"it is no JSON: {error}")
    return UnreadableDocument(f"it is no JSON: {what}", *position(data, place))


def _scalar(token: bytes) -> Any:
    """The value of a string, a number, true, false or null."""
    if token[:1] == b'"' and b"\\" not in token:  # nearly all, and thousands of keys in a grown file
        return token[1:-1].decode()
    try:
        return json.loads(token)
    except ValueError:  # a whole number that is too long for Python
        return float(token)
