"""What came of a request that was sent again, and what had come of it the first time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mcptap.jsontext.diff import ABSENT
from mcptap.protocol.model.message import (
    BATCH,
    BLANK,
    NOTIFICATION,
    REQUEST,
    RESPONSE,
    Message,
    classify,
)
from mcptap.protocol.revisions.names import OPENING
from mcptap.recording.format.model import Event, Line, parse_line
from mcptap.recording.reader import Reader
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import ChannelCode, Kind
from mcptap.tui.index.loaded import exact_bytes, load
from mcptap.tui.index.rows import event_words
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

ENVELOPE = frozenset({"jsonrpc", "id"})
"""Members of an answer that say nothing of what was answered."""

MESSAGES = frozenset({REQUEST, RESPONSE, NOTIFICATION, BATCH, BLANK})


@dataclass(slots=True)
class Resent:
    """An answer without its envelope (`ABSENT` if none came), and what else is known of the run."""

    answer: Any = ABSENT
    latency_us: int | None = None
    sent: bool = False
    """Whether the request went out at all."""
    pollution: int = 0
    """Lines on the server's stdout that are no message."""
    end: str = "how the server ended is not known"


def read_resent(path: str, request: bytes) -> Resent:
    """What a recording tells of the last request that is this one. Raises RecordingError."""
    wanted = classify(Line(1, CLIENT_TO_SERVER, request.rstrip(b"\r\n"), b"\n", 0, 0, 0))
    resent = Resent()
    asked: Message | None = None
    with Reader(path) as reader:
        for item in reader.items():
            if isinstance(item, Event):
                if item.ends_session:
                    resent.end = f"the server's end: {event_words(item)}"
            elif isinstance(item, Line) and item.channel == CLIENT_TO_SERVER:
                message = classify(item)
                if (message.kind, message.method, message.id) == (wanted.kind, wanted.method, wanted.id):
                    asked, resent.sent = message, True
                    resent.answer, resent.latency_us = ABSENT, None
            elif isinstance(item, Line) and item.channel == SERVER_TO_CLIENT:
                message = classify(item)
                resent.pollution += message.kind not in MESSAGES
                is_answer = asked is not None and message.kind == RESPONSE and message.id == asked.id
                if asked is not None and is_answer and resent.answer is ABSENT:
                    resent.answer = _content(item.value)
                    resent.latency_us = item.t_us - asked.t_us
    return resent


def old_answer(index: RecordIndex, i: int) -> Resent:
    """The answer that the request at index `i` of a recording got. Raises OSError."""
    other = index.partner(i)
    if other is None:
        return Resent(sent=True)
    try:
        value = parse_line(exact_bytes(index, load(index, other)))
    except ValueError:
        return Resent(sent=True)
    return Resent(_content(value), index.times[other] - index.times[i], sent=True)


def lines_to_send(index: RecordIndex, i: int, edited: bytes) -> Iterator[bytes]:
    """The client's opening, and in its place the request at index `i` as it was edited. Raises OSError.

    What belongs to the opening but came after the request is sent only if that is a part of it.
    """
    opens = index.name(index.methods[i]) in OPENING
    for j in range(index.described if opens else i):
        if j == i:
            continue
        if j > i and edited:
            yield edited + b"\n"
            edited = b""
        if (
            index.kinds[j] in (Kind.REQUEST, Kind.NOTIFICATION)
            and index.channels[j] == ChannelCode.C2S
            and index.name(index.methods[j]) in OPENING
        ):
            yield exact_bytes(index, load(index, j))
    if edited:
        yield edited + b"\n"


def _content(value: Any) -> Any:
    if not isinstance(value, dict):
        return ABSENT
    return {name: member for name, member in value.items() if name not in ENVELOPE}
