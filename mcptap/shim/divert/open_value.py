"""A JSON object or array that is spread over lines, as far as it has come: what a pretty-printer writes."""

from __future__ import annotations

import re

OPEN, CLOSED, BROKEN = "open", "closed", "broken"
"""More has to come; it has ended; it is no JSON."""

_TOKEN = re.compile(
    r"""[ \t\r]*(?:([{}\[\],:])|("(?:[^"\\\x00-\x1f]|\\.)*")|"""
    r"""(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null))"""
)
_BEGUN = re.compile(
    r"""[ \t\r]*(?:"(?:[^"\\\x00-\x1f]|\\.)*\\?|[-+.eE0-9]+|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)?"""
)
"""What may stand at the end of bytes that go on: a token that has begun, or nothing."""

_VALUE, _KEY, _COLON, _AFTER, _FIRST_KEY, _FIRST_VALUE = range(6)
"""What is to come next; the last two may also be the end of an empty object or array."""

_PAIRS = {"}": "{", "]": "["}


class OpenValue:
    """Takes the lines of one value. No line break is allowed within a token, so each line is whole tokens."""

    def __init__(self) -> None:
        self._containers: list[str] = []
        self._next = _VALUE

    def feed(self, text: str, *, goes_on: bool = False) -> str:
        """Take a line; what the value is then. `goes_on`: the line has not ended, it may end within a token.

        What stands behind the end of the value is not looked at.
        """
        at = 0
        while found := _TOKEN.match(text, at):
            mark, string, _ = found.groups()
            if not (self._take_mark(mark) if mark else self._take_scalar(bool(string))):
                return BROKEN
            if not self._containers:
                return CLOSED
            at = found.end()
        rest = text[at:]
        whole = _BEGUN.fullmatch(rest) if goes_on else not rest.strip(" \t\r")
        return OPEN if whole else BROKEN

    def _take_mark(self, mark: str) -> bool:
        expected = self._next
        if mark in "{[":
            if expected not in (_VALUE, _FIRST_VALUE):
                return False
            self._containers.append(mark)
            self._next = _FIRST_KEY if mark == "{" else _FIRST_VALUE
        elif mark in "}]":
            empty = _FIRST_KEY if mark == "}" else _FIRST_VALUE
            if expected not in (_AFTER, empty) or self._containers[-1:] != [_PAIRS[mark]]:
                return False
            self._containers.pop()
            self._next = _AFTER
        elif mark == ":":
            if expected != _COLON:
                return False
            self._next = _VALUE
        else:
            if expected != _AFTER:
                return False
            self._next = _KEY if self._containers[-1] == "{" else _VALUE
        return True

    def _take_scalar(self, is_string: bool) -> bool:
        expected = self._next
        if expected in (_KEY, _FIRST_KEY):
            self._next = _COLON
            return is_string
        if expected not in (_VALUE, _FIRST_VALUE) or not self._containers:
            return False
        self._next = _AFTER
        return True
