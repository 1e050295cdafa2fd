"""A session as the protocol sees it: one server process, fed item by item, no I/O.

It keeps ids, counters and what the two sides declared, not messages, so that its size does
not follow that of the recording.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from mcptap.protocol.flow import RACE_US, Flow, InputWait, Listen, TaskStep, plain_key
from mcptap.protocol.framing import Broken
from mcptap.protocol.listings import Listings
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
    INPUT_REQUIRED,
    KNOWN,
    LISTS,
    LISTS_OF_CHANGE,
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_LOG_LEVEL,
    META_SERVER_INFO,
    META_SUBSCRIPTION,
    META_VERSION,
    UNSUPPORTED_VERSION,
)
from mcptap.protocol.pairs import (
    ANSWERED,
    CANCELLED,
    ERROR,
    IS_ERROR,
    PENDING,
    UNREADABLE,
    IdSet,
    Pair,
    twin,
)
from mcptap.protocol.process import Process
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS, E, looks_stateless
from mcptap.recording.model import Event, Header, Item, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

KEEP_PARAMS_BYTES = 1 << 16
"""The params of a request are kept until its answer if its line is no longer than this."""
BUFFERED_US = 5_000_000
"""A request that waits longer than this, and is answered the moment its session ends, was buffered."""
BURST_US = 200_000
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


def declares(capabilities: dict[str, Any] | None, path: str) -> bool:
    """Whether a capability is declared: its key is there, and it is not false.

    `{}` declares; `listChanged: false` is as good as absent; so is null.
    """
    at: Any = capabilities
    if type(at) is dict and path in at:
        at = at[path]
        return at is not False and at is not None
    for key in path.split("."):
        if not isinstance(at, dict) or key not in at:
            return False
        at = at[key]
    return at is not False and at is not None


def _lacking(meta: object) -> str:
    """The first key of the envelope of 2026-07-28 that a request lacks, or an empty string."""
    if not isinstance(meta, dict) or not isinstance(meta.get(META_VERSION), str):
        return META_VERSION
    return "" if isinstance(meta.get(META_CLIENT_CAPABILITIES), dict) else META_CLIENT_CAPABILITIES


class Session:
    """The state of one session.

    `timed` is false if the items carry no times: then their order alone decides. `partial`
    is true if the beginning is missing, so that nothing may be concluded from what is absent.
    """

    def __init__(self, header: Header | None = None, *, timed: bool = True, partial: bool = False) -> None:
        self.header = header
        self.timed = timed
        self.partial = partial
        self.process = Process(header)
        self.now_us = 0
        self.last_number = 1
        self.ended = False
        self.state = ""
        """What became of the session, once that is known: `live`, `finished`, `crashed`, `unknown`."""
        self.sibling: bool | None = None
        """Whether another start of the same server followed at once (None: unknown)."""
        self.unfinished: list[Message] = []
        """Lines that never ended."""
        self.messages = 0
        self.first_line: dict[str, int] = {}
        """Record number of the first line of each channel of messages."""
        self.slow_answers: deque[Pair] = deque(maxlen=100)
        """Requests that were answered after more than five seconds."""
        self.open: dict[str, dict[Id, Pair]] = {CLIENT_TO_SERVER: {}, SERVER_TO_CLIENT: {}}
        """Requests without a readable answer, by the channel of the request and id."""
        self.used = {CLIENT_TO_SERVER: IdSet(), SERVER_TO_CLIENT: IdSet()}
        """Every id that was used."""
        self._recent: dict[str, dict[Id, Pair]] = {CLIENT_TO_SERVER: {}, SERVER_TO_CLIENT: {}}
        self._closed_last: Pair | None = None
        self.listings = Listings()
        self.flow = Flow()

        self.revision = ""
        """The revision of the handshake, agreed or (before its answer) asked for; empty if unknown."""
        self.requested = ""
        self.answered: object = None
        """The `protocolVersion` of the initialize result, as written."""
        self.initialize: Pair | None = None
        self.initialize_count = 0
        self.handshake = False
        """Whether `initialize` got a result."""
        self.initialized: Message | None = None
        self.modern = False
        """Whether the server proved that it speaks 2026-07-28: it gave a result to such a request."""
        self.discover: Pair | None = None
        self.discovered: dict[str, Any] | None = None
        self.supported: tuple[str, ...] | None = None
        """Versions that the server says it supports, by discovery or in refusing another one."""
        self.enveloped_results = 0
        """Results, with a `resultType`, to requests of 2026-07-28 other than the probe."""
        self.first_request: Pair | None = None
        self.first_plain: Pair | None = None
        """The first request of the client that is neither a ping nor a probe."""
        self.requests = 0
        """Requests of the client."""
        self.served: set[str] = set()
        """Methods that the server answered with a result."""
        self.plain_requests = 0
        """Requests of the client behind initialize, other than pings and probes."""
        self.early_requests: list[Pair] = []
        """Requests of the server, other than pings, before `notifications/initialized` (the first ones)."""
        self.went_on: Pair | None = None
        """The first request after initialize was answered and before `notifications/initialized`."""
        self.first_answer: int | None = None
        """Record of the first line from the server that was a readable answer."""
        self.only_discover = True
        """Whether no request but `server/discover` came from the client."""
        self.server_capabilities: dict[str, Any] | None = None
        self.client_capabilities: dict[str, Any] | None = None
        self.client_info: dict[str, Any] = {}
        self.server_info: dict[str, Any] = {}
        self.counts: dict[str, int] = {}
        """Requests from the client by method (of methods that MCP knows)."""
        self.last: dict[str, Message | None] = {CLIENT_TO_SERVER: None, SERVER_TO_CLIENT: None}
        """The last line of each channel."""
        self._doubtful: dict[str, int | None] = {CLIENT_TO_SERVER: None, SERVER_TO_CLIENT: None}
        """The last line of each channel that its receiver could not read, until an error spoke of it."""

        # About the message that was fed last.
        self.task_step: TaskStep | None = None
        """The last change of a task's status."""
        self.retry: InputWait | None = None
        """The wait for input that this request comes back to."""
        self.earlier: Pair | None = None
        """The open request whose id it uses again."""
        self.token_clash: Pair | None = None
        """The open request whose progress token it uses again."""

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
                self.mark_unreadable(message.channel, message.id, message.number, message.t_us)
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
        if pair.answered_us - pair.t_us > BUFFERED_US and asked == CLIENT_TO_SERVER:
            self.slow_answers.append(pair)
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

    def _task_result(self, message: Message, pair: Pair, result: dict[str, Any]) -> None:
        created = result.get("task")
        if isinstance(created, dict):
            if pair.token is not None:
                self.flow.tokens[pair.channel].keep(pair.token)
            self._task_status(message, created, created=True)
        elif pair.method in ("tasks/get", "tasks/cancel"):
            self._task_status(message, result)

    def _task_status(self, message: Message, task: dict[str, Any], *, created: bool = False) -> None:
        key, status = task.get("taskId"), task.get("status")
        if not isinstance(key, str) or not isinstance(status, str):
            return
        before = self.flow.tasks.get(key)
        if before is not None or len(self.flow.tasks) < 100_000:
            self.flow.tasks[key] = status
        self.task_step = TaskStep(message.number, key, before, status, created)

    def recent(self, channel: str, key: Id) -> Pair | None:
        """A request of this channel that was answered lately."""
        return self._recent[channel].get(key)

    # --- what answers tell -------------------------------------------------------------------

    def _facts(self, message: Message, pair: Pair) -> None:
        result = message.result
        if pair.channel != CLIENT_TO_SERVER:
            return
        if self.first_answer is None:
            self.first_answer = message.number
        if type(result) is not dict:
            if pair is self.discover and isinstance(message.error, dict):
                self._refused(message.error)
            return
        method = pair.method
        if method in KNOWN:
            self.served.add(method)
        if method == "initialize":
            self._initialize_result(pair, result)
            return
        if pair.era_meta or method == "server/discover":
            self._stateless_result(pair, result, message.number)
        if method in LISTS:
            cursor = pair.params.get("cursor") if pair.params is not None else None
            self.listings.take(method, cursor if isinstance(cursor, str) else None, result, message.number)
            walk = self.listings.of[method].walk
            if walk is not None:
                walk.page_us, walk.page_requests = message.t_us, self.requests
        elif method == "logging/setLevel":
            level = (pair.params or {}).get("level")
            self.flow.log_level = level if isinstance(level, str) else None
            self.flow.log_level_us = message.t_us
        elif method == "resources/unsubscribe":
            uri = (pair.params or {}).get("uri")
            if isinstance(uri, str) and uri in self.flow.subscribed:
                self.flow.subscribed[uri] = message.t_us

    def _refused(self, error: dict[str, Any]) -> None:
        """The probe was refused, perhaps with the versions that the server speaks."""
        data = error.get("data")
        versions = data.get("supported") if isinstance(data, dict) else None
        if error.get("code") == UNSUPPORTED_VERSION and isinstance(versions, list):
            self.supported = tuple(v for v in versions if isinstance(v, str))

    def _initialize_result(self, pair: Pair, result: dict[str, Any]) -> None:
        if self.handshake and pair is not self.initialize:
            return
        self.handshake = True
        self.answered = result.get("protocolVersion")
        if self.answered in HANDSHAKE_REVISIONS:
            self.revision = str(self.answered)
        elif not looks_stateless(self.answered):
            self.revision = ""
        pair.revision = self.revision
        capabilities = result.get("capabilities")
        self.server_capabilities = capabilities if isinstance(capabilities, dict) else None
        info = result.get("serverInfo")
        self.server_info = info if isinstance(info, dict) else {}

    def _stateless_result(self, pair: Pair, result: dict[str, Any], number: int) -> None:
        self.modern = True
        if not self.server_info:
            meta = result.get("_meta")
            info = meta.get(META_SERVER_INFO) if isinstance(meta, dict) else None
            self.server_info = info if isinstance(info, dict) else {}
        if pair.method != "server/discover" and isinstance(result.get("resultType"), str):
            self.enveloped_results += 1
        if pair.method == "server/discover":
            self.discovered = result
            versions = result.get("supportedVersions")
            if isinstance(versions, list):
                self.supported = tuple(v for v in versions if isinstance(v, str))
            capabilities = result.get("capabilities")
            if isinstance(capabilities, dict) and not self.handshake:
                self.server_capabilities = capabilities
        if result.get("resultType") == INPUT_REQUIRED:
            wanted = result.get("inputRequests")
            asks = wanted.values() if isinstance(wanted, dict) else ()
            kinds = tuple(str(ask.get("method")) for ask in asks if isinstance(ask, dict))
            self.flow.waits.append(InputWait(pair, number, result.get("requestState"), kinds))

    # --- notifications -----------------------------------------------------------------------

    def _notification(self, message: Message) -> None:
        channel, method = message.channel, message.method
        message.revision = self.revision
        if self.initialize is None and (self.modern or self.discover is not None):
            message.revision = E
        params = message.params
        if method == "notifications/progress":
            if params is not None:
                token = plain_key(params.get("progressToken"))
                if token is not None:
                    progress = self.flow.tokens[other_side(channel)].find(token)
                    if progress is not None:
                        progress.advance(params.get("progress"))
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

    # --- questions ---------------------------------------------------------------------------

    @property
    def purely_modern(self) -> bool:
        """Whether this session is one of 2026-07-28 and nothing else."""
        return self.modern and self.initialize is None

    def raced(self, since_us: int, now_us: int) -> bool:
        """Whether two moments lie so close that the messages may have crossed on their way."""
        return self.timed and now_us - since_us <= RACE_US

    def client_capabilities_for(self, pair: Pair) -> dict[str, Any] | None:
        """What the client declared for this request: in its `_meta`, or in `initialize`."""
        if pair.era_meta:
            meta = (pair.params or {}).get("_meta")
            declared = meta.get(META_CLIENT_CAPABILITIES) if isinstance(meta, dict) else None
            return declared if isinstance(declared, dict) else None
        return self.client_capabilities

    def extended(self) -> bool:
        """Whether either side declared extensions or experiments, so that unknown names are no surprise."""
        declared = (self.server_capabilities or {}, self.client_capabilities or {})
        return any(side.get(key) for side in declared for key in ("experimental", "extensions"))

    def unanswered(self) -> list[Pair]:
        """Requests of both sides that wait for an answer, oldest record first."""
        waiting = [p for table in self.open.values() for p in table.values() if p.state == PENDING]
        return sorted(waiting, key=lambda pair: pair.number)

    @property
    def end_us(self) -> int:
        """When this session ended: the client closed its input or sent a signal, or the server went."""
        return self._end()[1]

    def _end(self) -> tuple[bool, int]:
        """Whether it was the client that ended it, and when."""
        eof, signals = self.process.client_closed, self.process.signals
        times = ([eof.t_us] if eof is not None else []) + [event.t_us for event in signals[:1]]
        ended = self.process.exit
        if times and (ended is None or min(times) <= ended.t_us):
            return True, min(times)
        return False, ended.t_us if ended is not None else self.now_us

    def client_ended(self, pair: Pair) -> bool:
        """Whether the client ended the session, or the recording ends, with this request open."""
        by_client, when = self._end()
        return by_client or when <= pair.t_us or self.process.exit is None

    def late_answers(self) -> list[tuple[Pair, str]]:
        """Requests that waited long and were answered in the moment the session ended, and what ended it."""
        found = []
        eof, end = self.process.client_closed, self.process.exit
        for pair in self.slow_answers:
            after_eof = eof is not None and pair.answer is not None and pair.answer > eof.number
            if eof is not None and after_eof and pair.answered_us - eof.t_us < BURST_US:
                found.append((pair, "the client closed its input"))
            elif eof is None and end is not None and end.t_us - pair.answered_us < BURST_US:
                found.append((pair, "the server exited"))
        return found

    def note_unfinished(self, message: Message) -> None:
        """A line of a channel never ended; it answers a request, unreadably, if it shows its id."""
        self.last_number = message.number
        self.now_us = max(self.now_us, message.t_us)
        self.unfinished.append(message)
        for key in Broken(message.line.data).ids():
            self.mark_unreadable(message.channel, key, message.number, message.t_us)

    def close(self) -> None:
        """Nothing more will come."""
        self.ended = True
