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
from typing import Any

from mcptap.jsontext.splice import member_span
from mcptap.recording.format.model import NOT_JSON, Event, Item, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
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

    value: Any = NOT_JSON
    """The line as JSON, or NOT_JSON."""
    data: bytes = b""
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


def id_key(value: Any) -> str:
    """An id or token as a key that keeps `1` and `"1"` apart."""
    return json.dumps(value)


def is_request(value: Any) -> bool:
    """Whether a line's value is a request that can be answered: its id is a string or an integer."""
    return isinstance(value, dict) and isinstance(value.get("method"), str) and is_id(value.get("id"))


def is_notification(value: Any) -> bool:
    """Whether a line's value is a notification."""
    return isinstance(value, dict) and isinstance(value.get("method"), str) and "id" not in value


def is_response(value: Any) -> bool:
    """Whether a line's value is the answer to a request."""
    return isinstance(value, dict) and "method" not in value and ("result" in value or "error" in value)


def is_id(value: Any) -> bool:
    """Whether a value may be an id (basic#requests: a string or an integer)."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def params_of(value: Any) -> dict[str, Any]:
    """The params of a message; empty if they are missing or no object."""
    params = value.get("params") if isinstance(value, dict) else None
    return params if isinstance(params, dict) else {}


def meta_of(value: Any) -> dict[str, Any]:
    """The `_meta` of a message's params; empty if there is none."""
    meta = params_of(value).get("_meta")
    return meta if isinstance(meta, dict) else {}


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
        self.open: dict[str, Reaction] = {}
        self.tokens: dict[str, Reaction] = {}
        self.server_requests: dict[str, Reaction] = {}
        self.ended_input = False
        self.signals: list[str] = []
        self.ended_by_itself: Reaction | None = None

    def line(self, line: Line) -> None:
        if line.channel == CLIENT_TO_SERVER:
            self._from_client(line)
        elif line.channel == SERVER_TO_CLIENT:
            self._from_server(line)
        else:
            self._add(self.current, line)

    def event(self, event: Event) -> None:
        channel = event.fields.get("ch")
        if event.kind == "eof" and channel == CLIENT_TO_SERVER:
            self.ended_input = True
            if self.ended_by_itself is None:
                self.current = self.script.end
                self.current.t_us = event.t_us
        elif event.kind == "eof" and channel == SERVER_TO_CLIENT:
            # A client closes its end when the server's is gone: whoever closed first has ended it.
            if not self.ended_input and not self.signals and "why" not in event.fields:
                self.ended_by_itself = self.current
        elif event.kind == "signal":
            self.signals.append(str(event.fields.get("signal", "")))
        elif event.kind == "exit":
            self._exit(event)

    def _exit(self, event: Event) -> None:
        script, fields = self.script, event.fields
        owner = self.ended_by_itself or self.current
        signal = str(fields.get("signal") or "")
        stopped = bool(self.signals)
        if stopped and self.ended_by_itself is None:
            script.ends_at_eof = not self.ended_input
            script.ignores_term = "SIGTERM" in self.signals and signal == "SIGKILL"
            return
        code = fields.get("code")
        owner.steps.append(
            Exit(max(0, event.t_us - owner.t_us), code if isinstance(code, int) else 0, signal)
        )

    def _from_client(self, line: Line) -> None:
        value = line.value
        if is_response(value):
            owner = self.server_requests.pop(id_key(value.get("id")), None)
            if owner is not None:
                owner.steps.append(AwaitResponse(id_key(value.get("id"))))
                owner.t_us = line.t_us
                self.current = owner
            return
        reaction = Reaction(value, line.data, line.t_us)
        self.script.reactions.append(reaction)
        self.current = reaction
        if is_request(value):
            self.open[id_key(value["id"])] = reaction
            token = meta_of(value).get("progressToken")
            if is_id(token):
                self.tokens[id_key(token)] = reaction

    def _from_server(self, line: Line) -> None:
        value = line.value
        if is_response(value):
            self._answer(line, value.get("id"))
        elif is_request(value):
            self.server_requests[id_key(value["id"])] = self.current
            self._add(self.current, line)
        elif is_notification(value):
            self._notification(line)
        else:
            self._unreadable(line)

    def _answer(self, line: Line, answered: Any) -> None:
        reaction = self.open.pop(id_key(answered), None)
        kind = PlaceholderKind.ID
        if reaction is None and is_id(answered):
            reaction = self.open.pop(id_key(_of_other_type(answered)), None)
            kind = PlaceholderKind.ID_OF_OTHER_TYPE
        if reaction is None:
            again = is_request(self.current.value) and id_key(self.current.value["id"]) == id_key(answered)
            self._add(
                self.current, line, [_placeholder(line.data, PlaceholderKind.ID, "id") if again else None]
            )
            return
        placeholders = [_placeholder(line.data, kind, "id")]
        placeholders.append(_placeholder(line.data, PlaceholderKind.ID, "result", "_meta", SUBSCRIPTION_KEY))
        self._add(reaction, line, placeholders, is_answer=True)

    def _notification(self, line: Line) -> None:
        value = line.value
        params, meta = params_of(value), meta_of(value)
        token, listening = params.get("progressToken"), meta.get(SUBSCRIPTION_KEY)
        cancelled = params.get("requestId")
        if is_id(token) and id_key(token) in self.tokens:
            placeholder = _placeholder(line.data, PlaceholderKind.TOKEN, "params", "progressToken")
            self._add(self.tokens[id_key(token)], line, [placeholder])
        elif is_id(listening) and id_key(listening) in self.open:
            placeholder = _placeholder(line.data, PlaceholderKind.ID, "params", "_meta", SUBSCRIPTION_KEY)
            self._add(self.open[id_key(listening)], line, [placeholder])
        elif is_id(cancelled) and id_key(cancelled) in self.open:
            placeholder = _placeholder(line.data, PlaceholderKind.ID, "params", "requestId")
            self._add(self.open[id_key(cancelled)], line, [placeholder])
        else:
            self._add(self.current, line)

    def _unreadable(self, line: Line) -> None:
        """What is no message. It may hold one: then it is what the request with that id got."""
        for match in _ID_IN_TEXT.finditer(line.data):
            reaction = self.open.get(match[1].decode(errors="replace"))
            if reaction is not None:
                self._add(reaction, line, [Placeholder(*match.span(1), PlaceholderKind.ID)])
                return
        self._add(self.current, line)

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


def _of_other_type(value: Any) -> Any:
    if isinstance(value, int):
        return str(value)
    return int(value) if value.isdecimal() and str(int(value)) == value else None
