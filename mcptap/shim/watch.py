"""The few things the shim says while it runs: cheap, said once, and true.

This is no diagnosis (`mcptap check` is). It looks at each line once, after it was recorded,
keeps the ids of open requests, and names the first line of each kind of pollution.
"""

from __future__ import annotations

import time

from mcptap.recording.format.content import NOT_JSON
from mcptap.recording.writer import TOO_LONG
from mcptap.text.escape import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_OPEN = 100_000
"""Open requests that are kept; beyond it nothing is said about unanswered ones."""

LATE_NS = 1_000_000_000
"""A request sent less than this before the client's end of input may well go unanswered."""

BOM = b"\xef\xbb\xbf"
HELD_BY_DESIGN = ("subscriptions/listen", "tasks/result")
FEATURES = ("tools", "resources", "prompts")
CANCELLED = "notifications/cancelled"
OPENERS = ("initialize", "server/discover")


class Watch:
    """Follows a session from the lines that the channel recorders show it."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._open: dict[object, tuple[str, int]] = {}
        self._said: set[str] = set()
        self._server_lines = 0
        self._answers = 0
        self._unsure = False
        self._client_end_ns = 0

    def client_lines(self, _first: int, _lines: bytes, values: list[Any]) -> None:
        """Look at lines from the client. Never raises: a fault here must not stop the recording."""
        try:
            for value in values:
                if type(value) is dict and ("id" in value or value.get("method") == CANCELLED):
                    self._sent(value)
        except Exception:
            self._unsure = True

    def server_lines(self, first: int, lines: bytes, values: list[Any]) -> None:
        """Look at lines from the server. Never raises either."""
        texts: list[bytes] = []
        try:
            for index, value in enumerate(values):
                if type(value) is not dict:
                    texts = texts or lines.split(b"\n")
                    self._no_message(first + index, self._server_lines + index + 1, texts[index], value)
                elif "id" in value and "method" not in value:
                    self._answered(value)
        except Exception:
            self._unsure = True
        self._server_lines += len(values)

    def _sent(self, value: dict[str, Any]) -> None:
        method = value.get("method")
        if type(method) is not str:
            return
        if "id" in value:
            if len(self._open) < MAX_OPEN:
                self._open[_key(value["id"])] = (method, time.monotonic_ns())
            else:
                self._unsure = True
        elif method == CANCELLED:
            params = value.get("params")
            if type(params) is dict:
                self._open.pop(_key(params.get("requestId")), None)

    def client_ended(self) -> None:
        """The client closed the server's stdin."""
        self._client_end_ns = time.monotonic_ns()

    def server_ended(self, how: str, failed: bool, asked_to: bool) -> None:
        """Say what is left to say once the server is gone.

        `how`: "exited with code 1" or "was killed by SIGSEGV"; `failed`: neither code 0 nor
        a signal; `asked_to`: the client sent a signal that ends it.
        """
        waiting = self._unanswered()
        by_itself = not asked_to and not self._client_end_ns
        if by_itself and not self._answers:
            self._say(f"the server {how} before it answered anything")
        elif by_itself and (waiting or failed):
            self._say(f"the server {how}{' during ' + waiting if waiting else ''}")
        elif failed and not asked_to:
            self._say(f"the server {how}")
        elif waiting:
            self._say(f"no answer came to {waiting}")

    def _answered(self, value: Any) -> None:
        self._answers += 1
        key = _key(value["id"])
        method, _ = self._open.pop(key, ("", 0))
        if not method and type(key) is tuple:
            # An id that came back as another type reaches some clients; nothing is claimed here.
            method, _ = self._open.pop(_other_type(key), ("", 0))
        result = value.get("result")
        if method in OPENERS and type(result) is dict:
            capabilities = result.get("capabilities")
            if type(capabilities) is dict and not any(o in capabilities for o in FEATURES):
                self._once(
                    "capabilities",
                    f"the server's answer to {method} declares no tools, resources or prompts; "
                    "clients that go by it ask for none",
                )

    def _no_message(self, number: int, line_number: int, line: bytes, value: Any) -> None:
        text = line.rstrip(b"\r")
        if value is TOO_LONG or type(value) is list:
            self._unsure = True  # it may hold answers that are not looked at
            return
        if not text.strip():
            return  # blank lines harm nobody
        if value is not NOT_JSON:
            kind, what = "value", "is JSON but no message"
        elif text.startswith(BOM):
            kind, what = "bom", "starts with a byte-order mark, which clients can't read"
        elif not _is_utf8(text):
            kind, what = "utf8", "is not UTF-8"
        elif b'"jsonrpc"' in text and b"{" in text and not text.startswith(b"{"):
            kind, what = "glued", "has other text before the message, so clients drop both"
        else:
            kind, what = "text", "is not a message; logs belong on stderr"
        self._forget_ids_in(text)
        self._once(kind, f'stdout line {line_number} (record {number}) {what}: "{excerpt(text, 80)}"')

    def _forget_ids_in(self, text: bytes) -> None:
        """An answer that can't be read names its request; the line itself was named already."""
        if b'"id"' in text:
            for key in list(self._open)[:1000]:
                if type(key) is tuple and str(key[1]).encode() in text:
                    del self._open[key]

    def _unanswered(self) -> str:
        if self._unsure:
            return ""
        last = self._client_end_ns - LATE_NS if self._client_end_ns else time.monotonic_ns()
        waiting = [
            f"{excerpt(method, 60)} (id {excerpt(str(key[1]), 40)})"
            for key, (method, sent) in list(self._open.items())
            if sent < last and method not in HELD_BY_DESIGN and type(key) is tuple
        ]
        more = f" and {len(waiting) - 3} more" if len(waiting) > 3 else ""
        return ", ".join(waiting[:3]) + more

    def _once(self, kind: str, sentence: str) -> None:
        if kind not in self._said:
            self._said.add(kind)
            self._say(sentence)


def _key(value: object) -> object:
    """An id with its JSON type: 1, "1" and true are three ids."""
    return (type(value).__name__, value) if type(value) in (str, int, float) else repr(value)


def _other_type(key: tuple[str, object]) -> object:
    kind, value = key
    if kind == "str":
        return ("int", int(str(value))) if str(value).isdecimal() else key
    return ("str", str(value))


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
