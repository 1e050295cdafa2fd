"""Bare JSON-RPC lines: messages one after the other, with nothing that says who sent them.

The sender is assumed by the shape of a message: a request or notification by its method, a
response by the request it answers. A line that is no message shows no sender, and is left
out rather than blamed on someone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.format import Beginning, Certainty, Decoder, Format
from mcptap.captures.joiner import Joiner
from mcptap.captures.lines import is_message, unknown_header
from mcptap.recording.format.model import NOT_JSON, Damaged, Item, Line, parse_line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

SERVER_REQUESTS = frozenset(("sampling/createMessage", "roots/list", "elicitation/create"))
CLIENT_NOTIFICATIONS = frozenset(
    ("notifications/initialized", "notifications/roots/list_changed", "notifications/cancelled")
)
MAX_PENDING = 10_000
"""Requests whose answers are waited for; more than that are forgotten, oldest first."""


class BareDecoder(Decoder):
    """Decodes bare JSON-RPC lines, also pretty-printed ones."""

    def __init__(self) -> None:
        self.header = unknown_header()
        self.evidence = Evidence(
            origin="bare JSON-RPC lines",
            times=False,
            directions=False,
            framing=False,
            launch=False,
            process=False,
            stderr=False,
            whole=False,
            assumptions=(
                "who sent a message was assumed from its method, or from the request it answers",
                "lines that are no JSON-RPC message show no sender and were left out",
            ),
        )
        self._joiner = Joiner()
        self._pending: dict[str, dict[tuple[type, Any], None]] = {
            CLIENT_TO_SERVER: {},
            SERVER_TO_CLIENT: {},
        }

    def feed(self, raw: bytes, number: int) -> Iterator[Item]:
        """The message that this line ends, if it ends one."""
        for first, data in self._joiner.feed(raw.rstrip(b"\r"), number):
            yield from self._item(first, data)

    def finish(self) -> Iterator[Item]:
        """The lines of a message that was never completed."""
        for first, data in self._joiner.finish():
            yield from self._item(first, data)

    def _item(self, number: int, data: bytes) -> Iterator[Item]:
        data = data.strip()
        if not data:
            return
        value = parse_line(data)
        if not is_message(value):
            yield Damaged(number, data, "it is no JSON-RPC message, and nothing says who wrote it")
            return
        yield Line(number, self._sender(value), data.replace(b"\n", b" "), b"\n", 0, 0, 0)

    def _sender(self, value: Any) -> str:
        if isinstance(value, list):
            return self._sender(value[0])
        method, key = value.get("method"), _key(value.get("id"))
        if isinstance(method, str):
            sender = self._caller(method, value)
            if key is not None:
                waiting = self._pending[sender]
                waiting[key] = None
                if len(waiting) > MAX_PENDING:
                    del waiting[next(iter(waiting))]
            return sender
        asked_by_server = self._pending[SERVER_TO_CLIENT]
        asked_by_client = self._pending[CLIENT_TO_SERVER]
        if key is None or key in asked_by_client or key not in asked_by_server:
            if key is not None:
                asked_by_client.pop(key, None)
            return SERVER_TO_CLIENT
        del asked_by_server[key]
        return CLIENT_TO_SERVER

    def _caller(self, method: str, value: dict[str, Any]) -> str:
        if "id" in value:
            return SERVER_TO_CLIENT if method in SERVER_REQUESTS else CLIENT_TO_SERVER
        if method in CLIENT_NOTIFICATIONS or not method.startswith("notifications/"):
            return CLIENT_TO_SERVER
        return SERVER_TO_CLIENT


def _key(identifier: Any) -> tuple[type, Any] | None:
    return (type(identifier), identifier) if isinstance(identifier, (str, int, float)) else None


def recognise(beginning: Beginning) -> BareDecoder | None:
    """A decoder if a line is a message, or a message that is pretty-printed begins the file."""
    lines = beginning.lines
    if any(is_message(parse_line(line)) for line in lines) or _begins_pretty_printed(lines):
        return BareDecoder()
    return None


def _begins_pretty_printed(lines: list[bytes]) -> bool:
    opening = lines[0].strip()
    return (
        opening in (b"{", b"[", b"[{")
        and any(b'"jsonrpc"' in line for line in lines)
        and parse_line(lines[0]) is NOT_JSON
    )


FORMAT = Format("bare JSON-RPC lines", Certainty.GUESSED, recognise)
