"""The client in a test: plain calls that wait for their answers."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mcptap.play.client.messages import as_line, notification_line, refusal, request_line
from mcptap.play.client.persona import Persona, initialize_params, request_meta
from mcptap.protocol.model.message import MESSAGES, REQUEST, RESPONSE, Message, classify
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS, STATELESS_REVISIONS
from mcptap.protocol.revisions.names import LISTS, META_SERVER_INFO
from mcptap.pytest.tap import Tap
from mcptap.recording.format.model import Line
from mcptap.text.escape import excerpt
from mcptap.text.units import counted, duration
from mcptap.wire import SERVER_TO_CLIENT

MAX_PAGES = 100


class McpError(Exception):
    """A request came to nothing. The text is a sentence or two."""


class RequestError(McpError):
    """The server answered with an error of JSON-RPC."""

    def __init__(self, what: str, error: Mapping[str, Any]) -> None:
        self.code, self.message, self.data = error.get("code"), error.get("message"), error.get("data")
        super().__init__(f"{what} was answered with error {self.code}: {self.message}")


class NoAnswerError(McpError):
    """The server did not answer in time."""


class ServerEndedError(McpError):
    """The server ended, or could not be started."""


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a tool returned; `result` is all of it."""

    result: dict[str, Any] = field(repr=False)

    @property
    def content(self) -> list[dict[str, Any]]:
        """The blocks."""
        content = self.result.get("content")
        return [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []

    @property
    def text(self) -> str:
        """The texts of all blocks, a line each."""
        return "\n".join(one["text"] for one in self.content if isinstance(one.get("text"), str))

    @property
    def structured(self) -> Any:
        """`structuredContent`; None if there is none."""
        return self.result.get("structuredContent")

    @property
    def is_error(self) -> bool:
        """Whether the tool says that it failed."""
        return self.result.get("isError") is True

    def __repr__(self) -> str:
        return f"<{'error' if self.is_error else 'result'}: {excerpt(json.dumps(self.result), 300)}>"


class Server:
    """A server behind the tap, and the session with it. Made by the fixtures."""

    def __init__(self, tap: Tap, timeout_s: float, start_s: float, persona: Persona) -> None:
        self.timeout = timeout_s
        """Seconds for each answer."""
        self.notifications: list[dict[str, Any]] = []
        """What the server sent without being asked, each as it came."""
        self.replies: dict[str, Callable[[dict[str, Any]], Any]] = {}
        """What is answered to the server's own requests: by method, a function of the params that returns the
        result. All others but ping are refused."""
        self.revision = ""
        """The revision of the protocol that was agreed on."""
        self.capabilities: dict[str, Any] = {}
        """What the server declares."""
        self.info: dict[str, Any] = {}
        """Its `serverInfo`."""
        self.has_listed = False
        """Whether its tools were asked for."""
        self._tap = tap
        self._start_s = start_s
        self._persona = persona
        self._meta: dict[str, Any] = {}
        self._answers: dict[str, Message] = {}
        self._changed = threading.Condition()
        self._next_id = 0
        self._strays = 0
        self._ended = False
        self._reader = threading.Thread(target=self._read, name=f"mcptap {tap.name}", daemon=True)
        self._reader.start()

    def __repr__(self) -> str:
        return f"<MCP server {self.name}, recorded in {self.recording}>"

    # --- what a test asks ----------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What the server is called in reports."""
        return self._tap.name

    @property
    def recording(self) -> Path:
        """The file in which the session is recorded."""
        return self._tap.recording

    @property
    def stderr(self) -> str:
        """What the server wrote to stderr so far."""
        return self._tap.stderr

    def tools(self) -> list[dict[str, Any]]:
        """The tools that the server lists, to the last page."""
        return self.list("tools/list")

    def call(self, tool: str, /, **arguments: Any) -> CallResult:
        """Call a tool; its own error is a result. Raises RequestError, NoAnswerError or ServerEndedError."""
        __tracebackhide__ = True
        return self.call_with(tool, arguments)

    def call_with(self, tool: str, arguments: dict[str, Any], *, timeout: float | None = None) -> CallResult:
        """The same with the arguments as a dictionary, and a time limit of its own."""
        __tracebackhide__ = True
        params = {"name": tool, "arguments": arguments}
        result = self.request("tools/call", params, timeout=timeout)
        return CallResult(result if isinstance(result, dict) else {})

    def list(self, method: str) -> list[dict[str, Any]]:
        """All pages of a list, such as `prompts/list`."""
        __tracebackhide__ = True
        items: list[dict[str, Any]] = []
        params: dict[str, Any] | None = None
        for _ in range(MAX_PAGES):
            result = self.request(method, params)
            result = result if isinstance(result, dict) else {}
            found = result.get(LISTS[method])
            items += [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
            cursor = result.get("nextCursor")
            if not isinstance(cursor, str):
                return items
            params = {"cursor": cursor}
        raise McpError(f"{method} had no end after {MAX_PAGES} pages")

    def request(
        self, method: str, params: dict[str, Any] | None = None, *, timeout: float | None = None
    ) -> Any:
        """Send a request, and return the result. Raises RequestError, NoAnswerError or ServerEndedError."""
        __tracebackhide__ = True
        self.has_listed = self.has_listed or method == "tools/list"
        limit_s = self.timeout if timeout is None else timeout
        tool = (params or {}).get("name") if method == "tools/call" else None
        what = f"{method} of {tool!r}" if tool else method
        with self._changed:
            self._next_id += 1
            key = str(self._next_id)
        data = request_line(method, params, int(key), self._meta)
        if not self._tap.send(data, limit_s) and not self._tap.has_ended:
            raise NoAnswerError(
                f"{what} could not be sent within {_seconds(limit_s)}: the server does not read its stdin."
                + self._state()
            )
        with self._changed:
            self._changed.wait_for(lambda: key in self._answers or self._ended, limit_s)
            answer = self._answers.pop(key, None)
        if answer is None:
            if self._ended:
                raise ServerEndedError(
                    f"The server ended before it answered {what}{self._tap.ending}.{self._state()}"
                )
            raise NoAnswerError(
                f"{what} got no answer within {_seconds(limit_s)}; the server still runs.{self._state()}"
            )
        if isinstance(answer.error, dict):
            raise RequestError(what, answer.error)
        return answer.result

    def notify(self, method: str, params: dict[str, Any] | None = None) -> None:
        """Send a notification."""
        self.send(notification_line(method, params))

    def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._tap.send(data, self.timeout)

    def wait_for(self, method: str, *, timeout: float | None = None) -> dict[str, Any]:
        """The first notification of this method that came, or comes in time."""
        __tracebackhide__ = True
        limit_s = self.timeout if timeout is None else timeout
        with self._changed:
            self._changed.wait_for(lambda: self._first(method) is not None or self._ended, limit_s)
            found = self._first(method)
        if found is None:
            kind = ServerEndedError if self._ended else NoAnswerError
            raise kind(f"No {method} came within {_seconds(limit_s)}.{self._state()}")
        return found

    # --- the session ---------------------------------------------------------------------------

    def open(self, revision: str) -> None:
        """Open the session in this revision of the protocol."""
        usual_s, self.timeout = self.timeout, self._start_s
        try:
            if revision in STATELESS_REVISIONS:
                self._discover(revision)
            elif revision in HANDSHAKE_REVISIONS:
                result = self.request("initialize", initialize_params(revision, self._persona))
                agreed = result.get("protocolVersion") if isinstance(result, dict) else None
                self._learn(result, str(agreed))
                self.notify("notifications/initialized")
            else:
                known = ", ".join((*HANDSHAKE_REVISIONS, *STATELESS_REVISIONS))
                raise McpError(f"There is no revision {revision!r} of MCP; there are {known}")
        finally:
            self.timeout = usual_s

    def _discover(self, revision: str) -> None:
        self._meta = request_meta(self._persona)
        self._learn(self.request("server/discover", {}), revision)

    def _learn(self, result: Any, revision: str) -> None:
        result = result if isinstance(result, dict) else {}
        meta = result.get("_meta")
        info = result.get("serverInfo") or (meta if isinstance(meta, dict) else {}).get(META_SERVER_INFO)
        capabilities = result.get("capabilities")
        self.revision = revision
        self.info = info if isinstance(info, dict) else {}
        self.capabilities = capabilities if isinstance(capabilities, dict) else {}

    def close(self) -> None:
        """End the session and the server; once more is nothing. Its fixture does so when the test is over."""
        self._tap.close()
        self._reader.join(1)

    # --- what comes ----------------------------------------------------------------------------

    def _read(self) -> None:
        for data in self._tap.lines():
            line = Line(0, SERVER_TO_CLIENT, data.rstrip(b"\r\n"), b"\n", 0, 0, 0)
            self._take(classify(line))
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _take(self, message: Message) -> None:
        if message.kind == REQUEST:
            self._reply(message)
            return
        with self._changed:
            if message.kind == RESPONSE:
                self._answers[str(message.id)] = message
            elif message.kind in MESSAGES:
                value = message.line.value
                self.notifications.append({"method": message.method, "params": value.get("params")})
            else:
                self._strays += 1
            self._changed.notify_all()

    def _reply(self, message: Message) -> None:
        answer = self.replies.get(message.method)
        data = refusal(message)
        if answer is not None:
            response: dict[str, Any] = {"jsonrpc": "2.0", "id": message.line.value["id"]}
            try:
                response["result"] = answer(message.params or {})
            except Exception as error:  # the test's own function
                response["error"] = {"code": -32603, "message": f"{type(error).__name__}: {error}"}
            data = as_line(response)
        self._tap.send(data, self.timeout)

    def _first(self, method: str) -> dict[str, Any] | None:
        return next((one for one in self.notifications if one["method"] == method), None)

    def _state(self) -> str:
        """What else is known of a server that did not answer, in sentences with a space in front."""
        told = ""
        if self._strays:
            were = "was" if self._strays == 1 else "were"
            told += f" {counted(self._strays, 'line')} on its stdout {were} no message."
        last = next((line for line in reversed(self.stderr.splitlines()) if line.strip()), "")
        if last:
            told += f' Its last words on stderr: "{excerpt(last.strip(), 200)}".'
        return told


def _seconds(limit_s: float) -> str:
    return duration(round(limit_s * 1e6))
