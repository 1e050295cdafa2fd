"""How long answers take, and what explains a slow one: the server asked the client, or held it back."""

from __future__ import annotations

from collections import deque
from typing import Final

from mcptap.protocol.model.message import RESPONSE, Message
from mcptap.protocol.model.parts.process import STOPPING, Process
from mcptap.protocol.model.request import ANSWERED, PENDING, Request
from mcptap.protocol.model.requests import Requests
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

BUFFERED_US: Final = 5_000_000
"""A request that waits longer than this, and is answered the moment its session ends, was buffered."""
OWN_LIMIT_US: Final = 30_000_000
"""After so long (µs) an answer may come with the end because both sides have the same time limit."""
APART_US: Final = 1_000_000
"""Requests that follow each other so closely (µs) were sent in one go; so long at least one has to wait."""
TIMES_SLOWER: Final = 10
MANY_OPEN: Final = 64
"""If more requests than this are open, none is compared with the others."""
BURST_US: Final = 200_000
"""What comes within this time came in one go, as when a buffer is emptied."""


FLOOD: Final = 1000
"""Of more open requests than this the last is told of, not the first: looking for that takes too long."""


class Timing:
    """The times of requests and answers, in microseconds of the session."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests
        self._slow_answers: deque[tuple[Request, int]] = deque(maxlen=100)
        """Requests that got a result after more than `BUFFERED_US`, each with the newest record that
        the output had shown to come through before the burst of its answer (0: nothing had come)."""
        self.answered_us: int | None = None
        """When the server answered a request last, None if it never did."""
        self._client_busy_us = self._counted_until_us = 0
        self._burst_us = -BURST_US
        self._before_burst = self._come_through = 0
        self.last_output: int | None = None
        """Record number of the last line of the server's stdout."""

    def take_output(self, message: Message) -> None:
        """A line came from the server, after it is known what it answers.

        An answer shows that what the server wrote about its request came through, and what it wrote
        later may still be held; any other line shows it for all that was written before.
        """
        if message.t_us - self._burst_us >= BURST_US:
            self._before_burst = self._come_through
            self._burst_us = message.t_us
        about = message.request
        shown = about.number if message.kind is RESPONSE and about is not None else message.number
        if shown > self._come_through:
            self._come_through = shown
        self.last_output = message.number

    def take_request(self, request: Request) -> None:
        """The client sent a request."""
        if self._client_busy_us or self._requests.open[SERVER_TO_CLIENT]:
            request.client_busy_us = self.client_busy_us(request.t_us)

    def take_answer(self, message: Message, request: Request) -> None:
        """A request of either side got an answer that can be read."""
        if request.channel == CLIENT_TO_SERVER:
            self.answered_us = message.t_us
            self._note_overtaken(request)
            if request.answered_us - request.t_us > BUFFERED_US and request.state is ANSWERED:
                self._slow_answers.append((request, self._before_burst))
        elif request.method != "ping":
            since = max(request.t_us, self._counted_until_us)
            self._client_busy_us += max(0, request.answered_us - since)
            self._counted_until_us = request.answered_us

    def _note_overtaken(self, request: Request) -> None:
        """Note with the requests of the same kind that are older and still wait how long this one took."""
        waiting = self._requests.open[CLIENT_TO_SERVER]
        if not waiting or len(waiting) > MANY_OPEN:
            return
        number, method, tool = request.number, request.method, request.tool
        took = request.answered_us - request.t_us
        for other in waiting.values():
            if other.number < number and other.tool == tool and other.method == method:
                other.overtaken_us = max(took, other.overtaken_us or 0)

    def starves(self, request: Request, now_us: int, fineness_us: int = 1) -> bool:
        """Whether later requests of its kind were answered more than ten times as fast as this one waits.

        What took less than the times are fine may have taken that long.
        """
        took = request.overtaken_us
        return took is not None and now_us - request.t_us > TIMES_SLOWER * (took + fineness_us - 1)

    def deaf_since(self, request: Request, now_us: int) -> Request | None:
        """A later request that waits as well, if the server answered nothing since this one was sent."""
        if self.answered_us is not None and self.answered_us >= request.t_us:
            return None
        waiting = self._requests.open[CLIENT_TO_SERVER].values()
        is_flood = len(waiting) > FLOOD
        for other in reversed(waiting) if is_flood else waiting:
            apart = other.t_us - request.t_us
            if is_flood and apart < APART_US:
                break  # those before it came even sooner
            if other.state is PENDING and apart >= APART_US and now_us - other.t_us >= APART_US:
                return other
        return None

    def client_busy_us(self, now_us: int) -> int:
        """For how long in all requests of the server waited for the client (a person, a model)."""
        since = min(
            (
                request.t_us
                for request in self._requests.open[SERVER_TO_CLIENT].values()
                if request.state is PENDING and request.method != "ping"
            ),
            default=now_us,
        )
        return self._client_busy_us + max(0, now_us - max(since, self._counted_until_us))

    def silence_us(self, request: Request, now_us: int) -> int:
        """The longest time that the receiver of a request let pass without answer or progress.

        Time in which a request of the server waited for the client is left out.
        """
        waited = now_us - request.t_us
        if request.channel == CLIENT_TO_SERVER:
            waited -= self.client_busy_us(now_us) - request.client_busy_us
        if request.progress_us:
            waited = min(waited, max(request.silence_us, now_us - request.progress_us))
        return max(0, waited)

    def held_answers(self, process: Process) -> list[tuple[Request, str]]:
        """Results that the server held back until the session ended, and what ended it.

        That the output was held back is shown by an answer that came only after the client's end of
        input, just before the server was gone. A server that ends by itself may end because it has
        answered: there it is shown by silence, or by several requests that were all answered then.
        One that was stopped after the answer was slow, and nothing more.
        """
        found = []
        certain = False
        eof, end = process.client_closed, process.exit
        for request, before in self._slow_answers:
            if before > request.number:
                continue
            after_eof = eof is not None and request.answer is not None and request.answer > eof.number
            if eof is not None and after_eof and request.answered_us - eof.t_us < BURST_US:
                found.append((request, "the client closed the server's input"))
                waited = request.answered_us - request.t_us
                soon = end is not None and end.t_us - request.answered_us < BURST_US
                certain = certain or (soon and waited < OWN_LIMIT_US)
            elif _stopped_after(request, process):
                continue
            elif eof is None and end is not None and end.t_us - request.answered_us < BURST_US:
                found.append((request, "the server exited"))
            else:
                continue
            certain = certain or not before
        return found if certain or len(found) > 1 else []


def _stopped_after(request: Request, process: Process) -> bool:
    """Whether a signal that stops the server came after the answer to a request."""
    stops = (event.number for event in process.signals if event.fields.get("signal") in STOPPING)
    return request.answer is not None and any(number > request.answer for number in stops)
