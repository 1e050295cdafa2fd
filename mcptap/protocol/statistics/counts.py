"""Numbers of a session: calls, errors, latencies, sizes, and how the start went.

Fed one item after another, and readable at any time. Memory is bounded by the number of
different methods and tools, which is cut off at `MAX_ROWS`; no message is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import orjson

from mcptap.protocol.model.message import LOG, NOTIFICATION, REQUEST, RESPONSE, Message
from mcptap.protocol.model.request import ERROR, IS_ERROR, Request
from mcptap.protocol.revisions.names import OPENERS
from mcptap.protocol.statistics.quantiles import Quantiles
from mcptap.protocol.statistics.startup import Startup
from mcptap.recording.format.model import Event, Line
from mcptap.wire import CHANNELS, CLIENT_TO_SERVER, SERVER_TO_CLIENT

MAX_ROWS = 1000
OTHERS: Final = "(others)"
"""The row for all methods or tools beyond `MAX_ROWS`."""

BYTES_PER_TOKEN = 4
"""A rule of thumb for English text and JSON; real tokenizers differ by a third either way,
and by more in other scripts."""

MAX_LISTED = 10_000


def tokens(size: int) -> int:
    """About how many tokens so many bytes of English or JSON are."""
    return -(-size // BYTES_PER_TOKEN)


def tool_tokens(tools: Iterable[Mapping[str, Any]]) -> int:
    """About how many tokens a model pays for these tools in each request."""
    size = 0
    for tool in tools:
        shown = {name: tool[name] for name in ("name", "description", "inputSchema") if name in tool}
        try:
            size += len(orjson.dumps(shown))
        except TypeError:  # a schema too deep for orjson; no model is shown such a thing
            continue
    return tokens(size)


class Row:
    """One method, or one tool: how often, how it went, how long, how much.

    `calls` counts requests, or notifications of a method that has no requests. `bytes_in`
    is what the caller sent (requests, notifications), `bytes_out` what came back, both with
    the line's terminator. `latency` is in microseconds from request to answer.
    """

    __slots__ = (
        "answered",
        "bytes_in",
        "bytes_out",
        "calls",
        "errors",
        "is_errors",
        "latency",
        "name",
        "side",
    )

    def __init__(self, name: str, side: str) -> None:
        self.name = name
        self.side = side
        """The channel of the caller."""
        self.calls = 0
        self.answered = 0
        self.errors = 0
        """Answers that are JSON-RPC errors."""
        self.is_errors = 0
        """Results of tools that say `isError`."""
        self.latency = Quantiles()
        self.bytes_in = 0
        self.bytes_out = 0

    @property
    def open(self) -> int:
        """Requests without an answer (so far); notifications never have one."""
        return 0 if self.name.startswith("notifications/") else self.calls - self.answered


class Statistics:
    """Counts what it is fed. Times need a capture that knows them; see `Evidence`."""

    def __init__(self) -> None:
        self.fineness_us = 1
        """How fine the times are, in µs; 0 if there are none."""
        self.methods: dict[tuple[str, str], Row] = {}
        """By the caller's channel and method."""
        self.tools: dict[str, Row] = {}
        self.listed: dict[str, int] = {}
        """Size in bytes of each tool's entry, as JSON, in the `tools/list` answers."""
        self.startup = Startup()
        self.lines = dict.fromkeys(CHANNELS, 0)
        self.bytes = dict.fromkeys(CHANNELS, 0)
        self.messages = 0
        self.strays = 0
        """Lines of stdin or stdout that are no JSON-RPC message."""
        self.last_us = 0

    def feed_event(self, event: Event) -> None:
        """Count an event: only the time of the start is of interest."""
        self.last_us = max(self.last_us, event.t_us)
        if event.kind == "spawn" and self.startup.spawn_us is None and "errno" not in event.fields:
            self.startup.spawn_us = event.t_us

    def feed(self, message: Message) -> None:
        """Count a line, given as the session has filled it in (a response with its request)."""
        line, kind = message.line, message.kind
        channel = line.channel
        size = len(line.data) + len(line.eol)
        self.lines[channel] += 1
        self.bytes[channel] += size
        if line.t_us > self.last_us:
            self.last_us = line.t_us
        if channel == SERVER_TO_CLIENT and self.startup.first_byte_us is None:
            self.startup.first_byte_us = line.first_us
        if kind in (REQUEST, NOTIFICATION):
            self.messages += 1
            self._request(message, size)
        elif kind == RESPONSE:
            self.messages += 1
            self._response(message, line, size)
        elif kind != LOG:
            self.strays += 1

    def _request(self, message: Message, size: int) -> None:
        row = self._method(message.channel, message.method)
        row.calls += 1
        row.bytes_in += size
        if message.method == "tools/call" and message.kind == REQUEST:
            name = (message.params or {}).get("name")
            if isinstance(name, str):
                tool = self._tool(name)
                tool.calls += 1
                tool.bytes_in += size
        elif message.method in OPENERS and self.startup.answered_us is None:
            self.startup.method = message.method
            self.startup.asked_us = message.t_us

    def _response(self, message: Message, line: Line, size: int) -> None:
        request = message.request
        if request is None or request.answer != message.number:
            return
        _count_answer(self._method(request.channel, request.method), request, line, size)
        if request.tool:
            _count_answer(self._tool(request.tool), request, line, size)
        if message.result is None or request.channel != CLIENT_TO_SERVER:
            return
        if request.method in OPENERS and self.startup.answered_us is None:
            self.startup.method = request.method
            self.startup.answered_us = line.t_us
        elif request.method == "tools/list":
            if self.startup.listed_us is None:
                self.startup.listed_us = line.t_us
            self._list(message.result)

    def _list(self, result: Any) -> None:
        tools = result.get("tools") if isinstance(result, dict) else None
        for tool in tools if isinstance(tools, list) else ():
            name = tool.get("name") if isinstance(tool, dict) else None
            if isinstance(name, str) and (name in self.listed or len(self.listed) < MAX_LISTED):
                self.listed[name] = _size(tool)

    def _method(self, channel: str, method: str) -> Row:
        key = (channel, method)
        row = self.methods.get(key)
        if row is None:
            if len(self.methods) >= MAX_ROWS:
                key = (channel, OTHERS)
            row = self.methods.setdefault(key, Row(key[1], channel))
        return row

    def _tool(self, name: str) -> Row:
        row = self.tools.get(name)
        if row is None:
            if len(self.tools) >= MAX_ROWS:
                name = OTHERS
            row = self.tools.setdefault(name, Row(name, CLIENT_TO_SERVER))
        return row

    @property
    def never_called(self) -> list[str]:
        """Listed tools that were not called, in the order of the list."""
        return [name for name in self.listed if name not in self.tools]


def _size(tool: dict[str, Any]) -> int:
    """The bytes of a tool's definition as JSON: about, if a lone surrogate is in it."""
    from orjson import JSONEncodeError, dumps

    try:
        return len(dumps(tool))
    except JSONEncodeError:
        return len(str(tool))


def _count_answer(row: Row, request: Request, line: Line, size: int) -> None:
    row.answered += 1
    row.bytes_out += size
    if request.state == ERROR:
        row.errors += 1
    elif request.state == IS_ERROR:
        row.is_errors += 1
    row.latency.add(line.t_us - request.t_us)
