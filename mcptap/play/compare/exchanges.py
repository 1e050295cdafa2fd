"""What a session comes to, for comparisons: requests with their answers, and all else the server said."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.open import open_source
from mcptap.play.client.paired_items import answered_request, paired_items
from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import BLANK, NOTIFICATION, REQUEST, RESPONSE, Message
from mcptap.protocol.model.request import Request
from mcptap.recording.format.model import Event, Header, Item, Line
from mcptap.recording.reader import State
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

STOPS = ("SIGTERM", "SIGKILL", "SIGINT", "SIGHUP")
"""Signals by which servers are made to end, also past the tap: by a client, to the whole process group."""


@dataclass(slots=True, eq=False)
class Exchange:
    """A request of the client, and its answer if one came."""

    request: Message
    answer: Message | None = None
    place: int = 0
    """The answer's place among all answers, from 0."""

    @property
    def latency_us(self) -> int | None:
        """From request to answer, None if there is none."""
        return None if self.answer is None else max(0, self.answer.t_us - self.request.t_us)

    @property
    def target(self) -> str:
        """The tool, prompt or resource that it is about, if it is about one."""
        params = self.request.params or {}
        name = params.get("name") or params.get("uri")
        return name if isinstance(name, str) else ""

    def __str__(self) -> str:
        about = f" {self.target}" if self.target else ""
        return f"{self.request.method}{about} (id {spell_id(self.request.id)})"


@dataclass(slots=True)
class Session:
    """One recorded session."""

    header: Header
    exchanges: list[Exchange] = field(default_factory=list)
    others: list[Message] = field(default_factory=list)
    """What the server wrote that answers nothing: notifications, requests, stray lines."""
    items: list[Item] = field(default_factory=list)
    unfinished: list[Line] = field(default_factory=list)
    """Lines whose end never came; they stand behind the items."""
    end: Event | None = None
    """The event of the server's own end; None if it did not end, or was made to."""
    state: State = State.UNKNOWN
    """What became of the recording."""
    evidence: Evidence | None = None
    """What the capture can prove; None: what the header says."""

    @property
    def is_timed(self) -> bool:
        """Whether it is known how long answers took."""
        return self.evidence is None or self.evidence.times

    @property
    def fineness_us(self) -> int:
        """How fine its times are, in µs."""
        return 1 if self.evidence is None else self.evidence.fineness_us

    def answer_to(self, *methods: str) -> dict[str, Any]:
        """The result of the first request of these methods that got one, else an empty object."""
        for exchange in self.exchanges:
            if exchange.request.method in methods and exchange.answer is not None:
                result = exchange.answer.result
                if isinstance(result, dict):
                    return result
        return {}


def read(path: str) -> Session:
    """A session from its recording, or a capture of another tool. Raises UserError."""
    with closing(open_source(path)) as source:
        items = list(source.items())
        session = observe(source.header, items, source.unfinished())
        session.state = source.state()
        session.evidence = source.evidence
        return session


def observe(header: Header, items: list[Item], unfinished: list[Line]) -> Session:
    """A session from the items of a recording, and the lines that never ended."""
    session = Session(header, items=items, unfinished=unfinished)
    asked: dict[Request, Exchange] = {}
    answered = 0
    stopped = False
    for item, messages in paired_items([*items, *unfinished]):
        if isinstance(item, Event):
            stopped |= item.kind == "signal"
            if item.kind == "exit" and not stopped and item.fields.get("signal") not in STOPS:
                session.end = item
        for message in messages:
            if message.channel == CLIENT_TO_SERVER and message.kind is REQUEST:
                exchange = Exchange(message)
                session.exchanges.append(exchange)
                if message.request is not None:
                    asked[message.request] = exchange
            elif message.channel == SERVER_TO_CLIENT:
                request = answered_request(message)
                found = asked.get(request) if request is not None else None
                if found is not None and found.answer is None:
                    found.answer, found.place = message, answered
                    answered += 1
                elif message.kind is not BLANK:
                    session.others.append(message)
    return session


def only_requests(session: Session, numbers: set[int]) -> Session:
    """The session as far as the client's lines with these record numbers go, and what came meanwhile."""
    exchanges = [exchange for exchange in session.exchanges if exchange.request.number in numbers]
    spans = [(e.request.number, e.answer.number) for e in exchanges if e.answer is not None]
    others = [m for m in session.others if any(start < m.number < end for start, end in spans)]
    return replace(session, exchanges=exchanges, others=others, end=None)


def describe(message: Message) -> str:
    """What a line of the server is that answers nothing."""
    if message.kind == REQUEST:
        return f"request {message.method} of the server"
    if message.kind == NOTIFICATION:
        return message.method
    if message.kind == RESPONSE:
        return f"answer to no request (id {spell_id(message.id)})"
    return "line that is no message"


def content(message: Message) -> Any:
    """What counts of such a line in a comparison: all but the id of a request."""
    value = message.line.value
    if message.kind == REQUEST and isinstance(value, dict):
        return {name: inner for name, inner in value.items() if name != "id"}
    if isinstance(value, dict):
        return value
    return message.line.data.decode(errors="backslashreplace")
