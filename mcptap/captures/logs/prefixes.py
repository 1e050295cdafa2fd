"""Who sent the messages of a log, told by what stands before them on their lines.

A server that logs its own traffic writes something before each message: a time, its name, a word or an
arrow. That prefix is constant but for its digits, and what the messages behind it are tells the side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from mcptap.captures.lines import is_message
from mcptap.recording.format.model import parse_line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

MAX_PREFIX = 300
MAX_PREFIXES = 64
"""A log has only few; where there are more, they do not tell the side."""

_BEFORE = re.compile(rb"^([^{}\n]*?)(\[?\{.*)$", re.DOTALL)
_NUMBERS = re.compile(
    rb"(?i)\d+|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b|"
    rb"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b|\b[ap]m\b"
)
CLIENT_METHODS = re.compile(
    r"^(?:initialize|tools/.*|resources/.*|prompts/.*|completion/complete|logging/setLevel|server/discover|"
    r"notifications/(?:initialized|roots/list_changed))$"
)
SERVER_METHODS = re.compile(
    r"^(?:sampling/createMessage|roots/list|elicitation/create|notifications/(?:message|[a-z]+/updated|"
    r"(?:tools|prompts|resources)/list_changed|elicitation/complete))$"
)


def shape_of(prefix: bytes) -> bytes:
    """A prefix without what changes from line to line: numbers, names of days and months."""
    return _NUMBERS.sub(b"0", prefix).strip()


def split(line: bytes) -> tuple[bytes, bytes] | None:
    """What stands before the message on this line, and the message, if there may be one."""
    found = _BEFORE.match(line)
    if found is None or len(found[1]) > MAX_PREFIX:
        return None
    return found[1], found[2].rstrip()


def message_of(line: bytes) -> tuple[bytes, Any] | None:
    """The prefix of a line and the value of the message behind it, if one ends the line."""
    parts = split(line)
    if parts is None or not parts[0].strip():
        return None
    value = parse_line(parts[1])
    return (parts[0], value) if is_message(value) else None


def side_of(message: Any) -> str:
    """Who sends such a message; empty if both may."""
    if isinstance(message, list):
        return side_of(message[0]) if message else ""
    method = message.get("method")
    if not isinstance(method, str):
        return ""
    if CLIENT_METHODS.match(method):
        return CLIENT_TO_SERVER
    return SERVER_TO_CLIENT if SERVER_METHODS.match(method) else ""


class Prefixes:
    """The prefixes of a log and the side that each tells."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self.messages = 0
        """How many of the lines hold a message behind a prefix."""
        self.sides: dict[bytes, str] = {}
        """The channel of each prefix by its shape; empty if it is not known."""
        self.is_told = True
        """Whether no prefix stands before messages of both sides."""
        self.has_version = False
        """Whether a message has `jsonrpc`: if none has, it was the log that left it out."""
        answers: dict[bytes, int] = {}
        for line in lines:
            found = message_of(line)
            if found is None:
                continue
            self.messages += 1
            shape, value = shape_of(found[0]), found[1]
            first = value[0] if isinstance(value, list) else value
            self.has_version = self.has_version or (isinstance(first, dict) and "jsonrpc" in first)
            side = side_of(value)
            known = self.sides.setdefault(shape, side)
            if known and side and known != side:
                self.is_told = False
            self.sides[shape] = known or side
            if not side and isinstance(first, dict) and "method" not in first:
                answers[shape] = answers.get(shape, 0) + 1
        self._tell_the_rest(answers)
        self.is_told = self.is_told and len(self.sides) <= MAX_PREFIXES

    def _tell_the_rest(self, answers: dict[bytes, int]) -> None:
        """A prefix before answers alone is the side that is not the client's, which asks most."""
        client = {shape for shape, side in self.sides.items() if side == CLIENT_TO_SERVER}
        server = {shape for shape, side in self.sides.items() if side == SERVER_TO_CLIENT}
        for shape, side in self.sides.items():
            if not side and answers.get(shape) and client and not server & client:
                self.sides[shape] = SERVER_TO_CLIENT

    @property
    def has_both_sides(self) -> bool:
        """Whether messages of the client and of the server were found, each behind prefixes of its own."""
        return self.is_told and {CLIENT_TO_SERVER, SERVER_TO_CLIENT} <= set(self.sides.values())

    def channel(self, shape: bytes) -> str:
        """The channel that a prefix of this shape tells; empty if it is not known."""
        return self.sides.get(shape, "")
