"""JSON as a value that is bounded in depth and in size, whatever a stranger wrote.

Whoever walks through such a value may recurse: it nests at most some `MAX_DEPTH` levels, and what is
deeper stands in it as text. Of a large object there is only an `Outline`. Nothing here recurses into JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import orjson

MAX_DEPTH = 250
"""So many levels stay levels: orjson reads 1,024 and writes 254; Python's own limit is 1,000 calls."""

SHORT = 2 * MAX_DEPTH
"""A text of no more bytes than this, as most lines are, can't nest too deep."""

MAX_BYTES = 16 << 20
MAX_VALUES = 500_000
"""A value takes up to 200 bytes of memory, so these two come to some 100 MB."""

SMALL = 1 << 16
"""A member of an outline that has no more bytes than this is in it."""
MAX_MEMBERS = 1000
"""Of an object with more members, an outline holds the first."""
ENVELOPE = 2
"""Levels of an outline: the message, and its params, result or error."""

BLOCK = 1 << 20

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_string = re.compile(_STRING, re.DOTALL)
_token = re.compile(_STRING + rb"|[\[\]{}]", re.DOTALL)
_whole_strings = re.compile(rb'(?:[^"]++|' + _STRING + rb")*+", re.DOTALL)
_space = re.compile(rb"[ \t\r\n]*+")
_scalar = re.compile(rb"[^ \t\r\n,\]}]++")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_NO_MARKS = bytes(set(range(256)) - set(b"[{,"))


class Outline(dict[str, Any]):
    """An object that is too large to be taken apart: its members, with `Omitted` for the large ones.

    It was made of more than `MAX_BYTES` bytes, or of more than `MAX_VALUES` values.
    """


class Omitted(str):
    """What stands in an outline for a value that is not looked into: its size and a hash of its bytes."""

    __slots__ = ()


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


_decoder = json.JSONDecoder(parse_constant=_refuse)


def parse(data: bytes) -> Any:
    """The value of a JSON text (RFC 8259); of an object that is too large its `Outline`, else `Omitted`.

    Integers over 64 bits may come as floats. Raises ValueError if it is not JSON.
    """
    if len(data) <= SHORT and len(data) < MAX_VALUES:
        try:
            return orjson.loads(data)
        except ValueError:
            return parse_whole(data)
    if len(data) <= MAX_BYTES and (len(data) < MAX_VALUES or not _has_many_values(data)):
        return parse_whole(data)
    value: Outline | Omitted
    at = _skip_space(data, 0)
    if data[at : at + 1] == b"{":
        members, end = _outline(data, at, ENVELOPE)
        value = Outline(members)
    else:
        end = _end(data, at)
        value = _omitted(data, at, end)
    if _skip_space(data, end) != len(data):
        raise ValueError(f"more behind the value at {end}")
    return value


def parse_whole(data: bytes) -> Any:
    """The same, of any size."""
    try:
        value = _parse(data)
        if len(data) <= SHORT or data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
            return value
        orjson.dumps(value)
    except (RecursionError, TypeError):  # TypeError: it nests too deep, or has what orjson does not write
        return _shallow(data)
    return value


def _parse(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except ValueError:  # also what orjson alone refuses: a lone surrogate, great depth
        return _decoder.decode(data.decode())


def _has_many_values(data: bytes) -> bool:
    if sum(map(data.count, (b",", b"[", b"{"))) < MAX_VALUES:
        return False
    pieces = (_string.sub(b"", data[begin:end]) for begin, end in _blocks(data, 0))
    return sum(len(piece.translate(None, _NO_MARKS)) for piece in pieces) > MAX_VALUES


def _blocks(data: bytes, at: int) -> Iterator[tuple[int, int]]:
    """Pieces of JSON from a place on, that end in no string; the strings between two are in neither."""
    while at < len(data):
        found = _whole_strings.match(data, at, min(at + BLOCK, len(data)))
        assert found is not None
        yield at, found.end()
        at = found.end()
        if data[at : at + 1] == b'"':
            longer = _string.match(data, at)
            if longer is None:
                return
            at = longer.end()


def _shallow(data: bytes) -> Any:
    """The value of JSON that nests deep: what lies below `MAX_DEPTH` levels stands in it as its text.

    Each `MAX_DEPTH` levels are parsed by themselves, the innermost ones first.
    """
    outer: list[tuple[int, list[bytes]]] = []
    kept: list[bytes] = []
    begin = start = depth = 0
    for found in _token.finditer(data):
        mark = data[found.start()]
        if mark in b"[{":
            if depth and depth % MAX_DEPTH == 0:
                kept.append(data[start : found.start()])
                outer.append((begin, kept))
                begin, kept = found.start(), []
                start = begin
            depth += 1
        elif mark in b"]}":
            depth -= 1
            if depth and depth % MAX_DEPTH == 0 and outer:
                kept.append(data[start : found.end()])
                _parse(b"".join(kept))
                text = data[begin : found.end()].decode() if depth == MAX_DEPTH else ""
                begin, kept = outer.pop()
                kept.append(json.dumps(text).encode())
                start = found.end()
    if outer:
        raise ValueError("an array or object never ends")
    return _parse(b"".join((*kept, data[start:])))


def _outline(data: bytes, at: int, levels: int) -> tuple[dict[str, Any], int]:
    """The members of the object at this place, and its end. Raises ValueError if there is none.

    What stands within the large ones is not looked at.
    """
    members: dict[str, Any] = {}
    at = _behind(data, at, b"{")
    if data[at : at + 1] == b"}":
        return members, at + 1
    while True:
        found = _string.match(data, at)
        if found is None:
            raise ValueError(f"no name at {at}")
        name = _parse(found[0])
        at = _behind(data, found.end(), b":")
        end = _end(data, at)
        if len(members) < MAX_MEMBERS or name in members:
            members[name] = _member(data, at, end, levels - 1)
        at = _skip_space(data, end)
        if data[at : at + 1] == b"}":
            return members, at + 1
        at = _behind(data, at, b",")


def _member(data: bytes, at: int, end: int, levels: int) -> Any:
    if end - at <= SMALL:
        return parse_whole(data[at:end])
    if levels and data[at : at + 1] == b"{":
        return _outline(data, at, levels)[0]
    return _omitted(data, at, end)


def _omitted(data: bytes, at: int, end: int) -> Omitted:
    digest = blake2b(memoryview(data)[at:end], digest_size=16).hexdigest()
    return Omitted(f"… {end - at} bytes, BLAKE2b {digest}")


def _behind(data: bytes, at: int, mark: bytes) -> int:
    """The place behind a mark and the space around it. Raises ValueError if it is not there."""
    at = _skip_space(data, at)
    if data[at : at + 1] != mark:
        raise ValueError(f"no {mark.decode()} at {at}")
    return _skip_space(data, at + 1)


def _skip_space(data: bytes, at: int) -> int:
    found = _space.match(data, at)
    return found.end() if found else at


def _end(data: bytes, at: int) -> int:
    """Where the value at this place ends, as far as strings and brackets tell. Raises ValueError."""
    if data[at : at + 1] not in (b"{", b"["):
        found = (_string if data[at : at + 1] == b'"' else _scalar).match(data, at)
        if found is None:
            raise ValueError(f"no value at {at}")
        return found.end()
    depth = 0
    for begin, end in _blocks(data, at):
        brackets = _string.sub(b"", data[begin:end]).translate(None, _NO_BRACKETS)
        closes = brackets.count(b"]") + brackets.count(b"}")
        if depth > closes:
            depth += len(brackets) - 2 * closes
            continue
        for token in _token.finditer(data, begin, end):
            mark = data[token.start()]
            depth += (mark in b"[{") - (mark in b"]}")
            if not depth:
                return token.end()
    raise ValueError(f"the value at {at} never ends")
