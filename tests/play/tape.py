"""Recordings made by hand, with a clock that the test sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mcptap.recording.content import NOT_JSON, Codec, parse_strictly
from mcptap.recording.model import Item, Line
from mcptap.recording.reader import Reader
from mcptap.wire import split_terminator

WALL = 1_795_987_023_000_000


def as_line(content: Any) -> bytes:
    """Bytes as they are; anything else as a line of compact JSON."""
    if isinstance(content, bytes):
        return content
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class Tape:
    """Collects records; `at` is the time of the next one in milliseconds, and moves on by 10."""

    def __init__(self, argv: list[str] | None = None) -> None:
        self.at = 0
        self._records: list[bytes] = []
        header = {"mcptap": 1, "n": 1, "k": "header", "t": 0, "wall": WALL, "version": "0", "session": "s"}
        more = {"start": "2026-11-29T21:17:03.000000Z", "name": "scales", "argv": argv or ["scales"]}
        rest = {"program": None, "cwd": "/", "pid": 1, "platform": "linux", "lock": False}
        self._records.append(json.dumps({**header, **more, **rest}, separators=(",", ":")).encode())
        self.event("spawn", pid=2)

    def client(self, content: Any) -> Tape:
        return self._line("c2s", as_line(content))

    def server(self, content: Any) -> Tape:
        return self._line("s2c", as_line(content))

    def stderr(self, text: str) -> Tape:
        return self._line("stderr", text.encode() + b"\n")

    def event(self, kind: str, **fields: Any) -> Tape:
        self._add(
            kind, b"".join(b',"%b":%b' % (k.encode(), json.dumps(v).encode()) for k, v in fields.items())
        )
        return self

    def end(self, code: int = 0) -> Tape:
        self.event("eof", ch="c2s").event("eof", ch="s2c")
        return self.event("exit", code=code, us=self.at * 1000)

    def write(self, path: Path) -> Path:
        path.write_bytes(b"".join(record + b"\n" for record in self._records))
        return path

    def items(self, path: Path) -> list[Item]:
        with Reader(str(self.write(path))) as reader:
            return [*reader.items(), *reader.unfinished()]

    def _line(self, channel: str, raw: bytes) -> Tape:
        data, eol = split_terminator(raw)
        fields = b',"ch":"%b",' % channel.encode()
        if eol != b"\n":
            fields += b'"eol":%b,' % json.dumps(eol.decode()).encode()
        value = parse_strictly(data)
        fields += Codec().field(data, value) if value is not NOT_JSON else Codec().plain_field(data)
        self._add("line", fields)
        return self

    def _add(self, kind: str, fields: bytes) -> None:
        head = b'{"n":%d,"k":"%b","t":%d,"wall":%d' % (
            len(self._records) + 1,
            kind.encode(),
            self.at * 1000,
            WALL + self.at * 1000,
        )
        self._records.append(head + fields + b"}")
        self.at += 10


def request(number: Any, method: str, **params: Any) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    return {**message, "params": params} if params else message


def notification(method: str, **params: Any) -> dict[str, Any]:
    message = {"jsonrpc": "2.0", "method": method}
    return {**message, "params": params} if params else message


def result(number: Any, **members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "result": members}


def text_result(number: Any, text: str, **more: Any) -> dict[str, Any]:
    return result(number, content=[{"type": "text", "text": text}], **more)


INITIALIZE = request(
    1,
    "initialize",
    protocolVersion="2025-11-25",
    capabilities={},
    clientInfo={"name": "by-hand", "version": "1.0"},
)
INITIALIZED = notification("notifications/initialized")
ADD_TOOL = {
    "name": "add",
    "description": "Add two numbers.",
    "inputSchema": {
        "type": "object",
        "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
        "required": ["a", "b"],
    },
}


def handshake(tape: Tape) -> Tape:
    """The opening of a session with a server that has tools."""
    tape.client(INITIALIZE)
    tape.server(
        result(
            1,
            protocolVersion="2025-11-25",
            capabilities={"tools": {}},
            serverInfo={"name": "scales", "version": "1.0"},
        )
    )
    return tape.client(INITIALIZED)


def add(number: Any, a: float, b: float, **meta: Any) -> dict[str, Any]:
    params: dict[str, Any] = {"name": "add", "arguments": {"a": a, "b": b}}
    if meta:
        params["_meta"] = meta
    return request(number, "tools/call", **params)


def healthy() -> Tape:
    """Handshake, the list of tools, two calls, end of input."""
    tape = handshake(Tape())
    tape.client(request(2, "tools/list")).server(result(2, tools=[ADD_TOOL]))
    tape.client(add(3, 1, 2)).server(text_result(3, "3"))
    tape.client(add(4, 2, 2)).server(text_result(4, "4"))
    return tape.end()


def lines_of(items: list[Item], channel: str) -> list[Line]:
    return [item for item in items if isinstance(item, Line) and item.channel == channel]
