"""What a client said, to be said again: its lines in order, and how it answered the server.

From a recording everything is known: times, answers, what the server asked and what the
client replied. From plain lines only the lines themselves are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from mcptap.errors import UserError
from mcptap.protocol.model.ids import Id
from mcptap.protocol.model.message import BATCH, REQUEST, RESPONSE, Message, classify
from mcptap.recording.format.decode import MAX_HEADER, is_recording
from mcptap.recording.format.model import Event, Header, Item, Line
from mcptap.recording.reader import Reader
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, cut_lines, split_terminator

LISTEN = "subscriptions/listen"
"""The request whose answer comes when it ends (2026-07-28, basic/patterns/subscriptions)."""

OPENING = ("initialize", "notifications/initialized", "server/discover")


@dataclass(slots=True, eq=False)
class ServerRequest:
    """A request of the recorded server; `reply` is None if its client never answered."""

    message: Message
    reply: ClientResponse | None = None


@dataclass(slots=True, eq=False)
class ClientResponse:
    """A response of the client. `question` is what it answers, where that is known."""

    message: Message
    question: ServerRequest | None = None
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
    answers: dict[Id, Message] = field(default_factory=dict)
    """What the recorded server answered."""

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
    questions: list[ServerRequest] = field(default_factory=list)
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


def narrowed(script: ClientScript, numbers: set[int]) -> ClientScript:
    """The script with its opening and these lines only. Raises UserError if one is no line of the client.

    Answers to the server stay known, in case it asks.
    """
    sayings = [entry for entry in script.entries if isinstance(entry, ClientLine)]
    missing = numbers - {saying.line.number for saying in sayings}
    if missing:
        wrong = ", ".join(map(str, sorted(missing)))
        raise UserError(f"number {wrong} is not a line that the client sent of its own accord")
    entries: list[Entry] = [s for s in sayings if s.line.number in numbers or s.opens]
    return replace(script, entries=entries)


def load(path: str) -> ClientScript:
    """The script in a file: a recording, or plain lines. Raises UserError."""
    try:
        with open(path, "rb") as file:
            if not is_recording(file.readline(MAX_HEADER)):
                file.seek(0)
                return from_lines(file.read())
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    with Reader(path) as reader:
        items = list(reader.items())
        return from_recording(reader.header, [*items, *reader.unfinished()])


def from_lines(data: bytes) -> ClientScript:
    """A script from the bytes that a client would send."""
    entries: list[Entry] = []
    for number, raw in enumerate(cut_lines(data), 1):
        content, eol = split_terminator(raw)
        line = Line(number, CLIENT_TO_SERVER, content, eol, 0, 0, 0)
        messages = messages_of(line)
        if len(messages) == 1 and messages[0].kind == RESPONSE:
            entries.append(ClientResponse(messages[0]))
        else:
            entries.append(ClientLine(line, messages))
    _note_cancels(entries)
    return ClientScript(entries)


def from_recording(header: Header, items: Iterable[Item]) -> ClientScript:
    """A script from a recording: the client's lines, and what the server asked and answered."""
    script = ClientScript([], header=header)
    asked: dict[Id, ClientLine] = {}
    open_questions: dict[Id, ServerRequest] = {}
    last_us = 0
    for item in items:
        if isinstance(item, Event):
            if item.kind == "spawn":
                script.start_us = item.t_us
            elif item.kind == "eof" and item.fields.get("ch") == CLIENT_TO_SERVER and not script.end_us:
                script.end_us = item.t_us
        elif isinstance(item, Line) and item.channel == CLIENT_TO_SERVER:
            messages = messages_of(item)
            only = messages[0] if len(messages) == 1 else None
            if only is not None and only.kind == RESPONSE:
                script.entries.append(_reply(only, open_questions))
                continue
            saying = ClientLine(item, messages)
            script.entries.append(saying)
            asked.update({m.id: saying for m in saying.requests if m.id is not None})
        elif isinstance(item, Line) and item.channel == SERVER_TO_CLIENT:
            for message in messages_of(item):
                if message.kind == REQUEST and message.id is not None:
                    question = open_questions[message.id] = ServerRequest(message)
                    script.questions.append(question)
                elif message.kind == RESPONSE and message.id in asked:
                    asked[message.id].answers.setdefault(message.id, message)
        if isinstance(item, Line | Event):
            last_us = item.t_us
    script.end_us = script.end_us or last_us
    _note_cancels(script.entries)
    return script


def messages_of(line: Line) -> list[Message]:
    """A line as messages: one, or those of a batch (2025-03-26), each on the batch's own line."""
    whole = classify(line)
    if whole.kind != BATCH or not line.value:
        return [whole]
    return [_inner(item, line) for item in line.value]


def _inner(value: Any, line: Line) -> Message:
    """A message of a batch, as if it had come on a line of its own."""
    data = json.dumps(value).encode()
    return classify(Line(line.number, line.channel, data, line.eol, line.t_us, line.first_us, line.wall_us))


def _reply(message: Message, open_questions: dict[Id, ServerRequest]) -> ClientResponse:
    question = open_questions.pop(message.id, None) if message.id is not None else None
    reply = ClientResponse(message, question)
    if question is not None:
        question.reply = reply
        reply.after_us = max(0, message.t_us - question.message.t_us)
    return reply


def _note_cancels(entries: list[Entry]) -> None:
    """Mark the requests that a later line cancels: nobody may wait for their answers."""
    asked: dict[Id, ClientLine] = {}
    for message, saying in _own_messages(entries):
        if message.kind == REQUEST and message.id is not None:
            asked[message.id] = saying
        elif message.method == "notifications/cancelled" and message.params is not None:
            target = message.params.get("requestId")
            if isinstance(target, int | str) and target in asked:
                request = asked[target]
                request.cancelled_after_us[target] = max(0, message.t_us - request.line.t_us)


def _own_messages(entries: list[Entry]) -> Iterator[tuple[Message, ClientLine]]:
    for entry in entries:
        if isinstance(entry, ClientLine):
            for message in entry.messages:
                yield message, entry
