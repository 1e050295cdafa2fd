"""What runs beside requests and answers: progress, subscriptions, requests for input, tasks."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from mcptap.protocol.model.ids import Id, IdSet, other_type
from mcptap.protocol.model.request import Request

RACE_US = 1_000_000
"""Window in which two messages that cross each other on the way are nobody's fault."""

_LATELY = 4096
MAX_URI = 4096
"""A longer URI is not looked at for what it may lie below."""


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

    def give(self, token: Id, request: Request) -> Request | None:
        """A request carries this token. Returns another open request that carries it as well."""
        before = self._live.get(token)
        self._live[token] = Progress(request)
        if (
            before is not None
            and before.request is not request
            and before.request.open
            and before.request.cancel is None
        ):
            return before.request
        return None

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
            if len(self._closing) <= _LATELY and now_us - progress.request.answered_us <= RACE_US:
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
        """Whether a request that was answered long ago carried it."""
        return token in self._closed

    def find_other_type(self, token: Id) -> Progress | None:
        """The token in the other JSON type (`"5"` for `5`)."""
        other = other_type(token)
        return None if other is None else self._live.get(other)


class TaskStep(NamedTuple):
    """A status of a task (2025-11-25): in which record, and the status before, if one was seen."""

    number: int
    task: str
    before: str | None
    after: str
    created: bool


class Listen:
    """An open `subscriptions/listen` (2026-07-28)."""

    __slots__ = ("acknowledged", "closed_us", "filter", "request", "spoke_first")

    def __init__(self, request: Request, wanted: dict[str, Any]) -> None:
        self.request = request
        self.filter = wanted
        self.acknowledged: int | None = None
        self.spoke_first: int | None = None
        """Record of a notification that came before the acknowledgement."""
        self.closed_us: int | None = None


class InputWait:
    """A result `input_required` that waits for the client to come back (2026-07-28)."""

    __slots__ = ("answer", "id", "kinds", "method", "retried", "state")

    def __init__(self, request: Request, answer: int, state: object, kinds: tuple[str, ...]) -> None:
        self.method = request.method
        self.id = request.id
        self.answer = answer
        self.state = state
        """`requestState` as given, None if there was none."""
        self.kinds = kinds
        self.retried = False


class Subscriptions(dict[str, int | None]):
    """Subscribed URIs of the handshake era; for one that was given up, when that was."""

    def covering(self, uri: str) -> str | None:
        """The subscribed URI that this one is or lies below."""
        if uri in self or len(uri) > MAX_URI:
            return uri if uri in self else None
        at = uri
        while True:
            for candidate in (at, at + "/"):
                if candidate in self:
                    return candidate
            cut = at.rstrip("/").rfind("/")
            if cut <= 0:
                return None
            at = at[:cut]


class Flow:
    """All of it, for one session."""

    def __init__(self) -> None:
        self.tokens: dict[str, Tokens] = {"c2s": Tokens(), "s2c": Tokens()}
        """Tokens by the channel of the requests that carried them."""
        self.listens: dict[Id, Listen] = {}
        self.waits: deque[InputWait] = deque(maxlen=256)
        self.log_level: str | None = None
        """The level of the last `logging/setLevel` that succeeded, and when its answer came."""
        self.log_level_us = 0
        self.log_requests: set[Id] = set()
        """Requests in flight that ask for log messages (2026-07-28)."""
        self.log_request_ended_us: int | None = None
        self.subscribed = Subscriptions()
        self.tasks: dict[str, str] = {}
        """Status of each task (2025-11-25)."""
