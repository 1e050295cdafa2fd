"""Progress: the tokens that requests carry, and what came for them."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from mcptap.protocol.model.ids import Id, IdSet, id_size, other_type
from mcptap.protocol.model.request import Request

RACE_US: Final = 1_000_000
"""Two messages this close may have crossed on their way: then neither side is at fault."""

MAX_LIVE: Final = 100_000
"""So many tokens are known at a time."""
LATELY: Final = 4096
"""So many tokens of answered requests are remembered, or those of the last `RACE_US`."""


class Progress:
    """A progress token and what came for it."""

    __slots__ = ("count", "kept", "last", "previous", "request")

    def __init__(self, request: Request) -> None:
        self.request = request
        self.last: float | None = None
        self.previous: float | None = None
        """The value before the last one."""
        self.count = 0
        self.kept = False
        """Whether a task keeps the token alive beyond the answer."""

    def advance(self, value: Any) -> None:
        """A notification came with this value."""
        self.count += 1
        if isinstance(value, int | float) and not isinstance(value, bool):
            self.previous, self.last = self.last, value


class Tokens:
    """Progress tokens that one side gave."""

    def __init__(self) -> None:
        self._live: dict[Id, Progress] = {}
        self._closing: deque[tuple[Id, Progress]] = deque()
        self._closed = IdSet()
        self._forgets = False
        self.clash: Request | None = None
        """The open request that carries the same token as the last request that was given one."""

    def give(self, token: Id, request: Request) -> None:
        """A request carries this token."""
        before = self._live.get(token)
        self.clash = None
        if before is None and (len(self._live) >= MAX_LIVE or id_size(token) > MAX_LIVE // LATELY):
            self._forgets = True
            return
        self._live[token] = Progress(request)
        if before is not None and before.request is not request:
            other = before.request
            self.clash = other if other.open and other.cancel is None else None

    def close(self, request: Request, now_us: int) -> None:
        """The request of a token was answered; what was answered long ago is forgotten but for its token."""
        token = request.token
        if token is None:
            return
        progress = self._live.get(token)
        if progress is not None:
            self._closing.append((token, progress))
        while self._closing:
            token, progress = self._closing[0]
            if len(self._closing) <= LATELY and now_us - progress.request.answered_us <= RACE_US:
                break
            self._closing.popleft()
            if self._live.get(token) is progress and not progress.kept:
                del self._live[token]
                self._closed.add(token)

    def keep(self, token: Id) -> None:
        """A task keeps this token alive beyond the answer."""
        progress = self._live.get(token)
        if progress is not None:
            progress.kept = True

    def find(self, token: Id) -> Progress | None:
        """The token, if its request is open or was answered lately."""
        return self._live.get(token)

    def was_given(self, token: Id) -> bool:
        """Whether a request that is no longer remembered carried it, or may have."""
        return token in self._closed or self._closed.is_full or self._forgets

    def find_other_type(self, token: Id) -> Progress | None:
        """The token in the other JSON type (`"5"` for `5`)."""
        other = other_type(token)
        return None if other is None else self._live.get(other)
