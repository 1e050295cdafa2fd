"""What Claude Code says in its logs about a connection to a server, as items. It logs no messages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.captures.evidence import MILLISECONDS, Evidence
from mcptap.captures.lines import object_of
from mcptap.captures.logs.client_log import (
    CLOSED_BY_SERVER,
    TIMED_OUT,
    ClientLog,
    code_of,
    said,
    stderr_lines,
)
from mcptap.captures.logs.rejections import Moment, rejected
from mcptap.captures.logs.telling import Opening, Teller
from mcptap.recording.format.model import Item

STARTS = rb"Starting connection with timeout"
ENDS = (
    rb"(?:[A-Z]{3,10} connection closed after |Connection failed after |Connection timeout triggered|"
    rb"STDIO connection dropped)"
)

_STDERR = "Server stderr: "
_CONNECTED = re.compile(r"^Successfully connected (?:\(transport: (\w+)\)|to (\w+) server)")
_CAPABILITIES = "Connection established with capabilities: "
_CALLS = re.compile(r"^Calling MCP tool: (\S.{0,200})")
_CALLED = re.compile(r"^Tool '([^'\n]{1,200})' completed successfully")
_FAILED_CALL = re.compile(r"^Tool '([^'\n]{1,200})' failed after [^:\n]{1,40}: ?(.*)", re.DOTALL)
_NOT_CONNECTED = re.compile(r"^Connection (?:failed|timeout triggered)\b")
_IGNORED = "Ignoring non-JSON line on stdout: "
_CONNECTION_ERROR = "Connection error: "
_CLIENT_LEAVES = re.compile(r"^(?:Sending SIGINT to MCP server process|Closing transport \()")
_CLOSED = re.compile(r"^[A-Z]{3,10} connection closed after ")

_FEATURES = {"hasTools": "tools", "hasPrompts": "prompts", "hasResources": "resources"}

EVIDENCE = Evidence(
    origin="Claude Code's log of an MCP server",
    fineness_us=MILLISECONDS,
    framing=False,
    messages=False,
    contents=False,
    members=False,
    values=False,
    launch=False,
    status=False,
)


class ClaudeCodeLog(ClientLog):
    """The sentences about one server, one after the other, as items."""

    def __init__(self, evidence: Evidence, name: str = "") -> None:
        super().__init__(evidence, "Claude Code", name)
        self._teller = Teller()
        self._opening = Opening(self._teller)
        self._connected: Moment | None = None
        """When the connection came about, until the capabilities are told."""
        self._leaving = False

    def _sentence(self, at: Moment, text: str, level: str) -> Iterator[Item]:
        """What one entry tells; `level` is "error" or "debug"."""
        if text.startswith(_STDERR):
            yield from self._opening.hold(list(stderr_lines(at, text[len(_STDERR) :])))
            return
        if text.startswith(_CAPABILITIES) and self._connected is not None:
            yield from self._established(text[len(_CAPABILITIES) :])
        elif self._connected is not None and not text.startswith("Server instructions"):
            yield from self._established("")
        line = rejected(text.removeprefix(_IGNORED).removeprefix(_CONNECTION_ERROR), at)
        yield from self._opening.hold([line or said(at, text, level)])
        yield from self._told(at, text)

    def _told(self, at: Moment, text: str) -> Iterator[Item]:
        if text.startswith(STARTS.decode()):
            self._leaving = False
            self._opening.begin(at)
        elif _CONNECTED.match(text):
            self._started = True
            self._connected = at
            self._opening.came_about()
        elif (found := _CALLS.match(text)) is not None:
            yield self._teller.asks(at, "tools/call", found[1].strip())
        elif (found := _CALLED.match(text)) is not None:
            yield from self._teller.answers(at, "tools/call", found[1])
        elif (found := _FAILED_CALL.match(text)) is not None:
            yield from self._failed_call(at, found[1], found[2])
        elif _NOT_CONNECTED.match(text):
            yield from self._not_connected(at, text)
        elif _CLIENT_LEAVES.match(text):
            self._leaving = True
            yield from self._closed(at, by_server=False)
        elif _CLOSED.match(text):
            yield from self._closed(at, by_server=not self._leaving)

    def _established(self, told: str) -> list[Item]:
        """The answer to initialize, with what is told of capabilities."""
        at, self._connected = self._connected, None
        features = object_of(told.encode()) or {}
        result: dict[str, Any] = {}
        if features:
            declared: dict[str, Any] = {
                name: {} for key, name in _FEATURES.items() if features.get(key) is True
            }
            if "resources" in declared and features.get("hasResourceSubscribe") is True:
                declared["resources"] = {"subscribe": True}
            result["capabilities"] = declared
        if isinstance(features.get("serverVersion"), dict):
            result["serverInfo"] = features["serverVersion"]
        if isinstance(features.get("negotiatedProtocolVersion"), str):
            result["protocolVersion"] = features["negotiatedProtocolVersion"]
        return self._opening.answered(at, result) if at is not None else []

    def _failed_call(self, at: Moment, tool: str, why: str) -> list[Item]:
        if CLOSED_BY_SERVER.search(why):
            return self._closed(at, by_server=not self._leaving)
        if TIMED_OUT.search(why):
            return []
        code = code_of(why)
        if code is None:
            return self._teller.answers(at, "tools/call", tool)
        return self._teller.answers(at, "tools/call", tool, error={"code": code})

    def _not_connected(self, at: Moment, text: str) -> list[Item]:
        if failed := self._not_started(at, text):
            return [*self._opening.nothing(), *failed]
        if CLOSED_BY_SERVER.search(text):
            return [*self._opening.asked(), *self._closed(at, by_server=True)]
        if TIMED_OUT.search(text) or "timeout triggered" in text:
            return [*self._opening.asked(), *self._closed(at, by_server=False)]
        return []

    def _end(self) -> list[Item]:
        """What is held when no more entries come."""
        established = self._established("") if self._connected is not None else []
        return [*established, *self._opening.nothing()]
