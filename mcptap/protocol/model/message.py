"""One line of a channel as a message of JSON-RPC 2.0, or as what it is instead.

`classify` judges a line by itself. Which request a response belongs to is for `requests` to tell.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from enum import StrEnum
from typing import Any

from mcptap.jsontext.bounded import Omitted, Outline
from mcptap.protocol.model.broken import Broken
from mcptap.protocol.model.ids import Id, OddId, spell_id
from mcptap.protocol.model.request import Request
from mcptap.protocol.revisions import UNKNOWN
from mcptap.recording.format.content import NOT_JSON, parse_strictly
from mcptap.recording.format.model import Line
from mcptap.wire import STDERR


class Kind(StrEnum):
    """What a line is."""

    REQUEST = "request"
    """An object with a string `method` and the key `id`, even if that is null."""
    NOTIFICATION = "notification"
    """An object with a string `method` and no `id`."""
    RESPONSE = "response"
    """An object without `method`, with `result` or `error`, even if they are null."""
    BATCH = "batch"
    """A JSON array, even an empty one."""
    SCALAR = "scalar"
    """A JSON value that is neither object nor array."""
    MALFORMED = "malformed"
    """A JSON object that is no message of JSON-RPC."""
    TEXT = "text"
    """UTF-8, and not JSON."""
    BLANK = "blank"
    BYTES = "bytes"
    """Not UTF-8."""
    LOG = "stderr"
    """A line of the server's standard error."""


# Short names for the members: what looks at every line of a recording compares with these, since
# a member is looked up slowly in its class before Python 3.12.
REQUEST, NOTIFICATION, RESPONSE, BATCH, SCALAR, MALFORMED, TEXT, BLANK, BYTES, LOG = Kind
MESSAGES = frozenset({REQUEST, NOTIFICATION, RESPONSE})


class Flaw(StrEnum):
    """What is odd about a message."""

    BAD_VERSION = "version"
    """`jsonrpc` is absent or not the string "2.0"."""
    EXTRA_MEMBER = "extra member"
    NULL_ID = "null id"
    """A request with `"id": null`."""
    NO_ID = "no id"
    """A response without an id, or with null."""
    BAD_ID = "bad id"
    """An id that is neither a string nor an integer."""
    BAD_PARAMS = "bad params"
    """`params` is not an object."""
    BAD_METHOD = "bad method"
    """`method` is not a string."""
    RESULT_AND_ERROR = "result and error"
    NULL_MEMBER = "null member"
    """`"error": null` beside a result, or `"result": null` beside an error."""
    NEITHER = "no member"
    """An object with none of method, result and error."""


class Match(StrEnum):
    """How a message does not fit the ones before it."""

    DUPLICATE = "duplicate"
    """A response for an id that was answered already."""
    OTHER_TYPE = "other type"
    """A response whose id differs from an open one only in its JSON type."""
    UNKNOWN = "unknown"
    """A response or cancellation for an id that was never used."""
    REUSED = "reused"
    """A request with an id that this sender used before."""
    REUSED_OPEN = "reused open"
    """The same, while the earlier request still waits."""
    BAD_CURSOR = "bad cursor"
    """A request with a cursor that no page gave."""
    TO_NOTIFICATION = "to notification"
    """A response that can only be meant for a notification."""
    PERHAPS_TO_NOTIFICATION = "perhaps to notification"
    """A response for no request, behind a notification and while requests wait: see `Homeless`."""
    ECHO = "echo"
    """A line of the server that repeats one of the client."""
    CLOSED = "closed"
    """A cancellation of a request that was answered already."""


MEMBERS = {
    REQUEST: frozenset({"jsonrpc", "id", "method", "params"}),
    NOTIFICATION: frozenset({"jsonrpc", "id", "method", "params"}),
    RESPONSE: frozenset({"jsonrpc", "id", "result", "error"}),
}
"""The keys that each kind of message may have at its top."""

PIECE = 1 << 20
"""Bytes that are decoded at a time where the text itself is not wanted."""

_ABSENT: Any = object()


class Message:
    """A classified line.

    `method`, `params`, `result` and `error` are those of the message; `id` is the key of its id,
    None if it has none; `flaws` holds what is odd about it.

    A session (or `Requests` alone) fills in `request`, the request and response that it is one of,
    `match`, how it does not fit, `about`, the record that a response without an id seems to speak
    of, and the `method` of a response. A session adds `revision`, which it follows (empty if not
    known). A diagnosis adds `diverted` as the line has it, `broken`, which says more about a line
    that is no message, and `failure`, the failure that a tool's result tells as if it were data, or
    empty.
    """

    __slots__ = (
        "about",
        "broken",
        "channel",
        "diverted",
        "error",
        "failure",
        "flaws",
        "id",
        "is_outline",
        "kind",
        "line",
        "lost",
        "match",
        "method",
        "number",
        "params",
        "request",
        "result",
        "revision",
        "t_us",
    )  # fmt: skip

    def __init__(self, kind: Kind, line: Line) -> None:
        self.kind = kind
        self.line = line
        self.number = line.number
        self.channel = line.channel
        self.t_us = line.t_us
        self.id: Id | None = None
        self.method = ""
        self.params: dict[str, Any] | None = None
        self.result: Any = None
        self.error: Any = None
        self.flaws: tuple[Flaw, ...] = ()
        self.request: Request | None = None
        self.match: Match | None = None
        self.revision = UNKNOWN
        self.about: int | None = None
        self.broken: Broken | None = None
        self.failure: str | None = None
        self.diverted: int | None = None
        self.is_outline = False
        """Whether only the outline of what it says is known: it is too large to be taken apart, or a log
        has no more."""
        self.lost = False
        """Whether a request or its answer went lost with this line, because no client can read it."""

    def __repr__(self) -> str:
        return f"<{self.channel} {self.kind} {self.method} id={spell_id(self.id)} record {self.number}>"

    @property
    def meta(self) -> dict[str, Any]:
        """`params._meta`, or an empty object."""
        meta = self.params.get("_meta") if self.params is not None else None
        return meta if isinstance(meta, dict) else {}


def classify(line: Line) -> Message:
    """What one line is for the client. Never an exception, whatever the bytes.

    Of a line whose beginning was diverted it is the message that is left. A message of which a log tells no
    more than an outline has no flaws.
    """
    if line.channel == STDERR:
        return Message(LOG, line)
    if line.diverted is not None and line.diverted < len(line.data):
        line = _freed(line)
    value = line.value
    if type(value) is dict:
        return from_object(value, line)
    if value is NOT_JSON:
        return Message(_unreadable(line.data), line)
    if type(value) is Outline:
        message = from_object(value, line)
        message.is_outline = True
        if line.known:
            message.flaws = ()  # what is missing may be missing in the log alone
        return message
    is_large = type(value) is Omitted
    is_array = type(value) is list or (is_large and line.data.lstrip()[:1] == b"[")
    message = Message(BATCH if is_array else SCALAR, line)
    message.is_outline = is_large
    return message


def _freed(line: Line) -> Line:
    """The message that the client got of a line whose beginning was diverted."""
    data = line.data[line.diverted or 0 :]
    t, first, wall = line.t_us, line.first_us, line.wall_us
    return Line(line.number, line.channel, data, line.eol, t, first, wall, is_exact=line.is_exact)


def from_object(value: dict[str, Any], line: Line) -> Message:
    """An object of this line as a message, with its flaws, or as a malformed one."""
    known = 1
    flaws: list[Flaw] | None = None
    version = value.get("jsonrpc", _ABSENT)
    if version != "2.0":
        flaws = [Flaw.BAD_VERSION]
        known = 0 if version is _ABSENT else 1
    key = value.get("id", _ABSENT)
    if key is not _ABSENT:
        known += 1
    method = value.get("method", _ABSENT)
    if method is not _ABSENT:
        known += 1
        if type(method) is not str:
            message = Message(MALFORMED, line)
            message.flaws = (Flaw.BAD_METHOD,)
            return message
        message = Message(NOTIFICATION if key is _ABSENT else REQUEST, line)
        message.method = method
        params = value.get("params", _ABSENT)
        if params is not _ABSENT:
            known += 1
            if type(params) is dict:
                message.params = params
            else:
                flaws = [*(flaws or ()), Flaw.BAD_PARAMS]
        if key is None:
            flaws = [*(flaws or ()), Flaw.NULL_ID]
    else:
        result, error = value.get("result", _ABSENT), value.get("error", _ABSENT)
        if result is _ABSENT and error is _ABSENT:
            message = Message(MALFORMED, line)
            message.flaws = (Flaw.NEITHER,)
            if key is not _ABSENT and key is not None:
                message.id = _key(key, line)
            return message
        message = Message(RESPONSE, line)
        if result is not _ABSENT:
            known += 1
            message.result = result
        if error is not _ABSENT:
            known += 1
            message.error = error
            if result is not _ABSENT:
                both = Flaw.RESULT_AND_ERROR if result is not None and error is not None else Flaw.NULL_MEMBER
                flaws = [*(flaws or ()), both]
        if key is _ABSENT or key is None:
            flaws = [*(flaws or ()), Flaw.NO_ID]
    if key is not _ABSENT and key is not None:
        if type(key) is int or type(key) is str:
            message.id = key
        else:
            message.id = _key(key, line)
            if type(message.id) is OddId:
                flaws = [*(flaws or ()), Flaw.BAD_ID]
    if known != len(value):
        flaws = [*(flaws or ()), Flaw.EXTRA_MEMBER]
    if flaws is not None:
        message.flaws = tuple(flaws)
    return message


def _key(value: Any, line: Line) -> Id:
    """The key of an id that came from the parser; an integer of over 64 bits is recovered."""
    if isinstance(value, bool):
        return OddId(value)
    if isinstance(value, int | str):
        return value
    if isinstance(value, float) and type(line.value) is dict:
        again = parse_strictly(line.data)
        exact = again.get("id") if isinstance(again, dict) else value
        if isinstance(exact, int) and not isinstance(exact, bool):
            return exact
    return OddId(value)


def _unreadable(data: bytes) -> Kind:
    if not data.strip(b" \t\r\n"):
        return BLANK
    try:
        utf8 = getincrementaldecoder("utf-8")()
        for at in range(0, len(data), PIECE):
            utf8.decode(data[at : at + PIECE])
        utf8.decode(b"", final=True)
    except UnicodeDecodeError:
        return BYTES
    return TEXT
