"""What a client sent, to be sent again: its lines in order, and how it answered the server.

From a recording everything is known: times, responses, what the server asked and what the
client replied. From a capture of another tool some of it, from plain lines only the lines themselves.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field, replace

from mcptap.captures.channels import named_channels
from mcptap.captures.evidence import COMPLETE, Evidence, evidence_of
from mcptap.captures.format import Beginning
from mcptap.captures.open import STDIN, open_source, source_of
from mcptap.captures.sections import selected
from mcptap.errors import UserError
from mcptap.masking.signs import OPEN
from mcptap.play.client.paired_items import answered_request, paired_items
from mcptap.protocol.model.ids import Id
from mcptap.protocol.model.message import NOTIFICATION, REQUEST, RESPONSE, Message
from mcptap.protocol.model.request import Request
from mcptap.protocol.revisions.names import OPENING
from mcptap.recording.format.decode import is_recording
from mcptap.recording.format.model import Damaged, Event, Header, Item, Line, RecordingError
from mcptap.recording.reader import BLOCK, Reader
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, cut_lines, split_terminator

CALL = "tools/call"
_MASKS = (OPEN.encode(), json.dumps(OPEN)[1:-1].encode())
"""How a mask begins in a line, as it is or escaped."""
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
    """The header of the recording or capture, None for plain lines."""
    evidence: Evidence = COMPLETE
    """What the recording or capture can prove."""
    end: Event | None = None
    """How the recorded server ended, if that is known."""
    damaged: int = 0
    """How many lines could not be read: what they said is not sent."""
    start_us: int = 0
    """When the recorded server was started."""
    end_us: int = 0
    """When the recorded client closed the server's stdin, or the recording ended."""

    @property
    def is_recorded(self) -> bool:
        """Whether it came from a recording or capture."""
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


def without_calls(script: ClientScript) -> tuple[ClientScript, list[str]]:
    """The script without `tools/call` and what belongs to it; the names of the tools that were called.

    Answers to the server stay known, in case it asks.
    """
    names: list[str] = []
    left_out: set[Id] = set()
    entries: list[Entry] = []
    for entry in script.entries:
        if not isinstance(entry, ClientLine):
            continue
        calls = [message for message in entry.messages if message.method == CALL]
        names += [str((message.params or {}).get("name")) for message in calls]
        left_out |= {message.id for message in calls if message.id is not None}
        if not calls and not any(_cancels(message, left_out) for message in entry.messages):
            entries.append(entry)
    return replace(script, entries=entries), names


def _cancels(message: Message, requests: set[Id]) -> bool:
    return message.kind is NOTIFICATION and (message.params or {}).get("requestId") in requests


def half_known_line(script: ClientScript) -> int | None:
    """The number of the first line of which a log does not tell what it said; None if there is none."""
    for entry in script.entries:
        line = entry.line if isinstance(entry, ClientLine) else entry.message.line
        if line.known:
            return line.number
    return None


def masked_line(script: ClientScript) -> int | None:
    """The number of the first line in which a secret was masked; None if there is none."""
    for entry in script.entries:
        line = entry.line if isinstance(entry, ClientLine) else entry.message.line
        if any(mask in line.data for mask in _MASKS):
            return line.number
    return None


def load(path: str) -> ClientScript:
    """The script in a file: a recording, a capture of another tool, or plain lines. Raises UserError."""
    if named_channels(path):
        with closing(open_source(path)) as source:
            return from_recording(source.header, [*source.items()], source.evidence)
    file_path, number = selected(path)
    try:
        with _opened(file_path) as file:
            beginning = Beginning(file)
            if is_recording(beginning.head) and number:
                raise UserError(f"{path}: a recording holds one session: name it without #{number}")
            if is_recording(beginning.head):
                stream = None if path != STDIN and file.seekable() else beginning
                with Reader(_name(path), stream) as reader:
                    items = [*reader.items(), *reader.unfinished()]
                    return from_recording(reader.header, items, evidence_of(reader.header))
            data = b"".join(iter(lambda: beginning.read(BLOCK), b""))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    return _from_capture(file_path, data, number) or from_lines(data)


def _opened(path: str) -> io.FileIO:
    return io.FileIO(0, closefd=False) if path == STDIN else io.FileIO(path)


def _name(path: str) -> str:
    return "standard input" if path == STDIN else path


def _from_capture(path: str, data: bytes, number: int) -> ClientScript | None:
    """The script in a capture of another tool; None if the bytes are lines of a client, or of nobody.

    Raises UserError if there is no session of this number (0: the last) in it.
    """
    try:
        source = source_of(_name(path), data, number)
    except RecordingError as error:
        if number:
            raise UserError(str(error)) from error
        return None
    items = list(source.items())
    if not source.evidence.directions and not _has_answers(items):
        return None
    return from_recording(source.header, [*items, *source.unfinished()], source.evidence)


def _has_answers(items: Iterable[Item]) -> bool:
    """Whether most of the requests in bare messages are answered there: then a server's lines are among them.

    A response alone may be the client's own, to a request of the server that nobody wrote down.
    """
    asked = answered = 0
    for _, messages in paired_items(items):
        for message in messages:
            asked += message.kind is REQUEST and message.channel == CLIENT_TO_SERVER
            request = answered_request(message)
            answered += request is not None and message.channel == SERVER_TO_CLIENT
    return 2 * answered > asked


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


def from_recording(header: Header, items: Iterable[Item], evidence: Evidence = COMPLETE) -> ClientScript:
    """A script from a recording: the client's lines, and what the server asked and answered."""
    script = ClientScript([], header=header, evidence=evidence)
    client_lines: dict[Request, ClientLine] = {}
    server_requests: dict[Request, ServerRequest] = {}
    last_us = 0
    for item, messages in paired_items(items):
        if isinstance(item, Event):
            if item.kind == "spawn":
                script.start_us = item.t_us
            elif item.kind == "eof" and item.fields.get("ch") == CLIENT_TO_SERVER and not script.end_us:
                script.end_us = item.t_us
            elif item.kind == "exit":
                script.end = item
        elif isinstance(item, Damaged):
            script.damaged += 1
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
