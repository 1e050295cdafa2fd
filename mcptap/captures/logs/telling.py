"""Messages of which a log only tells: requests and what became of them, with ids of our own."""

from __future__ import annotations

from collections import deque
from typing import Any

from mcptap.captures.lines import told_line
from mcptap.captures.logs.rejections import Moment
from mcptap.recording.format.model import Item, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

MAX_OPEN = 1000
MAX_HELD = 2000
"""So many items are held back until it is told whether a connection came about."""


class Teller:
    """Makes lines of what a log tells of requests and answers. The first that was asked is answered first."""

    def __init__(self) -> None:
        self._count = 0
        self._open: dict[tuple[str, str], deque[str]] = {}

    def asks(self, at: Moment, method: str, name: str = "") -> Line:
        """A request of the client; `name` is that of the tool."""
        self._count += 1
        key = f"log-{self._count}"
        waiting = self._open.setdefault((method, name), deque(maxlen=MAX_OPEN))
        waiting.append(key)
        params = {"name": name} if name else {}
        return self._line(at, CLIENT_TO_SERVER, {"id": key, "method": method, "params": params})

    def answers(self, at: Moment, method: str, name: str = "", **outcome: Any) -> list[Item]:
        """The answer to the oldest such request that is open; nothing if there is none."""
        waiting = self._open.get((method, name))
        if not waiting:
            return []
        return [self._line(at, SERVER_TO_CLIENT, {"id": waiting.popleft(), **(outcome or {"result": {}})})]

    @staticmethod
    def _line(at: Moment, channel: str, members: dict[str, Any]) -> Line:
        return told_line(at[0], channel, {"jsonrpc": "2.0", **members}, at[1], at[2])


class Opening:
    """A connection that is being made: what came since its start, until it is told how it went.

    Only then it is known that the client asked for it: of a command that could not be started nobody asked
    anything.
    """

    def __init__(self, teller: Teller) -> None:
        self._teller = teller
        self._asked: Moment | None = None
        self._held: list[Item] = []
        self._before: int | None = None
        """How many items came before the answer."""

    @property
    def pending(self) -> bool:
        """Whether a connection is being made."""
        return self._asked is not None

    def begin(self, at: Moment) -> None:
        """The server is started, and asked to initialize."""
        self._asked = at

    def came_about(self) -> None:
        """The answer came just now; what it said may be told later."""
        self._before = len(self._held)

    def hold(self, items: list[Item]) -> list[Item]:
        """Keep items back while a connection is being made; those that can be given now."""
        if self._asked is None:
            return items
        self._held += items
        return self.asked() if len(self._held) > MAX_HELD else []

    def asked(self) -> list[Item]:
        """It is known that the server was asked."""
        if self._asked is None:
            return []
        request = self._teller.asks(self._asked, "initialize")
        return [request, *self.nothing()]

    def answered(self, at: Moment, result: dict[str, Any]) -> list[Item]:
        """The server answered."""
        before = self._before
        asked = self.asked()
        place = len(asked) if before is None else min(len(asked), before + 1)
        return [*asked[:place], *self._teller.answers(at, "initialize", result=result), *asked[place:]]

    def nothing(self) -> list[Item]:
        """It is known that the server was never asked, or that nobody knows."""
        held, self._held, self._asked, self._before = self._held, [], None, None
        return held
