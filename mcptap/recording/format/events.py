"""The records of what happened to the process and its channels. How each is written, and how it is read.

An encoder gives the kind of the event and its own fields as JSON, each behind a comma; `encode_event`
makes a record of that.
"""

from __future__ import annotations

from mcptap.recording.format.content import as_count, quote
from mcptap.recording.format.values import Fields
from mcptap.wire import CHANNELS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Encoded = tuple[bytes, bytes]

EVENT = b'{"n":%d,"k":"%b","t":%d,"wall":%d%b}\n'
"""Record number, kind, time and wall-clock time (µs), the fields of the kind."""

RECEIVER_CLOSED = "receiver closed"
"""Why a channel ended that its sender did not end."""


def encode_event(number: int, stamp: tuple[int, int], event: Encoded) -> bytes:
    """The record of an event, with its newline. `stamp`: µs since the start, and since 1970."""
    kind, fields = event
    return EVENT % (number, kind, *stamp, fields)


def spawn(pid: int) -> Encoded:
    """The server was started."""
    return b"spawn", b',"pid":%d' % pid


def failed_spawn(code: int, sentence: str, status: int) -> Encoded:
    """The server could not be started: the errno, what the user was told, the exit status."""
    return b"spawn", b',"errno":%d,"error":%b,"status":%d' % (code, quote(sentence), status)


def paths(found: Sequence[int], missing: Sequence[int]) -> Encoded:
    """Which words of `argv` that look like relative paths were there at the start, by their index from 0."""
    return b"paths", b',"found":[%b],"missing":[%b]' % (_integers(found), _integers(missing))


def eof(channel: str, why: str = "") -> Encoded:
    """A channel ended; `why` is empty if its sender closed it, else `RECEIVER_CLOSED`."""
    return b"eof", b',"ch":"%b"' % channel.encode() + (b',"why":' + quote(why) if why else b"")


def signal(name: str, sender: int, forwarded: bool) -> Encoded:
    """A signal came from the process with this pid (0: unknown), and was sent on to the server or not."""
    fields = b',"signal":"%b","sender":%d,"forwarded":%b'
    return b"signal", fields % (name.encode(), sender, b"true" if forwarded else b"false")


def blocked(channel: str, us: int) -> Encoded:
    """The receiver of a channel did not read for so many microseconds."""
    return b"blocked", b',"ch":"%b","us":%d' % (channel.encode(), us)


def gap(records: int, size: int, since_us: int, why: str, rest: bool = False) -> Encoded:
    """So many records of `size` bytes could not be written; with `rest` nothing more is recorded."""
    fields = b',"records":%d,"bytes":%d,"since":%d,"why":%b' % (records, size, since_us, quote(why))
    return b"gap", fields + (b',"rest":true' if rest else b"")


def exited(code: int | None, signal_name: str | None, us: int, left: Sequence[int] = ()) -> Encoded:
    """The server ended, by itself with a code or by a signal, after so many microseconds.

    `left` are the pids of processes that it left running.
    """
    how = b',"code":%d' % code if code is not None else b',"signal":"%b"' % (signal_name or "").encode()
    pids = b',"left":[%b]' % _integers(left) if left else b""
    return b"exit", how + b',"us":%d' % us + pids


def question(what: str = "") -> Encoded:
    """mcptap probe sends something odd, in words; without words: that is over, the server still answers."""
    return b"question", b',"what":' + quote(what) if what else b""


def log(text: str, level: str = "") -> Encoded:
    """What the log of a capture says itself, and that is no line of a channel; only in converted captures.

    A third field, `rejected`, names the channel of a line that the text is about.
    """
    return b"log", (b',"level":' + quote(level) if level else b"") + b',"text":' + quote(text)


def _integers(numbers: Sequence[int]) -> bytes:
    return b",".join([b"%d" % number for number in numbers])


class Event(Fields):
    """Something that happened: `kind`, and its fields, which have the types that the format gives them."""

    __slots__ = ("fields", "kind", "number", "t_us", "wall_us")

    def __init__(self, number: int, kind: str, t_us: int, wall_us: int, fields: dict[str, Any]) -> None:
        self.number = number
        self.kind = kind
        self.t_us = t_us
        self.wall_us = wall_us
        self.fields = fields

    @property
    def ends_session(self) -> bool:
        """Whether no more is to come: the server ended, could not be started, or runs unrecorded."""
        return (
            self.kind == "exit"
            or (self.kind == "spawn" and "errno" in self.fields)
            or (self.kind == "gap" and self.fields.get("rest") is True)
        )


def _is_count(value: object) -> bool:
    return as_count(value) is not None


def _is_integer(value: object) -> bool:
    return type(value) is int


def _is_signal(value: object) -> bool:
    return isinstance(value, str) and (
        not value or (value.startswith("SIG") and value.isascii() and value.isalnum())
    )


def _is_string(value: object) -> bool:
    return isinstance(value, str)


def _is_boolean(value: object) -> bool:
    return isinstance(value, bool)


def _are_counts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_count, value))


def _is_channel(value: object) -> bool:
    return isinstance(value, str) and value in CHANNELS


_FIELDS: dict[str, dict[str, Callable[[object], bool]]] = {
    "spawn": {"pid": _is_count, "errno": _is_integer, "error": _is_string, "status": _is_integer},
    "paths": {"found": _are_counts, "missing": _are_counts},
    "eof": {"ch": _is_channel, "why": _is_string},
    "signal": {"signal": _is_signal, "sender": _is_count, "forwarded": _is_boolean},
    "blocked": {"ch": _is_channel, "us": _is_count},
    "gap": {
        "records": _is_count,
        "bytes": _is_count,
        "since": _is_count,
        "why": _is_string,
        "rest": _is_boolean,
    },
    "exit": {"code": _is_integer, "signal": _is_signal, "us": _is_count, "left": _are_counts},
    "question": {"what": _is_string},
    "log": {"level": _is_string, "text": _is_string, "rejected": _is_channel},
}
"""What each field of an event has to be."""

KINDS = frozenset(_FIELDS)
"""The kinds of events that this version knows."""

_NEEDED = {"eof": "ch", "signal": "signal", "blocked": "us", "log": "text"}
"""The field without which an event says nothing; any other may be missing."""


def decode_event(fields: dict[str, Any], number: int) -> Event:
    """An event from the fields of its record. Raises ValueError: why it is damaged.

    Of a kind that is not known, nothing is asked.
    """
    kind = fields["k"]
    for name, is_valid in _FIELDS.get(kind, {}).items():
        if name in fields and not is_valid(fields[name]):
            raise ValueError(f"its field {name} is wrong")
    needed = _NEEDED.get(kind)
    if needed is not None and needed not in fields:
        raise ValueError(f"its field {needed} is missing")
    return Event(number, kind, fields["t"], fields["wall"], fields)
