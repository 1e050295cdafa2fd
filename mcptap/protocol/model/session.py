"""A session as the protocol sees it: one server process, fed item by item, no I/O.

It keeps ids, counters and what the two sides declared, not messages, so that its size does
not follow that of the recording.
"""

from __future__ import annotations

from typing import Any

from mcptap.protocol.model.answers import Answers
from mcptap.protocol.model.broken import Broken
from mcptap.protocol.model.facts import BUFFERED_US, BURST_US
from mcptap.protocol.model.flow import Listen
from mcptap.protocol.model.ids import Id, as_id, other_type
from mcptap.protocol.model.message import (
    LOG,
    MALFORMED,
    NOTIFICATION,
    REQUEST,
    RESPONSE,
    Flaw,
    Message,
    classify,
)
from mcptap.protocol.model.request import (
    ANSWERED,
    CANCELLED,
    ERROR,
    IS_ERROR,
    PENDING,
    UNREADABLE,
    Request,
)
from mcptap.protocol.revisions.methods import (
    LISTS,
    LISTS_OF_CHANGE,
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_LOG_LEVEL,
    META_SUBSCRIPTION,
    META_VERSION,
)
from mcptap.protocol.revisions.revisions import HANDSHAKE_REVISIONS, E
from mcptap.recording.format.model import Event, Item, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

KEEP_PARAMS_BYTES = 1 << 16
"""The params of a request are kept until its answer if its line is no longer than this."""
_MANY_OPEN = 1000
_RECENT = 256

# How a message fits the ones before it (`Message.match`).
DUPLICATE = "duplicate"
"""A response for an id that was answered already."""
OTHER_TYPE = "other type"
"""A response whose id differs from an open one only in its JSON type."""
UNKNOWN = "unknown"
"""A response or cancellation for an id that was never used."""
REUSED = "reused"
"""A request with an id that this sender used before."""
REUSED_OPEN = "reused open"
"""The same, while the earlier request still waits."""
BAD_CURSOR = "bad cursor"
"""A request with a cursor that no page gave."""
TO_NOTIFICATION = "to notification"
"""A response that can only be meant for a notification."""
CLOSED = "closed"
"""A cancellation of a request that was answered already."""


def other_side(channel: str) -> str:
    """The channel of the answers to the requests of this one."""
    return SERVER_TO_CLIENT if channel == CLIENT_TO_SERVER else CLIENT_TO_SERVER


def _lacking(meta: object) -> str:
    """The first key of the envelope of 2026-07-28 that a request lacks, or an empty string."""
    if not isinstance(meta, dict) or not isinstance(meta.get(META_VERSION), str):
        return META_VERSION
    return "" if isinstance(meta.get(META_CLIENT_CAPABILITIES), dict) else META_CLIENT_CAPABILITIES


class Session(Answers):
    """A session that is fed item by item."""

    # --- eating ------------------------------------------------------------------------------

    def feed(self, item: Item) -> Message | None:
        """Take one item; returns the message if it is a line."""
        if type(item) is Line:
            self.last_number = item.number
            if item.t_us > self.now_us:
                self.now_us = item.t_us
            message = classify(item)
            self.take(message)
            return message
        self.last_number = item.number
        if isinstance(item, Event):
            self.now_us = max(self.now_us, item.t_us)
            self.process.take_event(item)
        return None

    def take(self, message: Message) -> None:
        """Take a message that was classified already, and fill in its request and revision."""
        kind = message.kind
        if kind is LOG:
            self.process.take_stderr(message.line)
            return
        self.messages += 1
        if message.channel == SERVER_TO_CLIENT and message.t_us - self._burst_us >= BURST_US:
            before = self.last[SERVER_TO_CLIENT]
            self._before_burst = before.number if before is not None else None
            self._burst_us = message.t_us
        if message.channel not in self.first_line:
            self.first_line[message.channel] = message.number
        if kind is RESPONSE:
            self._response(message)
        elif kind is REQUEST:
            self._request(message)
        elif kind is NOTIFICATION:
            self._notification(message)
        else:
            message.revision = self.revision
            self._doubtful[message.channel] = message.number
            if kind is MALFORMED and message.id is not None:
                request = self.mark_unreadable(message.channel, message.id, message.number, message.t_us)
                message.lost = request is not None
        self.last[message.channel] = message
        if message.channel == SERVER_TO_CLIENT and self.process.first_output_us is None:
            self.process.first_output_us = message.line.first_us

    def mark_unreadable(self, channel: str, key: Id, number: int, t_us: int) -> Request | None:
        """A broken line of this channel shows the id of an open request: that one is answered, unreadably."""
        request = self.open[other_side(channel)].get(key)
        if request is not None and request.state == PENDING:
            request.state = UNREADABLE
            request.answer = number
            request.answered_us = t_us
            return request
        return None

    def absorb(self, message: Message) -> None:
        """Take a message that only stands inside a broken line: its facts count, its form does not."""
        if message.kind is RESPONSE and message.id is not None:
            request = self.open[other_side(message.channel)].get(message.id)
            if request is None or request.state not in (PENDING, UNREADABLE):
                return
            message.request, message.method, message.revision = request, request.method, request.revision
            self._facts(message, request)
            request.state = UNREADABLE
            request.answer, request.answered_us = message.number, message.t_us
            message.revision = request.revision
        elif (
            message.kind is REQUEST
            and message.id is not None
            and message.id not in self.used[message.channel]
        ):
            self._request(message)
            if message.request is not None:
                message.request.state = UNREADABLE
        elif message.kind is NOTIFICATION:
            self._notification(message)

    # --- requests ----------------------------------------------------------------------------

    def _request(self, message: Message) -> None:
        channel, method, number = message.channel, message.method, message.number
        self.earlier = self.token_clash = None
        key = message.id
        if key is None:  # "id": null belongs to nothing
            message.revision = self.revision
            self._doubtful[channel] = number
            return
        request = Request(channel, key, method, number, message.t_us)
        request.size = len(message.line.data)
        if channel == CLIENT_TO_SERVER and (self._owed_us or self.open[SERVER_TO_CLIENT]):
            request.owed_us = self.owed_us(message.t_us)
        message.request = request
        waiting, used = self.open[channel], self.used[channel]
        if key in used:
            self.earlier = waiting.get(key)
            still_open = self.earlier is not None and self.earlier.state == PENDING
            message.match = REUSED_OPEN if still_open else REUSED
        else:
            used.add(key)
        params = message.params
        meta: Any = None
        if params is not None:
            meta = params.get("_meta")
            if request.size <= KEEP_PARAMS_BYTES and len(waiting) < _MANY_OPEN:
                request.params = params
            if method == "tools/call":
                name = params.get("name")
                if type(name) is str:
                    request.tool = name
                    tool = self.listings.tools.get(name)
                    if tool is not None:
                        tool.calls += 1
        waiting[key] = request
        if channel == CLIENT_TO_SERVER:
            self.requests += 1
            if self.first_request is None:
                self.first_request = request
            if method != "server/discover":
                self.only_discover = False
                if method != "ping":
                    if self.first_plain is None:
                        self.first_plain = request
                    if method != "initialize":
                        self.plain_requests += 1
                        if self.initialized is None and self.went_on is None and self.handshake:
                            self.went_on = request
            self.counts[method] = self.counts.get(method, 0) + 1 if len(self.counts) < 1000 else 1
        elif self._too_early(method):
            self.early_requests.append(request)
        if type(meta) is dict:
            self._meta_of_request(message, request, meta)
        if method == "initialize" and channel == CLIENT_TO_SERVER:
            self._initialize(message, request)
        elif request.era_meta or method == "server/discover" or method == "subscriptions/listen":
            request.revision = E
            if channel == CLIENT_TO_SERVER:
                request.lacks = _lacking(meta)
                self._stateless_request(message, request)
        elif self.initialize is None and self.modern:
            request.revision = E
            request.lacks = META_VERSION
        else:
            request.revision = self.revision
        message.revision = request.revision
        if method in LISTS and channel == CLIENT_TO_SERVER:
            self._list_request(method, params, message)
        elif method == "resources/subscribe":
            uri = (params or {}).get("uri")
            if isinstance(uri, str) and len(self.flow.subscribed) < 100_000:
                self.flow.subscribed[uri] = None

    def _too_early(self, method: str) -> bool:
        """Whether a request of the server comes before the client is ready (the first few only)."""
        ready = self.initialized is not None or self.initialize is None
        return not ready and method != "ping" and len(self.early_requests) < 20

    def _list_request(self, method: str, params: dict[str, Any] | None, message: Message) -> None:
        listing = self.listings.of[method]
        listing.asked += 1
        cursor = params.get("cursor") if params is not None else None
        if isinstance(cursor, str):
            listing.followed = cursor
            if not listing.knows(cursor):
                message.match = message.match or BAD_CURSOR
                if message.request is not None:
                    message.request.bad_cursor = True

    def _meta_of_request(self, message: Message, request: Request, meta: dict[str, Any]) -> None:
        token = as_id(meta.get("progressToken"))
        if token is not None:
            request.token = token
            self.token_clash = self.flow.tokens[request.channel].give(token, request)
        if isinstance(meta.get(META_VERSION), str) and request.method != "initialize":
            request.era_meta = True
            request.version = meta[META_VERSION]
            if META_LOG_LEVEL in meta and message.channel == CLIENT_TO_SERVER:
                self.flow.log_requests.add(request.id)
        client = meta.get(META_CLIENT_INFO)
        if isinstance(client, dict) and not self.client_info:
            self.client_info = client

    def _initialize(self, message: Message, request: Request) -> None:
        self.initialize_count += 1
        params = message.params or {}
        version = params.get("protocolVersion")
        self.requested = version if isinstance(version, str) else ""
        if not self.handshake:
            self.initialize = request
            self.revision = self.requested if self.requested in HANDSHAKE_REVISIONS else ""
            capabilities = params.get("capabilities")
            self.client_capabilities = capabilities if isinstance(capabilities, dict) else {}
            info = params.get("clientInfo")
            self.client_info = info if isinstance(info, dict) else {}
        request.revision = self.requested if self.requested in HANDSHAKE_REVISIONS else ""

    def _stateless_request(self, message: Message, request: Request) -> None:
        params = message.params
        self.retry = None
        if params is not None and ("inputResponses" in params or "requestState" in params):
            self._find_wait(request, params)
        if request.method == "server/discover":
            self.discover = self.discover or request
        elif request.method == "subscriptions/listen" and len(self.flow.listens) < 10_000:
            wanted = (message.params or {}).get("notifications")
            self.flow.listens[request.id] = Listen(request, wanted if isinstance(wanted, dict) else {})

    def _find_wait(self, request: Request, params: dict[str, Any]) -> None:
        """Which wait for input a retry comes back to: that of its state, else the oldest of its method."""
        waits = [w for w in self.flow.waits if w.method == request.method and not w.retried]
        state = params.get("requestState")
        for wait in [w for w in waits if w.state == state] or waits:
            wait.retried = True
            self.retry = wait
            return

    # --- responses ---------------------------------------------------------------------------

    def _response(self, message: Message) -> None:
        channel, key = message.channel, message.id
        asked = other_side(channel)
        message.revision = self.revision
        if key is None:
            self._anonymous_response(message, asked)
            return
        request = self.open[asked].get(key)
        if request is None:
            self._stray_response(message, asked, key)
            return
        message.request = request
        message.method = request.method
        message.revision = request.revision
        flaws = message.flaws
        if flaws and (Flaw.BAD_VERSION in flaws or Flaw.RESULT_AND_ERROR in flaws):
            if request.state == PENDING:
                request.state = UNREADABLE
                message.lost = True
            request.answer, request.answered_us = message.number, message.t_us
            self._facts(message, request)
            return
        self._close(message, request)
        self._facts(message, request)
        message.revision = request.revision

    def _anonymous_response(self, message: Message, asked: str) -> None:
        """A response without an id: about a line that could not be read, or to a notification."""
        before = self.last[asked]
        message.about = before.number if before is not None else None
        if self._doubtful[asked] is not None:
            message.about = self._doubtful[asked]
            self._doubtful[asked] = None
        elif before is not None and before.kind is NOTIFICATION:
            message.match = TO_NOTIFICATION
            message.method = before.method

    def _stray_response(self, message: Message, asked: str, key: Id) -> None:
        if key in self.used[asked]:
            message.match = DUPLICATE
            message.request = self._recent[asked].get(key)
        else:
            other = other_type(key)
            request = None if other is None else self.open[asked].get(other)
            if request is None:
                message.match = UNKNOWN
                before = self.last[asked]
                if before is not None and before.kind is NOTIFICATION and not self.open[asked]:
                    message.match = TO_NOTIFICATION
                    message.method, message.about = before.method, before.number
                return
            message.match = OTHER_TYPE
            message.request = request
            if request.state == PENDING:
                request.state = UNREADABLE
                message.lost = True
                request.answer, request.answered_us = message.number, message.t_us
        if message.request is not None:
            message.method = message.request.method
            message.revision = message.request.revision

    def _close(self, message: Message, request: Request) -> None:
        """The answer is there and can be read: the request is no longer open."""
        asked = request.channel
        del self.open[asked][request.id]
        request.answer, request.answered_us = message.number, message.t_us
        error, result = message.error, message.result
        if error is not None:
            code = error.get("code") if isinstance(error, dict) else None
            request.error_code = code if type(code) is int else None
        if request.state != CANCELLED:
            if error is not None:
                request.state = ERROR
            elif type(result) is dict and result.get("isError") is True:
                request.state = IS_ERROR
            else:
                request.state = ANSWERED
        if request.answered_us - request.t_us > BUFFERED_US and asked == CLIENT_TO_SERVER and error is None:
            self.slow_answers.append((request, self._before_burst))
        if asked == SERVER_TO_CLIENT:
            self.note_settled(request)
        elif request.state in (ERROR, IS_ERROR):
            self.failures += 1
        if type(result) is dict and ("task" in result or request.method.startswith("tasks/")):
            self._task_result(message, request, result)
        if request.token is not None:
            self.flow.tokens[asked].close(request, self.now_us)
        if request.era_meta:
            if request.id in self.flow.log_requests:
                self.flow.log_requests.discard(request.id)
                self.flow.log_request_ended_us = message.t_us
            listen = self.flow.listens.get(request.id)
            if listen is not None:
                listen.closed_us = message.t_us
        if self._closed_last is not None:
            self._closed_last.params = None
        self._closed_last = request
        recent = self._recent[asked]
        recent[request.id] = request
        if len(recent) > _RECENT:
            del recent[next(iter(recent))]

    def recent(self, channel: str, key: Id) -> Request | None:
        """A request of this channel that was answered lately."""
        return self._recent[channel].get(key)

    # --- notifications -----------------------------------------------------------------------

    def _notification(self, message: Message) -> None:
        channel, method = message.channel, message.method
        message.revision = self.current_revision
        params = message.params
        if method == "notifications/progress":
            if params is not None:
                token = as_id(params.get("progressToken"))
                if token is not None:
                    progress = self.flow.tokens[other_side(channel)].find(token)
                    if progress is not None:
                        progress.advance(params.get("progress"))
                        progress.request.note_progress(message.t_us)
                        message.request = progress.request
                        message.revision = progress.request.revision
        elif method == "notifications/cancelled":
            self._cancelled(message, params)
        elif method == "notifications/tasks/status":
            self._task_status(message, params or {})
        elif self.flow.listens and channel == SERVER_TO_CLIENT:
            self._subscription(message)
        elif method == "notifications/initialized" and channel == CLIENT_TO_SERVER:
            self.initialized = self.initialized or message
        if channel == SERVER_TO_CLIENT:
            for name in LISTS_OF_CHANGE.get(method, ()):
                self.listings.of[name].note_change()

    def _subscription(self, message: Message) -> None:
        """A notification that may belong to a subscription: the first one has to acknowledge it."""
        key = as_id(message.meta.get(META_SUBSCRIPTION))
        listen = None if key is None else self.flow.listens.get(key)
        if listen is None or listen.acknowledged is not None:
            return
        if message.method == "notifications/subscriptions/acknowledged":
            listen.acknowledged = message.number
        elif listen.spoke_first is None:
            listen.spoke_first = message.number

    def _cancelled(self, message: Message, params: dict[str, Any] | None) -> None:
        key = as_id(params.get("requestId")) if params is not None else None
        if key is None:
            return
        message.id = key
        request = self.open[message.channel].get(key)
        if request is None:
            message.match = CLOSED if key in self.used[message.channel] else UNKNOWN
            message.request = self._recent[message.channel].get(key)
        else:
            message.request = request
            if request.state == PENDING:
                request.state = CANCELLED
                request.cancel, request.cancelled_us = message.number, message.t_us
                reason = (params or {}).get("reason")
                request.cancel_reason = reason[:500] if isinstance(reason, str) else ""
            listen = self.flow.listens.get(key)
            if listen is not None:
                listen.closed_us = message.t_us
        if message.request is not None and message.request.revision:
            message.revision = message.request.revision

    def note_unfinished(self, message: Message) -> None:
        """A line of a channel never ended; it answers a request, unreadably, if it shows its id."""
        self.last_number = message.number
        self.now_us = max(self.now_us, message.t_us)
        self.unfinished.append(message)
        for key in Broken(message.line.data).ids():
            request = self.mark_unreadable(message.channel, key, message.number, message.t_us)
            message.lost = message.lost or request is not None

    def close(self) -> None:
        """Nothing more will come."""
        self.ended = True
