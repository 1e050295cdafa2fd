"""The few things the shim says while it runs: cheap, said once, and true.

This is no diagnosis (`mcptap check` is). It looks at each line once, after it was recorded,
keeps the ids of open requests, and names the first line of each kind of pollution.
"""

from __future__ import annotations

import time

from mcptap.recording.format.content import NOT_JSON
from mcptap.recording.writer import DIVERTED, TOO_LONG
from mcptap.text.escape import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Key = tuple[str, object]

MAX_OPEN = 10_000
"""Open requests that are kept; beyond it nothing is said about unanswered ones."""

MAX_ID, MAX_METHOD = 100, 60
"""Characters of an id and of a method that are kept; of a longer id nothing is said."""

MAX_QUOTED = 1000
"""Bytes of a line that are looked at for what is quoted of it."""

MAX_IDS = 8
"""Ids that are looked for in a line that is no message."""

DEEP, DIGITS = 500, 4300
"""Brackets and digits in a row of which no parser gives up on fewer: a line with more may be JSON."""

LATE_NS = 1_000_000_000
"""A request sent less than this before the client's end of input may well go unanswered."""

BOM = b"\xef\xbb\xbf"
HELD_BY_DESIGN = ("subscriptions/listen", "tasks/result")
FEATURES = ("tools", "resources", "prompts")
CANCELLED = "notifications/cancelled"
OPENERS = ("initialize", "server/discover")
KINDS = {
    "value": "is JSON but no message",
    "bom": "starts with a byte-order mark, which clients can't read",
    "utf8": "is not UTF-8",
    "glued": "has other text before the message, so clients drop both",
    "text": "is not a message; logs belong on stderr",
    "diverted": "is not a message; such lines go to stderr instead of to the client (--divert)",
}
"""What is said of a line by the kind of pollution that it is."""
ANY_DIGIT = bytes.maketrans(b"123456789", b"000000000")


class Watch:
    """Follows a session from the lines that the channel recorders show it, and from what it is told.

    `is_record()` tells whether the number of a record is that of its line in the file; `hide` takes the
    secrets out of the beginning of a line that is quoted.
    """

    def __init__(
        self,
        say: Callable[[str], None],
        is_record: Callable[[], bool] = lambda: True,
        hide: Callable[[bytes], bytes] = bytes,
    ) -> None:
        self._say = say
        self._is_record = is_record
        self._hide = hide
        self._open: dict[Key, tuple[str, int]] = {}
        self._said: set[str] = set()
        self._server_lines = 0
        self._answers = 0
        self._unsure = False
        self._last_sent_ns = 0
        self._undelivered_ns = 0
        self._client_end_ns = 0

    def client_lines(self, _first: int, _lines: bytes, values: list[Any]) -> None:
        """Look at lines from the client. Never raises: a fault here must not stop the recording."""
        self._last_sent_ns = now = time.monotonic_ns()
        try:
            for value in values:
                if type(value) is dict and ("id" in value or value.get("method") == CANCELLED):
                    self._sent(value, now)
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

    def _sent(self, value: dict[str, Any], now: int) -> None:
        method = value.get("method")
        if type(method) is not str:
            return
        if "id" in value:
            key = _key(value["id"])
            if key is None or len(self._open) >= MAX_OPEN:
                self._unsure = True
            else:
                self._open[key] = (method[:MAX_METHOD], now)
        elif method == CANCELLED:
            params = value.get("params")
            if type(params) is dict:
                self._forget(_key(params.get("requestId")))

    def lines_missed(self) -> None:
        """Lines of either side were not shown, or not all of them: answers may be among them."""
        self._unsure = True

    def last_lines_undelivered(self) -> None:
        """The client's lines that were shown last did not reach the server, or not all of them."""
        self._undelivered_ns = self._last_sent_ns

    def client_ended(self) -> None:
        """The client left while the server lived: the end of its input, or it reads no more.

        To be told before the server can learn of it: the order of the two ends decides what is said.
        """
        self._client_end_ns = self._client_end_ns or time.monotonic_ns()

    def server_ended(self, how: str, failed: bool, asked_to: bool, alone: bool = True) -> None:
        """Say what is left to say once the server is gone.

        `how`: "exited with code 1" or "was killed by SIGSEGV"; `failed`: neither code 0 nor
        a signal; `asked_to`: the client sent a signal that ends it; `alone`: it left no processes,
        of which one may be the server proper.
        """
        who = "the server" if alone else "the started process"
        waiting = self._unanswered()
        reached = [
            words for words, sent in waiting if not self._undelivered_ns or sent < self._undelivered_ns
        ]
        by_itself = not asked_to and not self._client_end_ns
        if by_itself and not self._answers and not self._unsure:
            self._say(f"{who} {how} before it answered anything")
        elif by_itself and reached:
            self._say(f"{who} {how} during {_listed(reached)}")
        else:
            words = [f"{who} {how}"] if not asked_to and (failed or (by_itself and waiting)) else []
            if waiting:
                words.append(f"no answer came to {_listed([each for each, _ in waiting])}")
            if words:
                self._say("; ".join(words))

    def _answered(self, value: Any) -> None:
        self._answers += 1
        key = _key(value["id"])
        method = self._forget(key)
        if not method and key is not None:
            # An id that came back as another type reaches some clients; nothing is claimed here.
            method = self._forget(_other_type(key))
        result = value.get("result")
        if method in OPENERS and type(result) is dict:
            capabilities = result.get("capabilities")
            if type(capabilities) is dict and not any(o in capabilities for o in FEATURES):
                self._once(
                    "capabilities",
                    f"the server's answer to {method} declares no tools, resources or prompts; "
                    "clients that go by it ask for none",
                )

    def _forget(self, key: Key | None) -> str:
        """The request with this id waits no more; its method, empty if there is none."""
        return self._open.pop(key, ("", 0))[0] if key is not None else ""

    def _no_message(self, number: int, line_number: int, text: bytes, value: Any) -> None:
        if value is TOO_LONG or type(value) is list:
            self._unsure = True  # it may hold answers that are not looked at
            return
        if "text" in self._said and value is NOT_JSON and text.isascii() and b'"' not in text:
            return  # in a flood of log lines this is all that is looked at
        if value is DIVERTED:
            self._quote("diverted", number, line_number, text)
            return
        if b'"id"' in text:
            self._forget_ids_in(text)
        text = text.strip()
        if not text:
            return  # blank lines harm nobody
        kind = "text" if value is NOT_JSON else "value"
        if value is NOT_JSON:
            if text[0] in b"{[" and _may_be_json(text):
                self._unsure = True
                return
            if text.startswith(BOM):
                kind = "bom"
            elif not _is_utf8(text):
                kind = "utf8"
            elif b'"jsonrpc"' in text and text.find(b"{") > 0:
                kind = "glued"
        self._quote(kind, number, line_number, text)

    def _quote(self, kind: str, number: int, line_number: int, text: bytes) -> None:
        """Name the first line of a kind, unless it is blank."""
        text = text.strip()
        if text and kind not in self._said:
            record = f" (record {number})" if self._is_record() else ""
            quoted = excerpt(self._hide(text[:MAX_QUOTED]), 80)
            self._once(kind, f'stdout line {line_number}{record} {KINDS[kind]}: "{quoted}"')

    def _forget_ids_in(self, text: bytes) -> None:
        """An answer that can't be read names its request; the line itself is named."""
        self._answers += 1
        pieces = text.split(b'"id"', MAX_IDS + 1)
        self._unsure |= len(pieces) > MAX_IDS
        for piece in pieces[1:]:
            key = _key_before(piece)
            if key is None:
                self._unsure = True
            else:
                self._forget(key)

    def _unanswered(self) -> list[tuple[str, int]]:
        """Requests that wait, in words, and when each was sent; none if that is not sure."""
        if self._unsure:
            return []
        last = self._client_end_ns - LATE_NS if self._client_end_ns else time.monotonic_ns()
        return [
            (f"{excerpt(method, MAX_METHOD)} (id {excerpt(str(key[1]), 40)})", sent)
            for key, (method, sent) in list(self._open.items())
            if sent <= last and method not in HELD_BY_DESIGN
        ]

    def _once(self, kind: str, sentence: str) -> None:
        if kind not in self._said:
            self._said.add(kind)
            self._say(sentence)


def _listed(waiting: list[str]) -> str:
    more = f" and {len(waiting) - 3} more" if len(waiting) > 3 else ""
    return ", ".join(waiting[:3]) + more


def _key(value: object) -> Key | None:
    """An id with its JSON type: 1 and "1" are two ids. None for one that is too long, or can be none."""
    kind = type(value)
    if kind is str:
        return ("str", value) if len(value) <= MAX_ID else None  # type: ignore[arg-type]
    if kind is int:
        return ("int", value) if value.bit_length() < 64 else None  # type: ignore[attr-defined]
    return ("float", value) if kind is float else None


def _other_type(key: Key) -> Key:
    kind, value = key
    if kind == "str":
        return ("int", int(str(value))) if str(value).isdecimal() else key
    return ("str", str(value))


def _key_before(rest: bytes) -> Key | None:
    """The id in the text behind `"id"`; None if it is not as plain as ids are."""
    value = rest[: MAX_ID + 10].lstrip(b" :")
    if value.startswith(b'"'):
        name, quote, _ = value[1:].partition(b'"')
        return ("str", name.decode(errors="replace")) if quote and b"\\" not in name else None
    digits = value[: len(value) - len(value.lstrip(b"0123456789"))]
    return ("int", int(digits)) if digits else None


def _may_be_json(text: bytes) -> bool:
    """Whether what the parser refused may be JSON all the same: it nests deep, or has a long number."""
    return text.count(b"[") + text.count(b"{") >= DEEP or b"0" * DIGITS in text.translate(ANY_DIGIT)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
