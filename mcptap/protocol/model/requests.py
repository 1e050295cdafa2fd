"""Which request an answer belongs to, and what becomes of requests: the one pairing of a session."""

from __future__ import annotations

from collections import deque
from typing import Final

from mcptap.protocol.model.ids import Id, IdSet, as_id, id_size, other_type
from mcptap.protocol.model.message import (
    LOG,
    MALFORMED,
    NOTIFICATION,
    REQUEST,
    RESPONSE,
    Flaw,
    Match,
    Message,
)
from mcptap.protocol.model.request import (
    ANSWERED,
    CANCELLED,
    ERROR,
    IS_ERROR,
    PENDING,
    UNREADABLE,
    Request,
    RequestState,
)
from mcptap.protocol.revisions import REQUESTS
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, other_side

KEEP_PARAMS_BYTES: Final = 1 << 16
"""The params of a request are kept until its answer if its line is no longer than this."""
KEEP_PARAMS_REQUESTS: Final = 1000
"""And if no more requests than this are open."""
MAX_REPAIRED: Final = 10_000
"""So many spoilt answers that came once more are known."""
KEEP_REASON: Final = 500
"""So many characters of the reason of a cancellation are kept."""
MAX_OPEN: Final = 100_000
"""So many requests of each side (with ids of usual length) are followed at a time."""
RECENT: Final = 256
"""So many answered requests of each channel are remembered, for what comes late."""
JUST_NOW_US: Final = 1_000_000
"""A notification so long (µs) before a response is a recent one."""
MAX_HOMELESS: Final = 100
"""So many responses to nothing are remembered, until it is known what they answered."""


def outcome(message: Message) -> RequestState:
    """What a response makes of its request if clients can read it: `ANSWERED`, `ERROR` or `IS_ERROR`."""
    if message.error is not None:
        return ERROR
    result = message.result
    return IS_ERROR if type(result) is dict and result.get("isError") is True else ANSWERED


class Homeless:
    """A response that names no open request, and follows a notification.

    If every request that was open when it came gets its own answer, it answers the notification:
    `to_notification` tells so as long as that is known.
    """

    __slots__ = ("about", "channel", "error", "id", "method", "number", "open")

    def __init__(self, message: Message, about: Message, waiting: list[Request]) -> None:
        self.channel = message.channel
        self.number = message.number
        self.id = message.id
        self.error = message.error is not None
        """Whether it is an error."""
        self.method = about.method
        """The notification that it may answer."""
        self.about = about.number
        """The record of that notification."""
        self.open = waiting
        """The requests that waited when it came."""

    @property
    def to_notification(self) -> bool:
        """Whether each of the requests that waited got its own answer."""
        return all(request.answer is not None for request in self.open)


class Requests:
    """The requests of both sides. `take` is given all messages of a session in order.

    It fills in the `request` of a request, a response and a cancellation, the `match` of one that
    does not fit, the `method` of a response, `about` and `lost`.
    """

    def __init__(self) -> None:
        self.open: dict[str, dict[Id, Request]] = {CLIENT_TO_SERVER: {}, SERVER_TO_CLIENT: {}}
        """Requests without a readable answer, by the channel of the request and id."""
        self.used = {CLIENT_TO_SERVER: IdSet(), SERVER_TO_CLIENT: IdSet()}
        """Every id that was used."""
        self.unfollowed = 0
        """How many requests are in none of these, since `MAX_OPEN` waited for an answer already."""
        self._room = {CLIENT_TO_SERVER: MAX_OPEN, SERVER_TO_CLIENT: MAX_OPEN}
        self.reused: Request | None = None
        """The open request whose id the last request uses again."""
        self.repaired: set[int] = set()
        """Records that spoilt an answer, which then came once more in a form that can be read."""
        self.unreadable_last: list[Request] = []
        """The requests that the last line of this kind answered so that nobody can read it."""
        self._recent: dict[str, dict[Id, Request]] = {CLIENT_TO_SERVER: {}, SERVER_TO_CLIENT: {}}
        self._answered_last: Request | None = None
        self._last: dict[str, Message | None] = {CLIENT_TO_SERVER: None, SERVER_TO_CLIENT: None}
        self.homeless: list[Homeless] = []
        """Responses that came for nothing while requests waited: what they answered shows later."""
        self._notifications: dict[str, deque[Message]] = {
            CLIENT_TO_SERVER: deque(maxlen=32),
            SERVER_TO_CLIENT: deque(maxlen=32),
        }
        """The last notifications that no response was found to be about."""
        self._answered: dict[str, int] = {CLIENT_TO_SERVER: 0, SERVER_TO_CLIENT: 0}
        """The record of the latest request of each channel that was answered."""
        self._unreadable: dict[str, int | None] = {CLIENT_TO_SERVER: None, SERVER_TO_CLIENT: None}
        """The last line of each channel that its receiver could not read, until an error spoke of it."""

    def take(self, message: Message) -> Request | None:
        """Take the next message; returns the request that it answers so that clients can read it."""
        kind, answered = message.kind, None
        if kind is RESPONSE:
            answered = self._take_response(message)
        elif kind is REQUEST:
            self._take_request(message)
        elif kind is NOTIFICATION:
            if message.method == "notifications/cancelled":
                self._take_cancellation(message)
            if message.method in REQUESTS:  # a request without an id: nobody can answer it
                self._unreadable[message.channel] = message.number
            else:
                self._notifications[message.channel].append(message)
        elif kind is LOG:
            return None
        else:
            self._unreadable[message.channel] = message.number
            if kind is MALFORMED and message.id is not None:
                request = self.mark_unreadable(message.channel, message.id, message.number, message.t_us)
                message.lost = request is not None
        self._last[message.channel] = message
        return answered

    def take_embedded(self, message: Message) -> bool:
        """Take a message that stands inside a line that no client can read.

        Whether it is news: a request with a new id, an answer to an open request, a notification.
        """
        kind, key = message.kind, message.id
        if kind is NOTIFICATION:
            if message.method == "notifications/cancelled":
                self._take_cancellation(message)
            return True
        if key is None:
            return False
        if kind is REQUEST and key not in self.used[message.channel]:
            self._take_request(message)
            if message.request is not None:
                message.request.state = UNREADABLE
            return True
        if kind is not RESPONSE:
            return False
        request = self.open[other_side(message.channel)].get(key)
        if request is None or request.state not in (PENDING, UNREADABLE):
            return False
        message.request, message.method = request, request.method
        self._answer_unreadably(request, message.number, message.t_us)
        return True

    def mark_unreadable(self, channel: str, key: Id, number: int, t_us: int) -> Request | None:
        """A broken line of this channel shows the id of an open request: that one is answered, unreadably."""
        request = self.open[other_side(channel)].get(key)
        if request is None or request.state is not PENDING:
            return None
        self._answer_unreadably(request, number, t_us)
        return request

    def _answer_unreadably(self, request: Request, number: int, t_us: int) -> None:
        request.state = UNREADABLE
        request.answer, request.answered_us = number, t_us
        if self.unreadable_last and self.unreadable_last[0].answer != number:
            self.unreadable_last = []
        self.unreadable_last.append(request)

    def unanswered(self) -> list[Request]:
        """Requests of both sides that wait for an answer, oldest record first."""
        return self.in_state(PENDING)

    def in_state(self, *states: RequestState) -> list[Request]:
        """Requests of both sides without a readable answer, in one of these states, oldest record first."""
        found = [request for table in self.open.values() for request in table.values()]
        return sorted((r for r in found if r.state in states), key=lambda request: request.number)

    # --- requests ----------------------------------------------------------------------------

    def _take_request(self, message: Message) -> None:
        channel, key, params = message.channel, message.id, message.params
        self.reused = None
        if key is None:  # "id": null belongs to nothing
            self._unreadable[channel] = message.number
            return
        request = Request(channel, key, message.method, message.number, message.t_us)
        request.size = len(message.line.data)
        message.request = request
        waiting, used = self.open[channel], self.used[channel]
        if key not in waiting:
            room = self._room[channel] - id_size(key)
            if room < 0:
                self.unfollowed += 1
                return
            self._room[channel] = room
        if key in used:
            self.reused = waiting.get(key)
            still_open = self.reused is not None and self.reused.state is PENDING
            message.match = Match.REUSED_OPEN if still_open else Match.REUSED
        else:
            used.add(key)
        if params is not None:
            if request.size <= KEEP_PARAMS_BYTES and len(waiting) < KEEP_PARAMS_REQUESTS:
                request.params = params
            if message.method == "tools/call":
                name = params.get("name")
                if type(name) is str:
                    request.tool = name
        waiting[key] = request

    def _take_cancellation(self, message: Message) -> None:
        channel, params = message.channel, message.params or {}
        key = as_id(params.get("requestId"))
        if key is None:
            return
        message.id = key
        request = self.open[channel].get(key)
        if request is None:
            if key in self.used[channel]:
                message.match = Match.CLOSED
            elif not self._forgets(channel):
                message.match = Match.UNKNOWN
            message.request = self._recent[channel].get(key)
            return
        message.request = request
        if request.state is PENDING:
            request.state = CANCELLED
            request.cancel, request.cancelled_us = message.number, message.t_us
            reason = params.get("reason")
            request.cancel_reason = reason[:KEEP_REASON] if isinstance(reason, str) else ""

    # --- responses ---------------------------------------------------------------------------

    def _take_response(self, message: Message) -> Request | None:
        asked, key = other_side(message.channel), message.id
        if key is None:
            self._match_without_id(message, asked)
            return None
        request = self.open[asked].get(key)
        if request is None:
            self._match_unexpected(message, asked, key)
            return None
        message.request, message.method = request, request.method
        flaws = message.flaws
        if flaws and (Flaw.BAD_VERSION in flaws or Flaw.RESULT_AND_ERROR in flaws):
            if request.state is PENDING:
                request.state = UNREADABLE
                message.lost = True
            request.answer, request.answered_us = message.number, message.t_us
            return None
        self._close(message, request)
        return request

    def _match_without_id(self, message: Message, asked: str) -> None:
        """It is about a line that could not be read, or an answer to a notification."""
        before = self._last[asked]
        message.about = before.number if before is not None else None
        if self._unreadable[asked] is not None:
            message.about = self._unreadable[asked]
            self._unreadable[asked] = None
        else:
            self._match_notification(message, asked)

    def _match_notification(self, message: Message, asked: str) -> None:
        """It may answer a notification: the first recent one behind the latest request that was answered."""
        told = self._notifications[asked]
        behind = [n for n in told if n.number > self._answered[asked]]
        behind = [n for n in behind if message.t_us - n.t_us <= JUST_NOW_US] or behind[-1:]
        if not behind and message.id is None:
            behind = list(told)[-1:]  # what else could it be about?
        text = message.error.get("message") if isinstance(message.error, dict) else None
        named = [n for n in behind if isinstance(text, str) and n.method in text]
        if not behind:
            return
        about = (named or behind)[0]
        waiting = [request for request in self.open[asked].values() if request.state is PENDING]
        if waiting and (len(waiting) > RECENT or len(self.homeless) >= MAX_HOMELESS):
            return
        if waiting and message.id is not None and message.error is None:
            return  # a result with an id of its own was meant for a request
        told.remove(about)
        message.method, message.about = about.method, about.number
        if waiting:
            message.match = Match.PERHAPS_TO_NOTIFICATION
            self.homeless.append(Homeless(message, about, waiting))
        else:
            message.match = Match.TO_NOTIFICATION

    def notification_before(self, message: Message) -> Message | None:
        """The notification in whose answer's place a line stands that is no message; None if there is none.

        It came just before, and no request that came before it waits.
        """
        asked = other_side(message.channel)
        since = self._answered[asked]
        recent = (n for n in self._notifications[asked] if n.number > since)
        told = next((n for n in recent if message.t_us - n.t_us <= JUST_NOW_US), None)
        waiting = [request.number for request in self.open[asked].values() if request.state is PENDING]
        return told if told is not None and all(told.number < number for number in waiting) else None

    def _match_unexpected(self, message: Message, asked: str, key: Id) -> None:
        """No open request has its id."""
        if key in self.used[asked]:
            message.match = Match.DUPLICATE
            message.request = self._recent[asked].get(key)
        else:
            other = other_type(key)
            request = None if other is None else self.open[asked].get(other)
            if request is None:
                if self._forgets(asked):
                    return
                message.match = Match.UNKNOWN
                self._match_notification(message, asked)
                return
            message.match = Match.OTHER_TYPE
            message.request = request
            if request.state is PENDING:
                request.state = UNREADABLE
                message.lost = True
                request.answer, request.answered_us = message.number, message.t_us
        if message.request is not None:
            message.method = message.request.method

    def _forgets(self, channel: str) -> bool:
        """Whether an id that is not known may have been used all the same."""
        return self.unfollowed > 0 or self.used[channel].is_full

    def _close(self, message: Message, request: Request) -> None:
        """The answer is there and can be read: the request is no longer open."""
        asked, error = request.channel, message.error
        del self.open[asked][request.id]
        self._room[asked] += id_size(request.id)
        if request.state is UNREADABLE and request.answer is not None and len(self.repaired) < MAX_REPAIRED:
            self.repaired.add(request.answer)
        request.answer, request.answered_us = message.number, message.t_us
        if request.number > self._answered[asked]:
            self._answered[asked] = request.number
        if error is not None:
            code = error.get("code") if isinstance(error, dict) else None
            request.error_code = code if type(code) is int else None
        if request.state is not CANCELLED:
            request.state = outcome(message)
        if self._answered_last is not None:
            self._answered_last.params = None
        self._answered_last = request
        recent = self._recent[asked]
        recent[request.id] = request
        if len(recent) > RECENT:
            del recent[next(iter(recent))]
