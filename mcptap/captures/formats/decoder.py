"""What all decoders of foreign captures share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import orjson

from mcptap.captures.evidence import Evidence
from mcptap.recording.format.model import NOT_JSON, Damaged, Header, Item, Line, parse_line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, STDERR

SIDES = {
    "c2s": CLIENT_TO_SERVER,
    "client": CLIENT_TO_SERVER,
    "client_to_server": CLIENT_TO_SERVER,
    "client-to-server": CLIENT_TO_SERVER,
    "client->server": CLIENT_TO_SERVER,
    "stdin": CLIENT_TO_SERVER,
    "-->": CLIENT_TO_SERVER,
    "s2c": SERVER_TO_CLIENT,
    "server": SERVER_TO_CLIENT,
    "server_to_client": SERVER_TO_CLIENT,
    "server-to-client": SERVER_TO_CLIENT,
    "server->client": SERVER_TO_CLIENT,
    "stdout": SERVER_TO_CLIENT,
    "<--": SERVER_TO_CLIENT,
    "stderr": STDERR,
}
"""Words for the sender that leave no doubt. `in`, `out`, `sent` depend on who wrote them."""


class Decoder(Protocol):
    """Turns the lines of a foreign capture into items. Never raises on what it is fed."""

    header: Header
    evidence: Evidence

    def feed(self, raw: bytes, number: int) -> Iterable[Item]:
        """The items that line `number` of the file (without its LF) completes."""

    def finish(self) -> Iterable[Item]:
        """What is still held when no more lines come."""


def unknown_header(name: str = "server", **fields: Any) -> Header:
    """A header with what is known about the start of a server, if anything."""
    return Header({"name": name, "argv": [], "cwd": None, "program": None, **fields})


def message_line(number: int, channel: str, value: Any, t_us: int = 0, wall_us: int = 0) -> Line | Damaged:
    """A line for a message of which only the value is known."""
    try:
        data = orjson.dumps(value)
    except (TypeError, ValueError):  # a lone surrogate, or great depth
        try:
            data = json.dumps(value, separators=(",", ":")).encode()
        except (RecursionError, ValueError):
            return Damaged(number, b"", "its message nests too deeply")
    return Line(number, channel, data, b"\n", t_us, t_us, wall_us)


def text_line(number: int, channel: str, text: str, t_us: int = 0, wall_us: int = 0) -> Line:
    """A line given as a string; a newline inside it would be more than one line."""
    data = text.encode(errors="surrogatepass")
    return Line(number, channel, data, b"\n", t_us, t_us, wall_us)


def is_message(value: Any) -> bool:
    """Whether a JSON value is meant as a JSON-RPC message, or as a batch of them."""
    if isinstance(value, list):
        return bool(value) and is_message(value[0])
    return isinstance(value, dict) and (
        "jsonrpc" in value
        or (isinstance(value.get("method"), str) and ("params" in value or "id" in value))
        or ("id" in value and ("result" in value or "error" in value))
    )


def object_of(raw: bytes) -> dict[str, Any] | None:
    """The JSON object that a line of the file is, if it is one."""
    value = parse_line(raw)
    return value if isinstance(value, dict) else None


class Joiner:
    """Puts JSON that was pretty-printed over several lines together again.

    `feed` gives `(number of the first line, bytes)`: whole JSON text, or a line that is
    none. What does not come out as JSON within the bounds is given line by line.
    """

    MAX_LINES = 5000
    MAX_BYTES = 4 << 20

    def __init__(self) -> None:
        self._held: list[tuple[int, bytes]] = []
        self._depth = 0
        self._size = 0

    @property
    def holding(self) -> bool:
        """Whether lines are held that may become one JSON text."""
        return bool(self._held)

    def feed(self, raw: bytes, number: int) -> Iterator[tuple[int, bytes]]:
        """Take one line; give what is complete with it."""
        if not self._held and (not raw.rstrip().endswith((b"{", b"[")) or parse_line(raw) is not NOT_JSON):
            yield number, raw
            return
        self._held.append((number, raw))
        self._size += len(raw) + 1
        self._depth += sum(raw.count(c) for c in (b"{", b"[")) - sum(raw.count(c) for c in (b"}", b"]"))
        if self._depth <= 0:
            whole = b"\n".join(line for _, line in self._held)
            if parse_line(whole) is not NOT_JSON:
                first = self._held[0][0]
                self._clear()
                yield first, whole
                return
        if len(self._held) >= self.MAX_LINES or self._size >= self.MAX_BYTES or self._depth < 0:
            yield from self.finish()

    def finish(self) -> Iterator[tuple[int, bytes]]:
        """Give the lines that are still held, one by one."""
        held = self._held
        self._clear()
        yield from held

    def _clear(self) -> None:
        self._held, self._depth, self._size = [], 0, 0
