"""What is measured of a session for the sake of what is expected of it."""

from __future__ import annotations

from collections.abc import Iterable

from mcptap.protocol.expectations.expectation import MAX_LATENCY, Expectation
from mcptap.protocol.model.request import Request

MAX_NAMES = 200
"""So many different methods and tools are told apart under one limit."""
MAX_SLOW = 50
"""So many slow answers are kept of each."""


class Answers:
    """The answers to requests of one name under one limit. Times are in microseconds."""

    __slots__ = ("count", "over", "slow", "worst", "worst_us")

    def __init__(self) -> None:
        self.count = self.over = 0
        """How many came, and how many of them after more than the limit."""
        self.worst: Request | None = None
        self.worst_us = -1
        self.slow: list[int] = []
        """Records of those that came late."""

    def take(self, request: Request, took_us: int, most_us: int) -> None:
        """Take an answer."""
        self.count += 1
        if took_us > self.worst_us:
            self.worst, self.worst_us = request, took_us
        if took_us > most_us:
            self.over += 1
            if request.answer is not None and len(self.slow) < MAX_SLOW:
                self.slow.append(request.answer)


class Expected:
    """The expectations of a session, and what they need of it."""

    def __init__(self, wanted: Iterable[Expectation] = ()) -> None:
        self.wanted = tuple(wanted)
        self.unknown: frozenset[str] = frozenset()
        """What the capture can't prove: names of `Evidence`."""
        self.opening: Request | None = None
        """The client's request that was answered first; before that, its first one."""
        self._is_answered = False
        self.answers: dict[Expectation, dict[str, Answers]] = {
            one: {} for one in self.wanted if one.name == MAX_LATENCY
        }
        """For each limit, by what was asked: a method, or one with its tool."""

    def take_request(self, request: Request) -> None:
        """The client asked something."""
        if self.opening is None:
            self.opening = request

    def take_answer(self, request: Request, client_busy_us: int) -> None:
        """The server answered; `client_busy_us` of that time it waited for the client itself."""
        if not self._is_answered:
            self.opening, self._is_answered = request, True
        took_us = max(0, request.answered_us - request.t_us - client_busy_us)
        for limit, names in self.answers.items():
            if limit.is_about(request):
                name = name_of(request)
                if name in names or len(names) < MAX_NAMES:
                    names.setdefault(name, Answers()).take(request, took_us, limit.most)


def name_of(request: Request) -> str:
    """What was asked: the method, and the tool of a call."""
    return f"{request.method} {request.tool}".rstrip()
