"""`mcptap_calls`: the requests of a session in a line each, or what else a filter asks for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from mcptap.agent.answers.wording import next_call
from mcptap.agent.arguments import Arguments, ToolError
from mcptap.agent.judging import Judging
from mcptap.agent.pace import OutOfTimeError, Pace
from mcptap.agent.reading import Reading
from mcptap.agent.shelf import Shelf
from mcptap.agent.tools import CALLS, RECORD
from mcptap.agent.untrusted import Answer, clipped
from mcptap.masking.masker import Masker
from mcptap.protocol.model.message import REQUEST, RESPONSE, Message
from mcptap.protocol.model.request import PENDING, Request
from mcptap.query import Query, QueryError, parse
from mcptap.query.row import ItemRow
from mcptap.recording import made_here
from mcptap.recording.format.model import Event, Line, as_list, as_object
from mcptap.recording.reader import State
from mcptap.text.units import counted, duration, size
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

LIMIT, MOST = 20, 100

_OF_ANY_RECORD = frozenset({"kind", "dir"})
"""Fields by which a filter asks for more than requests and their answers."""

_HELD = 10_000
"""So many requests without an answer are remembered with what they said."""


class _Exchange:
    """A request, its answer if one came, and whether one of them fits the filter."""

    __slots__ = ("error", "fits", "request", "row", "size", "target")

    def __init__(self, row: ItemRow, request: Request, target: str) -> None:
        self.row: ItemRow | None = row
        self.request = request
        self.target = target
        self.size = 0
        self.error = ""
        self.fits = False


def calls(shelf: Shelf, _judging: Judging, arguments: Arguments, pace: Pace) -> Answer:
    """A page of them, in the order of the recording."""
    known = shelf.find(arguments.needed("session"))
    query = _query(arguments.text("filter"))
    limit, behind = arguments.number("limit", LIMIT, most=MOST), arguments.cursor()
    reading = Reading(known, pace)
    masker = made_here.masker()
    masker.learn(known.header.argv)
    found = _Found(query, masker, behind)
    note = ""
    try:
        for row in reading.rows():
            found.take(row)
    except OutOfTimeError:
        read = f"{size(pace.done)} of {size(known.size)}"
        note = (
            f"Large: only the first {read} was read in time; of what lies behind nothing is said. "
            "The user can see all of it with mcptap show."
        )
        found.is_cut = True
    rows = sorted(found.rows(reading.state is State.LIVE, known.header.start_wall_us))
    page = rows[:limit]
    shown = "" if query.is_empty else " that fit"
    answer = Answer(
        f"{known.name}: {counted(len(rows), found.noun)}{shown}{' from the cursor on' if behind else ''}"
    )
    if note:
        answer.head.append(note)
    if page:
        answer.data.append("record  latency  outcome  what  size  error")
        answer.data += [text for _, text in page]
    if len(rows) > limit:
        answer.tail.append(next_call(CALLS, session=known.name, cursor=page[-1][0], limit=limit))
        if not query.is_empty:
            answer.tail[-1] += " with the same filter"
    elif page:
        answer.tail.append(next_call(RECORD, session=known.name, record=page[-1][0]))
    return answer


def _query(text: str) -> Query:
    try:
        return parse(text)
    except QueryError as error:
        raise ToolError(str(error)) from error


class _Found:
    """What fits of what is read, behind the record of a cursor."""

    def __init__(self, query: Query, masker: Masker, behind: int) -> None:
        self._query = query
        self._masker = masker
        self._behind = behind
        self._any_record = bool(query.fields & _OF_ANY_RECORD)
        self._open: dict[Request, _Exchange] = {}
        self._exchanges: list[_Exchange] = []
        self._others: list[tuple[int, str]] = []
        self.is_cut = False
        """Whether answers may lie behind what was read."""
        self.noun = "record" if self._any_record else "request"

    def take(self, row: ItemRow) -> None:
        """Look at the next item."""
        message, request = row.message, row.request
        if (
            message is not None
            and request is not None
            and message.kind is REQUEST
            and request.number == row.number
        ):
            asked = self._open[request] = _Exchange(row, request, self._target(message))
            self._exchanges.append(asked)
            if len(self._open) > _HELD:
                self._judge(next(iter(self._open.values())))
            return
        answered = message.request if message is not None else None
        exchange = self._open.get(answered) if answered is not None else None
        if exchange is not None and answered is not None and answered.answer == row.number:
            assert message is not None
            exchange.size = row.size
            exchange.error = self._error(message)
            exchange.fits = self._query.matches(row)
            if message.kind is RESPONSE:  # after an answer that no client can read, a right one may come
                self._judge(exchange)
            return
        if self._any_record and row.number > self._behind and self._query.matches(row):
            self._others.append((row.number, self._other(row)))

    def rows(self, live: bool, start_wall_us: int) -> Iterator[tuple[int, str]]:
        """The lines of all that fits, each with its record's number."""
        for exchange in [*self._open.values()]:
            self._judge(exchange)
        now_us = time.time_ns() // 1_000 - start_wall_us
        for exchange in self._exchanges:
            if exchange.fits and exchange.request.number > self._behind:
                yield exchange.request.number, self._line(exchange, now_us if live else 0)
        yield from self._others

    def _judge(self, exchange: _Exchange) -> None:
        """Whether it fits, once as much is known of it as will be; what it said is let go."""
        if exchange.row is not None:
            exchange.fits = exchange.fits or self._query.matches(exchange.row)
            exchange.row = None
        self._open.pop(exchange.request, None)

    def _line(self, exchange: _Exchange, now_us: int) -> str:
        request = exchange.request
        latency = duration(request.latency_us) if request.latency_us is not None else "-"
        state: str = request.state
        if state == PENDING:
            waited = f"pending for {duration(max(0, now_us - request.t_us))}"
            state = "not answered so far" if self.is_cut else waited if now_us else "unanswered"
        side = "server asks: " if request.channel == SERVER_TO_CLIENT else ""
        what = f"{side}{clipped(request.method, 60)}{f' {exchange.target}' if exchange.target else ''}"
        told = [str(request.number), latency, state, what, size(exchange.size) if exchange.size else "-"]
        return "  ".join([*told, *([exchange.error] if exchange.error else [])])

    def _other(self, row: ItemRow) -> str:
        """A record that is no request: what kind it is, and its beginning."""
        item = row.item
        if isinstance(item, Line):
            text = self._masker.line(item.channel, item.data).decode(errors="replace")
        elif isinstance(item, Event):
            text = self._masker.text(row.words)
        else:
            text = item.why
        side = {CLIENT_TO_SERVER: "client ", SERVER_TO_CLIENT: "server "}.get(row.channel, "")
        return f"{row.number}  -  {side}{row.kind}  {clipped(text)}  {size(row.size)}"

    def _target(self, message: Message) -> str:
        params = message.params or {}
        named = params.get("name") or params.get("uri")
        return self._masker.text(clipped(named, 80)) if isinstance(named, str) else ""

    def _error(self, message: Message) -> str:
        """The first line of what went wrong."""
        if message.kind is not RESPONSE:
            return "in a form that no client can read"
        text: Any = ""
        if message.error is not None:
            error = as_object(message.error)
            text = f"{error.get('code', '')} {error.get('message', '')}"
        elif as_object(message.result).get("isError") is True:
            parts = [as_object(part).get("text") for part in as_list(message.result.get("content"))]
            text = next((part for part in parts if isinstance(part, str)), "")
        return clipped(self._masker.text(text[:2_000]).strip().split("\n")[0])
