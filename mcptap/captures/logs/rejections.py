"""What JavaScript says about a line that is no JSON, read backwards: how the line began.

V8 quotes a short text whole, and of a longer one ten characters (`JsonParser::ReportUnexpectedToken`);
before 2023 it named one character and its position. JavaScriptCore (Bun) names a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mcptap.captures.lines import begun_line, log_event, rejection_event, text_line
from mcptap.captures.logs.zod import complaint
from mcptap.recording.format.model import Event, Line
from mcptap.wire import SERVER_TO_CLIENT

Moment = tuple[int, int, int]
"""Number of a line of the file; time since the start, and since 1970, in µs."""

_QUOTED = re.compile(r'^Unexpected token .{1,8}?, (\.\.\.)?"(.*?)"(\.\.\.)? is not valid JSON', re.DOTALL)
_UNDEFINED = re.compile(r'^"(.*?)" is not valid JSON', re.DOTALL)
_OLD = re.compile(r"^Unexpected token (.) in JSON at position (\d+)", re.DOTALL)
_BUN = re.compile(
    r"^JSON Parse error: (?:Unexpected identifier \"(.+?)\"|Unrecognized token '(.+?)')", re.DOTALL
)
_OTHER = re.compile(
    r"^(?:JSON Parse error: |Unexpected end of JSON input|"
    r"[^\n]{1,80} (?:in|after) JSON at position \d+|[^\n]{1,80}is not valid JSON)"
)
_IN_ARRAY = re.compile(r"^Expected (?:',' or '\]' after array element|a JSON array element)")
_IN_OBJECT = re.compile(r"^Expected (?:property name|double-quoted property name|':' after|',' or '\}')")
_SCHEMA = re.compile(
    r'"code":\s*"(?:invalid_union|unrecognized_keys|invalid_type|invalid_literal|invalid_value)"|'
    r"Unrecognized key(?:\(s\) in object|s?:)|^ZodError"
)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A line of stdout that a client could not use: what is known of its text."""

    text: str
    whole: bool = False
    """Whether `text` is all of it, not only its beginning."""


def rejection_of(said: str) -> Rejection | None:
    """What a client's error tells of the line that it could not parse; None if it is about something else."""
    said = said.removeprefix("SyntaxError: ")
    if (found := _QUOTED.match(said)) is not None:
        before, text, after = found.groups()
        return Rejection("") if before else Rejection(text, whole=not after)
    if (found := _UNDEFINED.match(said)) is not None:
        return Rejection(found[1], whole=True)
    if (found := _OLD.match(said)) is not None:
        return Rejection(found[1] if found[2] == "0" else "")
    if (found := _BUN.match(said)) is not None:
        return Rejection(found[1] or found[2])
    if _OTHER.match(said) is None:
        return None
    if _IN_ARRAY.match(said):
        return Rejection("[")
    return Rejection("{" if _IN_OBJECT.match(said) else "")


def is_about_shape(said: str) -> bool:
    """Whether an error says that JSON does not have the shape that the client expects of it."""
    return _SCHEMA.search(said) is not None


def rejected(said: str, at: Moment, level: str = "error") -> Line | Event | None:
    """What an error of the client tells of the server's stdout, as an item; None if it tells nothing."""
    found = rejection_of(said)
    number, t_us, wall_us = at
    if found is None:
        if not is_about_shape(said):
            return None
        why = complaint(said)
        if why:
            return rejection_event(number, why, t_us, wall_us)
        text = f"the client could not use a message of the server: {_in_short(said)}"
        return log_event(number, text, t_us, wall_us, level)
    if found.whole:
        return text_line(number, SERVER_TO_CLIENT, found.text, t_us, wall_us)
    return begun_line(number, SERVER_TO_CLIENT, found.text, t_us, wall_us)


def _in_short(said: str) -> str:
    """The telling part of a dump of what was wrong with a message."""
    found = re.search(r"Unrecognized key(?:\(s\) in object|s?): [^\n]{1,80}?(?=\"?,?\n|\"?$)", said)
    return found[0] if found is not None else " ".join(said.split())[:160]
