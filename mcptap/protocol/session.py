"""A session as the protocol sees it: one server process, fed item by item, no I/O.

It keeps ids, counters and what the two sides declared, not messages, so that its size does
not follow that of the recording.
"""

from __future__ import annotations

from typing import Any

from mcptap.protocol.answers import Answers
from mcptap.protocol.facts import BUFFERED_US, BURST_US
from mcptap.protocol.flow import Listen, plain_key
from mcptap.protocol.framing import Broken
from mcptap.protocol.message import (
    BAD_VERSION,
    LOG,
    MALFORMED,
    NOTIFICATION,
    REQUEST,
    RESPONSE,
    RESULT_AND_ERROR,
    Id,
    Message,
    classify,
)
from mcptap.protocol.methods import (
    LISTS,
    LISTS_OF_CHANGE,
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_LOG_LEVEL,
    META_SUBSCRIPTION,
    META_VERSION,
)
from mcptap.protocol.pairs import (
    ANSWERED,
    CANCELLED,
    ERROR,
    IS_ERROR,
    PENDING,
    UNREADABLE,
    Pair,
    twin,
)
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS, E
from mcptap.recording.model import Event, Item, Line
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
        """Take a message that was classified already, and fill in its pair and revision."""
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
                pair = self.mark_unreadable(message.channel, message.id, message.number, message.t_us)
                message.lost = pair is not None
        self.last[message.channel] = message
        if message.channel == SERVER_TO_CLIENT and self.process.first_output_us is None:
            self.process.first_output_us = message.line.first_us

    def mark_unreadable(self, channel: str, key: Id, number: int, t_us: int) -> Pair | None:
        """A broken line of this channel shows the id of an open request: that one is answered, unreadably."""
        pair = self.open[other_side(channel)].get(key)
        if pair is not None and pair.state == PENDING:
            pair.state = UNREADABLE
            pair.answer = number
            pair.answered_us = t_us
            return pair
        return None

    def absorb(self, message: Message) -> None:
        """Take a message that only stands inside a broken line: its facts count, its form does not."""
        if message.kind is RESPONSE and message.id is not None:
            pair = self.open[other_side(message.channel)].get(message.id)
            if pair is None or pair.state not in (PENDING, UNREADABLE):
                return
            message.pair, message.method, message.revision = pair, pair.method, pair.revision
            self._facts(message, pair)
            pair.state = UNREADABLE
            pair.answer, pair.answered_us = message.number, message.t_us
            message.revision = pair.revision
        elif (
            message.kind is REQUEST
            and message.id is not None
            and message.id not in self.used[message.channel]
        ):
            self._request(message)
            if message.pair is not None:
                message.pair.state = UNREADABLE
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
        pair = Pair(channel, key, method, number, message.t_us)
        pair.size = len(message.line.data)
        if channel == CLIENT_TO_SERVER and (self._owed_us or self.open[SERVER_TO_CLIENT]):
            pair.owed_us = self.owed_us(message.t_us)
        message.pair = pair
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
            if pair.size <= KEEP_PARAMS_BYTES and len(waiting) < _MANY_OPEN:
                pair.params = params
            if method == "tools/call":
                name = params.get("name")
                if type(name) is str:
                    pair.tool = name
                    tool = self.listings.tools.get(name)
                    if tool is not None:
                        tool.calls += 1
        waiting[key] = pair
        if channel == CLIENT_TO_SERVER:
            self.requests += 1
            if self.first_request is None:
                self.first_request = pair
            if method != "server/discover":
                self.only_discover = False
                if method != "ping":
                    if self.first_plain is None:
                        self.first_plain = pair
                    if method != "initialize":
                        self.plain_requests += 1
                        if self.initialized is None and self.went_on is None and self.handshake:
                            self.went_on = pair
            self.counts[method] = self.counts.get(method, 0) + 1 if len(self.counts) < 1000 else 1
        elif self._too_early(method):
            self.early_requests.append(pair)
        if type(meta) is dict:
            self._meta_of_request(message, pair, meta)
        if method == "initialize" and channel == CLIENT_TO_SERVER:
            self._initialize(message, pair)
        elif pair.era_meta or method == "server/discover" or method == "subscriptions/listen":
            pair.revision = E
            if channel == CLIENT_TO_SERVER:
                pair.lacks = _lacking(meta)
                self._stateless_request(message, pair)
        elif self.initialize is None and self.modern:
            pair.revision = E
            pair.lacks = META_VERSION
        else:
            pair.revision = self.revision
        message.revision = pair.revision
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
                if message.pair is not None:
                    message.pair.bad_cursor = True

    def _meta_of_request(self, message: Message, pair: Pair, meta: dict[str, Any]) -> None:
        token = plain_key(meta.get("progressToken"))
        if token is not None:
            pair.token = token
            self.token_clash = self.flow.tokens[pair.channel].give(token, pair)
        if isinstance(meta.get(META_VERSION), str) and pair.method != "initialize":
            pair.era_meta = True
            pair.version = meta[META_VERSION]
            if META_LOG_LEVEL in meta and message.channel == CLIENT_TO_SERVER:
                self.flow.log_requests.add(pair.id)
        client = meta.get(META_CLIENT_INFO)
        if isinstance(client, dict) and not self.client_info:
            self.client_info = client

    def _initialize(self, message: Message, pair: Pair) -> None:
        self.initialize_count += 1
        params = message.params or {}
        version = params.get("protocolVersion")
        self.requested = version if isinstance(version, str) else ""
        if not self.handshake:
            self.initialize = pair
            self.revision = self.requested if self.requested in HANDSHAKE_REVISIONS else ""
            capabilities = params.get("capabilities")
            self.client_capabilities = capabilities if isinstance(capabilities, dict) else {}
            info = params.get("clientInfo")
            self.client_info = info if isinstance(info, dict) else {}
        pair.revision = self.requested if self.requested in HANDSHAKE_REVISIONS else ""

    def _stateless_request(self, message: Message, pair: Pair) -> None:
        params = message.params
        self.retry = None
        if params is not None and ("inputResponses" in params or "requestState" in params):
            self._find_wait(pair, params)
        if pair.method == "server/discover":
            self.discover = self.discover or pair
        elif pair.method == "subscriptions/listen" and len(self.flow.listens) < 10_000:
            wanted = (message.params or {}).get("notifications")
            self.flow.listens[pair.id] = Listen(pair, wanted if isinstance(wanted, dict) else {})

    def _find_wait(self, pair: Pair, params: dict[str, Any]) -> None:
        """Which wait for input a retry comes back to: that of its state, else the oldest of its method."""
        waits = [w for w in self.flow.waits if w.method == pair.method and not w.retried]
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
        pair = self.open[asked].get(key)
        if pair is None:
            self._stray_response(message, asked, key)
            return
        message.pair = pair
        message.method = pair.method
        message.revision = pair.revision
        flaws = message.flaws
        if flaws and (BAD_VERSION in flaws or RESULT_AND_ERROR in flaws):
            if pair.state == PENDING:
                pair.state = UNREADABLE
                message.lost = True
            pair.answer, pair.answered_us = message.number, message.t_us
            self._facts(message, pair)
            return
        self._close(message, pair)
        self._facts(message, pair)
        message.revision = pair.revision

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
            message.pair = self._recent[asked].get(key)
        else:
            other = twin(key)
            pair = None if other is None else self.open[asked].get(other)
            if pair is None:
                message.match = UNKNOWN
                before = self.last[asked]
                if before is not None and before.kind is NOTIFICATION and not self.open[asked]:
                    message.match = TO_NOTIFICATION
                    message.method, message.about = before.method, before.number
                return
            message.match = OTHER_TYPE
            message.pair = pair
            if pair.state == PENDING:
                pair.state = UNREADABLE
                message.lost = True
                pair.answer, pair.answered_us = message.number, message.t_us
        if message.pair is not None:
            message.method = message.pair.method
            message.revision = message.pair.revision

    def _close(self, message: Message, pair: Pair) -> None:
        """The answer is there and can be read: the request is no longer open."""
        asked = pair.channel
        del self.open[asked][pair.id]
        pair.answer, pair.answered_us = message.number, message.t_us
        error, result = message.error, message.result
        if error is not None:
            code = error.get("code") if isinstance(error, dict) else None
            pair.error_code = code if type(code) is int else None
        if pair.state != CANCELLED:
            if error is not None:
                pair.state = ERROR
            elif type(result) is dict and result.get("isError") is True:
                pair.state = IS_ERROR
            else:
                pair.state = ANSWERED
        if pair.answered_us - pair.t_us > BUFFERED_US and asked == CLIENT_TO_SERVER and error is None:
            self.slow_answers.append((pair, self._before_burst))
        if asked == SERVER_TO_CLIENT:
            self.note_settled(pair)
        elif pair.state in (ERROR, IS_ERROR):
            self.failures += 1
        if type(result) is dict and ("task" in result or pair.method.startswith("tasks/")):
            self._task_result(message, pair, result)
        if pair.token is not None:
            self.flow.tokens[asked].close(pair, self.now_us)
        if pair.era_meta:
            if pair.id in self.flow.log_requests:
                self.flow.log_requests.discard(pair.id)
                self.flow.log_request_ended_us = message.t_us
            listen = self.flow.listens.get(pair.id)
            if listen is not None:
                listen.closed_us = message.t_us
        if self._closed_last is not None:
            self._closed_last.params = None
        self._closed_last = pair
        recent = self._recent[asked]
        recent[pair.id] = pair
        if len(recent) > _RECENT:
            del recent[next(iter(recent))]

    def recent(self, channel: str, key: Id) -> Pair | None:
        """A request of this channel that was answered lately."""
        return self._recent[channel].get(key)

    # --- notifications -----------------------------------------------------------------------

    def _notification(self, message: Message) -> None:
        channel, method = message.channel, message.method
        message.revision = self.current_revision
        params = message.params
        if method == "notifications/progress":
            if params is not None:
                token = plain_key(params.get("progressToken"))
                if token is not None:
                    progress = self.flow.tokens[other_side(channel)].find(token)
                    if progress is not None:
                        progress.advance(params.get("progress"))
                        progress.pair.note_progress(message.t_us)
                        message.pair = progress.pair
                        message.revision = progress.pair.revision
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
        key = plain_key(message.meta.get(META_SUBSCRIPTION))
        listen = None if key is None else self.flow.listens.get(key)
        if listen is None or listen.acknowledged is not None:
            return
        if message.method == "notifications/subscriptions/acknowledged":
            listen.acknowledged = message.number
        elif listen.spoke_first is None:
            listen.spoke_first = message.number

    def _cancelled(self, message: Message, params: dict[str, Any] | None) -> None:
        key = plain_key(params.get("requestId")) if params is not None else None
        if key is None:
            return
        message.id = key
        pair = self.open[message.channel].get(key)
        if pair is None:
            message.match = CLOSED if key in self.used[message.channel] else UNKNOWN
            message.pair = self._recent[message.channel].get(key)
        else:
            message.pair = pair
            if pair.state == PENDING:
                pair.state = CANCELLED
                pair.cancel, pair.cancelled_us = message.number, message.t_us
                reason = (params or {}).get("reason")
                pair.cancel_reason = reason[:500] if isinstance(reason, str) else ""
            listen = self.flow.listens.get(key)
            if listen is not None:
                listen.closed_us = message.t_us
        if message.pair is not None and message.pair.revision:
            message.revision = message.pair.revision

    def note_unfinished(self, message: Message) -> None:
        """A line of a channel never ended; it answers a request, unreadably, if it shows its id."""
        self.last_number = message.number
        self.now_us = max(self.now_us, message.t_us)
        self.unfinished.append(message)
        for key in Broken(message.line.data).ids():
            pair = self.mark_unreadable(message.channel, key, message.number, message.t_us)
            message.lost = message.lost or pair is not None

    def close(self) -> None:
        """Nothing more will come."""
        self.ended = True
