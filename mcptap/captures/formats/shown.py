"""What `mcptap show` prints into a pipe or a file, read back as far as it goes.

A line has the record number, the time and what passed: method, tool, id, latency, marks, and
`params`, `result` or the error in full. What a message had besides is not in it, so it can't
be judged: whether `jsonrpc` was right, further members, spacing. Lines that were cut to the
width of a terminal are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import MILLISECONDS, Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.lines import ARROWS, message_line, text_line, unknown_header
from mcptap.recording.format.model import NOT_JSON, Damaged, Item, parse_line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

LINE = re.compile(r"^ {0,9}(\d{1,9}) +(\d{1,9})\.(\d{3}) (-->|<--|err)(?: (.*))?$", re.DOTALL)
_WITH_ID = re.compile(
    r'^(\S+)(?: .*?)?? #("(?:[^"\\]|\\.)*"|-?\d+)( \([\d.,]+ [^()]*\))?(?: (.*))?$', re.DOTALL
)
_NOTIFICATION = re.compile(r"^([A-Za-z$][\w$./-]*)(?: (\{.*\}))?$", re.DOTALL)
_MARKS = re.compile(r"^(?:\[CRLF\]|ID STILL IN USE|isError) ?")
_ANSWER_MARKS = re.compile(r"^(?:A SECOND ANSWER|ID OF ANOTHER TYPE|WAS NEVER ASKED|TO A NOTIFICATION) ?")
"""Marks that only an answer can have."""

_INEXACT = re.compile(r"\[NO NEWLINE\]|\[CRLF\]|[\u2400-\u2421]|<U\+|…$|\\x")
"""What is shown of a text that is not the text itself."""

_TEXT = re.compile(r"^(?:NOT JSON|GLUED TEXT|BYTE-ORDER MARK): ", re.DOTALL)
_ERROR = re.compile(r"^ERROR (?:(-?\d+) )?(.*)$", re.DOTALL)
UNMATCHED = "answer"
"""What stands in place of the method where an answer fits no request."""


class ShownDecoder(Decoder):
    """Decodes the output of `mcptap show`. Record numbers are those that it shows."""

    def __init__(self) -> None:
        self.header = unknown_header()
        self.evidence = Evidence(
            fineness_us=MILLISECONDS,
            origin="what mcptap show printed",
            framing=False,
            values=False,
            launch=False,
            process=False,
            whole=False,
            assumptions=("what is not shown of a message was taken to be right",),
        )
        self._asked: dict[str, set[str]] = {CLIENT_TO_SERVER: set(), SERVER_TO_CLIENT: set()}

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The line of the session that this line shows, if it shows one."""
        found = LINE.match(raw.decode(errors="replace").rstrip("\r"))
        if found is None:
            return
        shown, seconds, fraction, arrow, text = found.groups()
        number, t = int(shown), (int(seconds) * 1000 + int(fraction)) * 1000
        channel, text = ARROWS[arrow], text or ""
        if channel == STDERR:
            yield text_line(number, channel, text, t)
            return
        message = self._message(channel, text)
        if message is not None:
            yield message_line(number, channel, message, t)
            return
        plain = _TEXT.match(text)
        if plain is not None and not _INEXACT.search(text):
            yield text_line(number, channel, text[plain.end() :], t)
        else:
            yield Damaged(number, raw, "what is shown of it is not all of it")

    def _message(self, channel: str, text: str) -> dict[str, Any] | None:
        """The message that was shown so, or None if it can't be told."""
        found = _WITH_ID.match(text)
        if found is None:
            return _notification(text)
        method, spelled, latency, rest = found.groups()
        other = SERVER_TO_CLIENT if channel == CLIENT_TO_SERVER else CLIENT_TO_SERVER
        key = f"{method} {spelled}"
        identifier = parse_line(spelled.encode())
        rest, answers = rest or "", bool(latency) or method == UNMATCHED or key in self._asked[other]
        while mark := _ANSWER_MARKS.match(rest) or _MARKS.match(rest):
            answers = answers or _ANSWER_MARKS.match(rest) is not None
            rest = rest[mark.end() :]
        if answers:
            self._asked[other].discard(key)
            return _answer(identifier, rest)
        params = parse_line(rest.encode()) if rest else None
        if params is NOT_JSON:
            return None
        if len(self._asked[channel]) < 10_000:
            self._asked[channel].add(key)
        asked = {"jsonrpc": "2.0", "id": identifier, "method": method}
        return asked if params is None else {**asked, "params": params}


def _notification(text: str) -> dict[str, Any] | None:
    found = _NOTIFICATION.match(text)
    if found is None or not found[1].startswith("notifications/"):
        return None
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": found[1]}
    if found[2]:
        message["params"] = parse_line(found[2].encode())
        if message["params"] is NOT_JSON:
            return None
    return message


def _answer(identifier: Any, rest: str) -> dict[str, Any] | None:
    failed = _ERROR.match(rest)
    if failed is None:
        result = parse_line(rest.encode())
        return None if result is NOT_JSON else {"jsonrpc": "2.0", "id": identifier, "result": result}
    code, said = failed.groups()
    error: Any = NOT_JSON
    at = said.find("{")
    while at >= 0 and error is NOT_JSON:
        error = parse_line(said[at:].encode())
        at = said.find("{", at + 1)
    if error is NOT_JSON:
        if code is None or said.endswith("…"):
            return None
        error = {"code": int(code), "message": said}
    return {"jsonrpc": "2.0", "id": identifier, "error": error}


def recognise(beginning: Beginning) -> ShownDecoder | None:
    """A decoder if at least two lines, and most of those with arrows, have a record number and a time."""
    numbered = sum(1 for line in beginning.lines if LINE.match(line.decode(errors="replace")))
    arrows = sum(1 for line in beginning.lines if b"-->" in line or b"<--" in line)
    return ShownDecoder() if numbered >= 2 and numbered * 2 > arrows else None


FORMAT = Format("what mcptap show prints", Certainty.MARKED, recognise)
