"""From a recording to a script: what the server wrote, hung on what it was asked.

Everything the server did belongs to a reaction: a line of the client and what came of it.
An answer belongs to its request; progress to the request that gave the token; what the
client's reply to a server request set off, to where that request came from; everything
else (notifications, stray prints, stderr, the crash) to the latest line of the client.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, TypeGuard

from mcptap.jsontext.splice import member_span
from mcptap.protocol.model.ids import Id, as_id
from mcptap.protocol.model.message import NOTIFICATION, REQUEST, RESPONSE, Match, Message, classify
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.requests import Requests
from mcptap.protocol.revisions.names import META_SUBSCRIPTION
from mcptap.recording.format.model import Event, Item, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

_ID_IN_TEXT = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)')


class PlaceholderKind(Enum):
    """What goes into a placeholder: a value of the request that is being answered."""

    ID = "id"
    ID_OF_OTHER_TYPE = "id of other type"
    TOKEN = "progress token"  # noqa: S105 no secret


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A span of recorded bytes that is different for every request."""

    start: int
    end: int
    kind: PlaceholderKind


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes on stdout (`s2c`) or stderr, `after_us` behind the reaction's last cause."""

    after_us: int
    channel: str
    data: bytes
    placeholders: tuple[Placeholder, ...] = ()
    is_answer: bool = False


@dataclass(frozen=True, slots=True)
class AwaitResponse:
    """Go on when the client has replied to this request of the server."""

    request: str


@dataclass(frozen=True, slots=True)
class Exit:
    """The process ends, with a code or by a signal's name."""

    after_us: int
    code: int = 0
    signal: str = ""


Step = Write | AwaitResponse | Exit


@dataclass(slots=True)
class Reaction:
    """A line of the client, and what the server did about it."""

    message: Message | None = None
    """The client's line; None at the start and the end."""
    t_us: int = 0
    """When the line came, or the last reply to a server request within the reaction."""
    steps: list[Step] = field(default_factory=list)


@dataclass(slots=True)
class ServerScript:
    """What a recorded server did."""

    start: Reaction = field(default_factory=Reaction)
    """Before the client's first line."""
    reactions: list[Reaction] = field(default_factory=list)
    end: Reaction = field(default_factory=Reaction)
    """After the end of input."""
    ends_at_eof: bool = True
    """False if the recorded server stayed after the end of input until it was killed."""
    ignores_term: bool = False


def id_key(key: Any) -> str:
    """An id or progress token as JSON."""
    return json.dumps(key)


def other_type(value: str | int) -> bytes:
    """An id as JSON with its type changed: `1` as `"1"`, and `"1"` as `1` where that is possible."""
    if isinstance(value, int):
        return json.dumps(str(value)).encode()
    return value.encode() if value.isdecimal() else b"0"


def is_answerable(message: Message | None) -> TypeGuard[Message]:
    """Whether this is a request that can be answered: its id is a string or an integer (basic#requests)."""
    return message is not None and message.kind is REQUEST and isinstance(message.id, int | str)


def script_of(items: Iterable[Item], unfinished: Iterable[Line] = ()) -> ServerScript:
    """The script of a recording: its items in order, and the lines that never ended."""
    builder = _Builder()
    for item in items:
        if isinstance(item, Line):
            builder.line(item)
        elif isinstance(item, Event):
            builder.event(item)
    for line in unfinished:
        if line.channel != CLIENT_TO_SERVER:
            builder.line(line)
    return builder.script


class _Builder:
    def __init__(self) -> None:
        self.script = ServerScript()
        self.current = self.script.start
        self.requests = Requests()
        self.reactions: dict[Request, Reaction] = {}
        """What each request set off; for a request of the server, what it belongs to."""
        self.tokens: dict[Id, Reaction] = {}
        self.ended_input = False
        self.signals: list[str] = []
        self.ended_by_itself: Reaction | None = None

    def line(self, line: Line) -> None:
        message = classify(line.as_written)
        self.requests.take(message)
        if line.channel == CLIENT_TO_SERVER:
            self._from_client(message)
        elif line.channel == SERVER_TO_CLIENT:
            self._from_server(message)
        else:
            self._add(self.current, line)

    def event(self, event: Event) -> None:
        channel = event.fields.get("ch")
        if event.kind == "eof" and channel == CLIENT_TO_SERVER and "why" not in event.fields:
            self.ended_input = True
            if self.ended_by_itself is None:
                self.current = self.script.end
                self.current.t_us = event.t_us
        elif event.kind == "eof" and channel == SERVER_TO_CLIENT:
            # A client closes its end when the server's is gone: whoever closed first has ended it.
            if not self.ended_input and not self.signals and "why" not in event.fields:
                self.ended_by_itself = self.current
        elif event.kind == "signal":
            self.signals.append(event.fields["signal"])
        elif event.kind == "exit":
            self._exit(event)

    def _exit(self, event: Event) -> None:
        script, fields = self.script, event.fields
        owner = self.ended_by_itself or self.current
        signal = fields.get("signal", "")
        stopped = bool(self.signals)
        if stopped and self.ended_by_itself is None:
            script.ends_at_eof = not self.ended_input
            script.ignores_term = "SIGTERM" in self.signals and signal == "SIGKILL"
            return
        code = fields.get("code")
        owner.steps.append(
            Exit(max(0, event.t_us - owner.t_us), code if isinstance(code, int) else 0, signal)
        )

    def _from_client(self, message: Message) -> None:
        if message.kind is RESPONSE:
            owner = None
            if message.request is not None and message.match is None:
                owner = self.reactions.pop(message.request, None)
            if owner is not None:
                owner.steps.append(AwaitResponse(id_key(message.id)))
                owner.t_us = message.t_us
                self.current = owner
            return
        self.current = Reaction(message, message.t_us)
        self.script.reactions.append(self.current)
        if is_answerable(message) and message.request is not None:
            self.reactions[message.request] = self.current
            token = as_id(message.meta.get("progressToken"))
            if isinstance(token, int | str):
                self.tokens[token] = self.current

    def _from_server(self, message: Message) -> None:
        if message.kind is RESPONSE:
            self._answer(message)
        elif message.kind is NOTIFICATION:
            self._notification(message)
        elif is_answerable(message) and message.request is not None:
            self.reactions[message.request] = self.current
            self._add(self.current, message.line)
        else:
            self._unreadable(message.line)

    def _answer(self, message: Message) -> None:
        line = message.line
        reaction = None
        if message.request is not None and message.match is not Match.DUPLICATE:
            reaction = self.reactions.pop(message.request, None)
        if reaction is None:
            asked = self.current.message
            again = is_answerable(asked) and asked.id == message.id
            self._add(
                self.current, line, [_placeholder(line.data, PlaceholderKind.ID, "id") if again else None]
            )
            return
        has_other_type = message.match is Match.OTHER_TYPE
        kind = PlaceholderKind.ID_OF_OTHER_TYPE if has_other_type else PlaceholderKind.ID
        placeholders = [
            _placeholder(line.data, kind, "id"),
            _placeholder(line.data, PlaceholderKind.ID, "result", "_meta", META_SUBSCRIPTION),
        ]
        self._add(reaction, line, placeholders, is_answer=True)

    def _notification(self, message: Message) -> None:
        line, params = message.line, message.params or {}
        token = as_id(params.get("progressToken"))
        listening = self._open_request(message.meta.get(META_SUBSCRIPTION))
        cancelled = self._open_request(params.get("requestId"))
        if token is not None and token in self.tokens:
            placeholder = _placeholder(line.data, PlaceholderKind.TOKEN, "params", "progressToken")
            self._add(self.tokens[token], line, [placeholder])
        elif listening is not None:
            placeholder = _placeholder(line.data, PlaceholderKind.ID, "params", "_meta", META_SUBSCRIPTION)
            self._add(listening, line, [placeholder])
        elif cancelled is not None:
            placeholder = _placeholder(line.data, PlaceholderKind.ID, "params", "requestId")
            self._add(cancelled, line, [placeholder])
        else:
            self._add(self.current, line)

    def _unreadable(self, line: Line) -> None:
        """What is no message. It may hold one: then it is what the request with that id got."""
        for match in _ID_IN_TEXT.finditer(line.data):
            reaction = self._open_request(_scalar(match[1]))
            if reaction is not None:
                self._add(reaction, line, [Placeholder(*match.span(1), PlaceholderKind.ID)])
                return
        self._add(self.current, line)

    def _open_request(self, value: Any) -> Reaction | None:
        """The reaction to the client's open request with this id; None if there is none."""
        key = as_id(value)
        request = self.requests.open[CLIENT_TO_SERVER].get(key) if key is not None else None
        return self.reactions.get(request) if request is not None else None

    def _add(
        self,
        reaction: Reaction,
        line: Line,
        placeholders: Iterable[Placeholder | None] = (),
        is_answer: bool = False,
    ) -> None:
        after = max(0, line.t_us - reaction.t_us)
        kept = tuple(sorted((h for h in placeholders if h is not None), key=lambda h: h.start))
        reaction.steps.append(Write(after, line.channel, line.raw, kept, is_answer))


def _placeholder(data: bytes, kind: PlaceholderKind, *path: str) -> Placeholder | None:
    span = member_span(data, *path)
    return None if span is None else Placeholder(*span, kind)


def _scalar(text: bytes) -> Any:
    """A JSON string or number; None if it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return None
