"""Lines made from what captures hold: senders, messages, times."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

import orjson

from mcptap.jsontext.bounded import SHORT, Outline, parse_whole
from mcptap.recording.format.lines import BEGINS, OUTLINE, TOLD
from mcptap.recording.format.model import UNPARSED, Event, Header, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

ARROWS = {"-->": CLIENT_TO_SERVER, "<--": SERVER_TO_CLIENT, "err": STDERR}
"""How mcptap itself writes the channel of a line."""

SIDES = {
    **ARROWS,
    "c2s": CLIENT_TO_SERVER,
    "client": CLIENT_TO_SERVER,
    "client_to_server": CLIENT_TO_SERVER,
    "client-to-server": CLIENT_TO_SERVER,
    "client->server": CLIENT_TO_SERVER,
    "stdin": CLIENT_TO_SERVER,
    "s2c": SERVER_TO_CLIENT,
    "server": SERVER_TO_CLIENT,
    "server_to_client": SERVER_TO_CLIENT,
    "server-to-client": SERVER_TO_CLIENT,
    "server->client": SERVER_TO_CLIENT,
    "stdout": SERVER_TO_CLIENT,
    "stderr": STDERR,
}
"""Words for the sender that leave no doubt. `in`, `out`, `sent` depend on who wrote them."""


def unknown_header(name: str = "server", **fields: Any) -> Header:
    """A header with what is known about the start of a server, if anything."""
    return Header({"name": name, "argv": [], "cwd": None, "program": None, **fields})


def message_line(number: int, channel: str, value: Any, t_us: int = 0, wall_us: int = 0) -> Line:
    """A line for a message of which only the value is known."""
    parsed = UNPARSED
    try:
        data = orjson.dumps(value)
        if len(data) <= SHORT and isinstance(value, dict):
            parsed = value  # as `parse_line` would give it
    except TypeError:  # a lone surrogate
        data = json.dumps(value, separators=(",", ":")).encode()
    return Line(number, channel, data, b"\n", t_us, t_us, wall_us, value=parsed)


def text_line(number: int, channel: str, text: str, t_us: int = 0, wall_us: int = 0) -> Line:
    """A line given as a string; a newline inside it would be more than one line."""
    data = text.encode(errors="surrogatepass")
    return Line(number, channel, data, b"\n", t_us, t_us, wall_us)


def outline_line(number: int, channel: str, members: dict[str, Any], t_us: int = 0, wall_us: int = 0) -> Line:
    """A line for a message of which only these members are known; `params` and `result` that are not stay
    empty. They are not judged."""
    line = message_line(number, channel, Outline(members), t_us, wall_us)
    line.known = OUTLINE
    return line


def told_line(number: int, channel: str, members: dict[str, Any], t_us: int = 0, wall_us: int = 0) -> Line:
    """A line for a message of which a log only tells that it passed. Its id is not that of the wire."""
    line = message_line(number, channel, Outline(members), t_us, wall_us)
    line.known = TOLD
    return line


def begun_line(number: int, channel: str, text: str, t_us: int = 0, wall_us: int = 0) -> Line:
    """A line of which only the beginning is known, and that its receiver could not use it."""
    line = text_line(number, channel, text, t_us, wall_us)
    line.known = BEGINS
    return line


def log_event(number: int, text: str, t_us: int = 0, wall_us: int = 0, level: str = "") -> Event:
    """What a log says itself, and that is no line of a channel."""
    return process_event(number, "log", t_us, wall_us, **({"level": level} if level else {}), text=text)


def rejection_event(number: int, why: str, t_us: int = 0, wall_us: int = 0) -> Event:
    """What a client's log says of a line of stdout that was JSON and no message for it."""
    return process_event(number, "log", t_us, wall_us, level="error", text=why, rejected=SERVER_TO_CLIENT)


def process_event(number: int, kind: str, t_us: int = 0, wall_us: int = 0, **fields: Any) -> Event:
    """An event of a kind of `recording/format/events.py`, with the fields of that kind."""
    return Event(number, kind, t_us, wall_us, {"k": kind, **fields})


class Clock:
    """Times of a session that a log tells by the time of day: the first one is the start."""

    def __init__(self) -> None:
        self.start_us = 0
        """The first time, in microseconds since 1970; 0 as long as there was none."""
        self._last_us = 0

    def at(self, wall_us: int) -> tuple[int, int]:
        """A time since 1970 as time since the start and since 1970, both in microseconds.

        For 0 (a line without a time) it is that of the line before. The time since the start never goes
        back: clocks are set, and lines of two threads swap.
        """
        if wall_us and not self.start_us:
            self.start_us = self._last_us = wall_us
        wall_us = wall_us or self._last_us
        self._last_us = max(self._last_us, wall_us)
        return self._last_us - self.start_us, wall_us


def from_local(stamp: str) -> int:
    """A time without a zone, taken for this machine's, as microseconds since 1970; 0 if it is none."""
    try:
        moment = datetime.fromisoformat(stamp)
        return max(0, (moment.astimezone(UTC) - _EPOCH) // timedelta(microseconds=1))
    except (ValueError, OverflowError, OSError):
        return 0


def is_message(value: Any) -> bool:
    """Whether a JSON value is meant as a JSON-RPC message, or as a batch of them."""
    if isinstance(value, list):
        return bool(value) and is_message(value[0])
    return isinstance(value, dict) and (
        "jsonrpc" in value
        or (isinstance(value.get("method"), str) and ("params" in value or "id" in value))
        or ("id" in value and ("result" in value or "error" in value))
    )


def object_of(raw: bytes) -> dict[str, Any] | None:
    """The JSON object that a line of the file is, if it is one."""
    try:
        value = parse_whole(raw)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def from_rfc3339(stamp: Any) -> int:
    """An RFC 3339 time as microseconds since 1970; 0 if it is none."""
    if not isinstance(stamp, str):
        return 0
    # Nearly all have three or six digits behind the second, which a thousand lines have in common.
    digits = stamp[20:26] if stamp[23:24].isdecimal() else stamp[20:23]
    if stamp[19:20] == "." and len(digits) in (3, 6) and digits.isdecimal() and digits.isascii():
        whole = _since_1970(stamp[:19] + stamp[20 + len(digits) :])
        if whole is not None:
            return max(0, whole + int(digits) * (1000 if len(digits) == 3 else 1))
    return max(0, _since_1970(stamp) or 0)


@lru_cache(maxsize=64)
def _since_1970(stamp: str) -> int | None:
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)


def from_milliseconds(value: Any) -> int:
    """A count of milliseconds as microseconds; 0 if it is none."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e15:
        return 0
    return round(value * 1000)
