"""One thing that is expected of a session, as it is written on the command line and in settings.

| name | value |
|-|-|
| `expect-tool`, `forbid-tool` | the name of a tool, or a pattern like `get_*` |
| `max-latency` | `METHOD=MS`, with a method or pattern, or `tools/call:NAME` for calls of a tool |
| `max-start` | seconds |
| `max-list-tokens` | a number of tokens |
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from mcptap.protocol.model.request import Request

EXPECT_TOOL, FORBID_TOOL = "expect-tool", "forbid-tool"
MAX_LATENCY, MAX_START, MAX_LIST_TOKENS = "max-latency", "max-start", "max-list-tokens"

CALL = "tools/call"
MOST = 1e9
"""No limit is higher, in its own unit."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """One expectation: its name, and its value as it was written."""

    name: str
    value: str
    is_standing: bool = False
    """Whether it stands in a settings file, and so is meant for sessions of all kinds."""
    pattern: str = ""
    """Of a tool, or of the method that is limited."""
    tool: str = ""
    """Of a limited `tools/call`: the pattern of the tool; empty for all."""
    most: int = 0
    """The limit: microseconds, or tokens."""

    def __str__(self) -> str:
        return f"--{self.name} {self.value}"

    def is_about(self, request: Request) -> bool:
        """Whether it limits how long this request may take."""
        if not fnmatchcase(request.method, self.pattern):
            return False
        return not self.tool or fnmatchcase(request.tool, self.tool)


def expectation(name: str, value: str, *, is_standing: bool = False) -> Expectation:
    """The expectation of this name with this value. Raises ValueError, with what the value has to be."""
    made = Expectation(name, value, is_standing)
    if name in (EXPECT_TOOL, FORBID_TOOL):
        if not value.strip():
            raise ValueError("it takes the name of a tool, or a pattern like 'get_*'")
        return replace(made, pattern=value)
    if name == MAX_LATENCY:
        return _latency(made)
    if name == MAX_START:
        return replace(made, most=round(_number(value, "a number of seconds, 0 or more") * 1e6))
    if name == MAX_LIST_TOKENS:
        if not value.isascii() or not value.isdecimal() or int(value) > MOST:
            raise ValueError(f"{value!r} is not a whole number of tokens, 0 or more")
        return replace(made, most=int(value))
    raise ValueError(f"there is no expectation {name!r}")


def _latency(made: Expectation) -> Expectation:
    target, equals, limit = made.value.rpartition("=")
    method, colon, tool = target.partition(":")
    if not equals or not method or method != method.strip() or (colon and not tool):
        raise ValueError(
            f"{made.value!r} is not METHOD=MS, such as tools/list=500 or tools/call:forecast=2000"
        )
    if colon and method != CALL:
        raise ValueError(f"{made.value!r} names a tool, which only tools/call has: write tools/call:NAME=MS")
    most = round(_number(limit, "a number of milliseconds, 0 or more") * 1e3)
    return replace(made, pattern=method, tool=tool, most=most)


def _number(text: str, words: str) -> float:
    try:
        value = float(text) if text.isascii() else -1.0
    except ValueError:
        value = -1.0
    if not 0 <= value <= MOST:  # nor is NaN
        raise ValueError(f"{text!r} is not {words}")
    return value
