"""Recordings made by hand, with a clock that the test sets in milliseconds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mcptap.recording.format.model import Item
from mcptap.recording.reader import Reader
from tests import helpers

as_line = helpers.as_bytes


class Tape:
    """Collects what happens; `at` is the time of the next event in milliseconds, and moves on by 10."""

    def __init__(self) -> None:
        self.at = 10
        self._steps: list[tuple[int, helpers.Step]] = [(0, helpers.SPAWN)]

    def client(self, content: Any) -> Tape:
        return self._add("c2s", content)

    def server(self, content: Any) -> Tape:
        return self._add("s2c", content)

    def stderr(self, text: str) -> Tape:
        return self._add("stderr", text.encode() + b"\n")

    def eof(self, channel: str) -> Tape:
        return self._add("end", channel)

    def event(self, kind: str, **fields: Any) -> Tape:
        return self._add(kind, fields)

    def end(self, code: int = 0) -> Tape:
        return self.eof("c2s").eof("s2c").event("exit", code=code, us=self.at * 1000)

    def write(self, path: Path) -> Path:
        with helpers.Tape(path) as tape:
            for at, step in self._steps:
                tape.t_us = at * 1000 - helpers.STEP_US
                tape.play([step])
        return Path(tape.path)

    def items(self, path: Path) -> list[Item]:
        with Reader(str(self.write(path))) as reader:
            return [*reader.items(), *reader.unfinished()]

    def _add(self, kind: str, content: Any) -> Tape:
        self._steps.append((self.at, (kind, content)))
        self.at += 10
        return self


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
