"""Which lines of the server's stdout are certainly no messages, and how much of each goes to stderr.

All that is not certain passes as it came. A line is whole, UTF-8 and at most `MAX_LINE` bytes long, and

- a JSON object or array passes, and so does what may be one for a reader that forgives: with `NaN`, a
  byte-order mark, deeper or with longer numbers than our parser takes, spread over several lines;
- of a line that ends in exactly one complete message the text in front goes to stderr, and the message to the
  client, if it is news to it: the server's log of what was said already is text like any other;
- what holds a message in another form passes;
- every other line goes to stderr.

A client that does not begin with a line of JSON speaks something else (HTTP/2, messages with headers):
then all passes.
"""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from collections import deque

from mcptap.jsontext.scanner import members, value_end
from mcptap.recording.format.content import NOT_JSON, parse_strictly
from mcptap.shim.divert.open_value import BROKEN, CLOSED, OPEN, OpenValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_LINE = 1 << 20
"""Bytes of the longest line that is judged."""

MAX_ASKED = 10_000
"""So many requests of the client are remembered; beyond it no answer is known to be news."""

MAX_ID = 100
RECENT = 64
"""Characters of an id, and notifications of the client, that are remembered."""

TRIES = 64
"""So many braces of a line are looked at for a message that begins there."""

BOM = "\ufeff"
SPACE = " \t\r"
NEWS, OLD, UNSURE = "news", "old", "unsure"


class Judge:
    """Follows both sides as far as it takes to judge the server's lines. Nothing here raises."""

    def __init__(self) -> None:
        self._off = False
        self._heard_client = False
        self._open: OpenValue | None = None
        self._waiting: dict[object, str] = {}
        self._asked: dict[object, str] = {}
        self._told: deque[int] = deque(maxlen=RECENT)
        self._unsure = False
        self._asked_client: set[object] = set()
        self.message: Any = None
        """The message that the line judged last is given to the client as, if its text was cut off."""

    # --- the client ------------------------------------------------------------------------------

    def client_lines(self, _first: int, lines: bytes, values: list[Any]) -> None:
        """Look at lines of the client, which were recorded and are about to be forwarded."""
        try:
            if not self._heard_client and lines.strip():
                self._heard_client = True
                said = lines.split(b"\n")
                self._off = values[next(at for at, line in enumerate(said) if line.strip())] is NOT_JSON
            for value in values:
                if type(value) is dict and type(value.get("method")) is str:
                    self._take_asked(value)
        except Exception:
            self._off = True

    def _take_asked(self, value: dict[str, Any]) -> None:
        method = value["method"]
        if "id" not in value:
            self._told.append(_sign(value))
            return
        key = _key(value["id"])
        if key is None or len(self._asked) >= MAX_ASKED:
            self._unsure = True
        else:
            self._asked[key] = self._waiting[key] = method

    # --- the server ------------------------------------------------------------------------------

    def cut(self, data: bytes, value: Any) -> int | None:
        """How many bytes of a line's beginning go to stderr; None if the line passes as it came.

        `data` is the line without its terminator, `value` its JSON value or `NOT_JSON`. If it is all of it
        the terminator goes there as well; else the client gets the rest, which is `message`.
        """
        self.message = None
        try:
            return self._cut(data, value)
        except Exception:
            self._open = None
            return None

    def all_pass(self, values: list[Any]) -> bool:
        """Whether these are the values of lines that all pass: JSON objects and arrays, each by itself."""
        if self._off or self._open is not None or not all(type(v) in (dict, list) for v in values):
            return False
        for value in values:
            self._take_said(value)
        return True

    def _cut(self, data: bytes, value: Any) -> int | None:
        if self._off:
            return None
        if self._open is not None:
            before, self._open = self._open, None
            state = before.feed(data.decode(errors="replace"))
            if state == OPEN:
                self._open = before
            if state != BROKEN:
                return None
        if type(value) in (dict, list):
            self._take_said(value)
            return None
        if len(data) > MAX_LINE or b"\0" in data:
            return None
        try:
            text = data.decode()
        except UnicodeDecodeError:
            return None
        begun = text.lstrip(SPACE)
        if begun.startswith(BOM):
            return None
        if begun[:1] in ("{", "[") and value is NOT_JSON:
            open_value = OpenValue()
            state = open_value.feed(text)
            if state == OPEN:
                self._open = open_value
                return None
            # An object in front is perhaps no text for who reads value by value; `[1]` is a logger's.
            torn = begun[0] == "{" and '"jsonrpc"' in text and (state == CLOSED or not _messages(text))
            if torn or _may_be_read(text):
                return None
        return self._cut_text(text, data)

    def _cut_text(self, text: str, data: bytes) -> int | None:
        """Judge a line that begins with text, or is a bare value."""
        found = _messages(text)
        if found is None or len(found) > 1:
            return None
        if not found:
            return len(data)
        at, end = found[0]
        if text[end:].strip(SPACE):
            return None
        value = parse_strictly(text[at:].encode())
        if not _is_message(value):
            return None
        known = self._what_is(value)
        if known == NEWS:
            self._take_said(value)
            self.message = value
            return len(text[:at].encode())
        return len(data) if known == OLD else None

    def _what_is(self, value: dict[str, Any]) -> str:
        """Whether a message at the end of a text is news to the client."""
        method = value.get("method")
        if "id" not in value:
            return OLD if _sign(value) in self._told else NEWS
        key = _key(value["id"])
        if method is not None:
            if self._asked.get(key) == method:
                return OLD
            # To ask the client twice would have it act twice.
            full = len(self._asked_client) >= MAX_ASKED
            return UNSURE if full or key is None or key in self._asked_client else NEWS
        if key in self._waiting:
            return NEWS
        return OLD if key in self._asked and not self._unsure else UNSURE

    def _take_said(self, value: Any) -> None:
        for each in value if type(value) is list else (value,):
            if type(each) is dict and "id" in each:
                key = _key(each["id"])
                if "method" not in each:
                    self._waiting.pop(key, None)
                elif len(self._asked_client) < MAX_ASKED:
                    self._asked_client.add(key)

    # --- lines that have not ended -----------------------------------------------------------------

    def may_hold(self, begun: bytes) -> bool:
        """Whether an unfinished line that begins so can be no JSON object or array, whatever follows."""
        if self._off or self._open is not None:
            return False
        decoder = getincrementaldecoder("utf-8")()
        try:
            text = decoder.decode(begun).lstrip(SPACE)
        except UnicodeDecodeError:
            return False
        if not text:
            return True  # nobody can have read a message in spaces
        if text[0] in "{" + BOM or "\0" in text:
            return False
        return text[0] != "[" or OpenValue().feed(text, goes_on=True) == BROKEN


def _messages(text: str) -> list[tuple[int, int]] | None:
    """Where in a line complete objects with a member `jsonrpc` begin and end, at most two.

    None if that is not certain: too many braces, or what our parser can't take though others may.
    """
    found: list[tuple[int, int]] = []
    last = text.rfind('"jsonrpc"')
    at = text.find("{") if last >= 0 else -1
    for _ in range(TRIES):
        if at < 0 or at > last or len(found) == 2:
            return found
        try:
            end = value_end(text, at)
        except json.JSONDecodeError:
            at = text.find("{", at + 1)
            continue
        except ValueError:
            return None
        if '"jsonrpc"' in text[at:end] and "jsonrpc" in (members(text[at:end]) or ()):
            found.append((at, end))
        at = text.find("{", end)
    return None


def _is_message(value: Any) -> bool:
    if type(value) is not dict or value.get("jsonrpc") != "2.0":
        return False
    if "method" in value:
        return type(value["method"]) is str and not {"result", "error"} & value.keys()
    return "id" in value and ("result" in value) != ("error" in value)


def _sign(value: dict[str, Any]) -> int:
    """What is remembered of a message: it may be large."""
    return hash(json.dumps(value, sort_keys=True))


def _may_be_read(text: str) -> bool:
    """Whether a parser that forgives more than RFC 8259 may read it: NaN, great depth, long numbers."""
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return False
    except (ValueError, RecursionError):
        return True
    return True


def _key(value: object) -> object:
    """An id with its type: 1 and "1" are two ids. None for one that can be none, or is too long."""
    if type(value) is str:
        return value if len(value) <= MAX_ID else None
    return (value,) if type(value) in (int, float) else None
