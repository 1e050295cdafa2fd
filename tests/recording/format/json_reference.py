"""What RFC 8259 calls JSON, written down once more from its grammar, as a referee for tests."""

from __future__ import annotations

import re

_SPACE = re.compile(rb"[ \t\n\r]*")
_NUMBER = re.compile(rb"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_STRING = re.compile(rb'"([^"\\\x00-\x1f]|\\(["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_WORD = re.compile(rb"true|false|null")


class _NotJsonError(Exception):
    pass


def is_json(data: bytes) -> bool:
    """Whether the bytes are one JSON text in UTF-8 (RFC 8259, sections 2 to 8)."""
    try:
        data.decode()
        return _space(data, _value(data, _space(data, 0))) == len(data)
    except (UnicodeDecodeError, _NotJsonError):
        return False


def _space(data: bytes, at: int) -> int:
    found = _SPACE.match(data, at)
    return found.end() if found else at


def _value(data: bytes, at: int) -> int:
    first = data[at : at + 1]
    if first == b"{":
        return _members(data, at, b"}", _member)
    if first == b"[":
        return _members(data, at, b"]", _value)
    for pattern in (_STRING, _NUMBER, _WORD):
        if found := pattern.match(data, at):
            return found.end()
    raise _NotJsonError


def _members(data: bytes, at: int, close: bytes, member) -> int:
    at = _space(data, at + 1)
    if data[at : at + 1] == close:
        return at + 1
    while True:
        at = _space(data, member(data, at))
        if data[at : at + 1] == close:
            return at + 1
        if data[at : at + 1] != b",":
            raise _NotJsonError
        at = _space(data, at + 1)


def _member(data: bytes, at: int) -> int:
    found = _STRING.match(data, at)
    if not found:
        raise _NotJsonError
    at = _space(data, found.end())
    if data[at : at + 1] != b":":
        raise _NotJsonError
    return _value(data, _space(data, at + 1))
