"""What a client sent, to be sent again: its lines in order, and how it answered the server.

From a recording everything is known: times, responses, what the server asked and what the
client replied. From plain lines only the lines themselves are.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from mcptap.errors import UserError
from mcptap.play.client.paired_items import answered_request, paired_items
from mcptap.protocol.model.ids import Id
from mcptap.protocol.model.message import NOTIFICATION, REQUEST, RESPONSE, Message
from mcptap.protocol.model.request import Request
from mcptap.protocol.revisions.names import OPENING
from mcptap.recording.format.decode import MAX_HEADER, is_recording
from mcptap.recording.format.model import Event, Header, Item, Line
from mcptap.recording.reader import Reader
from mcptap.wire import CLIENT_TO_SERVER, cut_lines, split_terminator

LISTEN = "subscriptions/listen"
"""The request whose answer comes when it ends (2026-07-28, basic/patterns/subscriptions)."""


@dataclass(slots=True, eq=False)
class ServerRequest:
    """A request of the recorded server; `response` is None if its client never answered."""

    message: Message
    response: ClientResponse | None = None


@dataclass(slots=True, eq=False)
class ClientResponse:
    """A response of the client. `request` is what it answers, where that is known."""

    message: Message
    request: ServerRequest | None = None
    after_us: int = 0
    """How long the client took for it."""


@dataclass(slots=True, eq=False)
class ClientLine:
    """A line that the client sent of its own accord."""

    line: Line
    messages: list[Message]
    """The line as a message; those of a batch one by one."""
    cancelled_after_us: dict[Id, int] = field(default_factory=dict)
    """Which of its requests the client cancelled later, and after how long."""
    responses: dict[Id, Message] = field(default_factory=dict)
    """What the recorded server answered, by the id of the request."""

    @property
    def opens(self) -> bool:
        """Whether it belongs to the opening of a session, in either era."""
        return any(message.method in OPENING for message in self.messages)

    @property
    def requests(self) -> list[Message]:
        """The requests in it that can be answered."""
        return [m for m in self.messages if m.kind == REQUEST and m.id is not None]


Entry = ClientLine | ClientResponse


@dataclass(slots=True)
class ClientScript:
    """The client's side of a conversation."""

    entries: list[Entry]
    server_requests: list[ServerRequest] = field(default_factory=list)
    header: Header | None = None
    """The header of the recording, None for plain lines."""
    start_us: int = 0
    """When the recorded server was started."""
    end_us: int = 0
    """When the recorded client closed the server's stdin, or the recording ended."""

    @property
    def is_recorded(self) -> bool:
        """Whether it came from a recording."""
        return self.header is not None

    @property
    def is_exact(self) -> bool:
        """Whether all lines of the client are the bytes that it sent."""
        lines = [e.line if isinstance(e, ClientLine) else e.message.line for e in self.entries]
        return all(line.is_exact for line in lines)


def only_lines(script: ClientScript, numbers: set[int]) -> ClientScript:
    """The script with its opening and these lines only. Raises UserError if one is no line of the client.

    Answers to the server stay known, in case it asks.
    """
    lines = [entry for entry in script.entries if isinstance(entry, ClientLine)]
    missing = numbers - {entry.line.number for entry in lines}
    if missing:
        wrong = ", ".join(map(str, sorted(missing)))
        raise UserError(f"number {wrong} is not a line that the client sent of its own accord")
    entries: list[Entry] = [entry for entry in lines if entry.line.number in numbers or entry.opens]
    return replace(script, entries=entries)


def load(path: str) -> ClientScript:
    """The script in a file: a recording, or plain lines. Raises UserError."""
    try:
        with open(path, "rb") as file:
            head = file.readline(MAX_HEADER)
            if not is_recording(head):
                return from_lines(head + file.read())
            stream = None if file.seekable() else io.BytesIO(head + file.read())
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    with Reader(path, stream) as reader:
        items = list(reader.items())
        return from_recording(reader.header, [*items, *reader.unfinished()])


def from_lines(data: bytes) -> ClientScript:
    """A script from the bytes that a client would send."""
    entries: list[Entry] = []
    client_lines: dict[Request, ClientLine] = {}
    lines = (
        Line(number, CLIENT_TO_SERVER, *split_terminator(raw), 0, 0, 0)
        for number, raw in enumerate(cut_lines(data), 1)
    )
    for line, messages in paired_items(lines):
        assert isinstance(line, Line)
        if len(messages) == 1 and messages[0].kind is RESPONSE:
            entries.append(ClientResponse(messages[0]))
        else:
            _add_line(entries, ClientLine(line, messages), client_lines)
    return ClientScript(entries)


def from_recording(header: Header, items: Iterable[Item]) -> ClientScript:
    """A script from a recording: the client's lines, and what the server asked and answered."""
    script = ClientScript([], header=header)
    client_lines: dict[Request, ClientLine] = {}
    server_requests: dict[Request, ServerRequest] = {}
    last_us = 0
    for item, messages in paired_items(items):
        if isinstance(item, Event):
            if item.kind == "spawn":
                script.start_us = item.t_us
            elif item.kind == "eof" and item.fields.get("ch") == CLIENT_TO_SERVER and not script.end_us:
                script.end_us = item.t_us
        elif isinstance(item, Line) and item.channel == CLIENT_TO_SERVER:
            if len(messages) == 1 and messages[0].kind is RESPONSE:
                script.entries.append(_response(messages[0], server_requests))
            else:
                _add_line(script.entries, ClientLine(item, messages), client_lines)
        else:
            for message in messages:
                asked = answered_request(message)
                if message.kind is REQUEST and message.request is not None:
                    request = server_requests[message.request] = ServerRequest(message)
                    script.server_requests.append(request)
                elif asked in client_lines and message.id is not None:
                    client_lines[asked].responses.setdefault(message.id, message)
        if isinstance(item, Line | Event):
            last_us = item.t_us
    script.end_us = script.end_us or last_us
    return script


def _add_line(entries: list[Entry], line: ClientLine, client_lines: dict[Request, ClientLine]) -> None:
    """Add a line to a script, and note which requests it makes, and which earlier ones it cancels."""
    entries.append(line)
    for message in line.messages:
        request = message.request
        if request is None:
            continue
        if message.kind is REQUEST:
            client_lines[request] = line
        elif message.kind is NOTIFICATION and request in client_lines:
            after_us = max(0, message.t_us - request.t_us)
            client_lines[request].cancelled_after_us[request.id] = after_us


def _response(message: Message, server_requests: dict[Request, ServerRequest]) -> ClientResponse:
    asked = answered_request(message)
    request = server_requests.get(asked) if asked is not None else None
    response = ClientResponse(message, request)
    if request is not None and request.response is None:
        request.response = response
        response.after_us = max(0, message.t_us - request.message.t_us)
    return response
