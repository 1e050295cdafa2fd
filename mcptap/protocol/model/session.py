"""A session as the protocol sees it: one server process, fed item by item, no I/O.

Each part owns what it is about; the session feeds them in order, and knows which revision a
message follows. It keeps ids, counters and what the two sides declared, not messages, so that
its size does not follow that of the recording.
"""

from __future__ import annotations

import re
from typing import Any

from mcptap.protocol.contract.lock import Lock
from mcptap.protocol.expectations.expected import Expected
from mcptap.protocol.model.broken import Broken
from mcptap.protocol.model.ids import as_id
from mcptap.protocol.model.message import LOG, NOTIFICATION, REQUEST, RESPONSE, Match, Message, classify
from mcptap.protocol.model.parts.echo import Echo
from mcptap.protocol.model.parts.failures import Failures
from mcptap.protocol.model.parts.handshake import Handshake
from mcptap.protocol.model.parts.listings import Listings
from mcptap.protocol.model.parts.log_levels import LogLevels
from mcptap.protocol.model.parts.losses import Losses
from mcptap.protocol.model.parts.offers import Offers
from mcptap.protocol.model.parts.party import Party
from mcptap.protocol.model.parts.process import Process
from mcptap.protocol.model.parts.progress import RACE_US, Tokens
from mcptap.protocol.model.parts.questions import Questions
from mcptap.protocol.model.parts.separators import Separators
from mcptap.protocol.model.parts.stateless import Stateless, missing_meta
from mcptap.protocol.model.parts.subscriptions import Subscriptions
from mcptap.protocol.model.parts.tasks import Tasks
from mcptap.protocol.model.parts.timing import Timing
from mcptap.protocol.model.parts.traffic import Traffic
from mcptap.protocol.model.request import PENDING, Request
from mcptap.protocol.model.requests import Requests
from mcptap.protocol.revisions import NEWEST_STATELESS, UNKNOWN, Revision, find_stateless
from mcptap.protocol.revisions.names import (
    LISTS,
    LISTS_OF_CHANGE,
    META_CLIENT_CAPABILITIES,
    META_CLIENT_INFO,
    META_LOG_LEVEL,
    META_VERSION,
    OPENERS,
    PARSE_ERROR,
)
from mcptap.recording.format.model import Event, Header, Item, Line
from mcptap.text.units import duration
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT, other_side

HTTP2_PREFACE = b"PRI * HTTP/2.0"
"""How a client of HTTP/2 begins (RFC 9113, section 3.4)."""
PLAYER = ("mcptap ", "mcptap-")
"""How the name of a client begins that mcptap played: that of its process, or what it gives itself."""
TIMED_OUT = re.compile(r"time.?out|timed.?out|deadline", re.I)
"""A reason of a cancellation that tells a time limit."""


class Session:
    """A session that is fed item by item.

    `timed` is false if the items carry no times: then their order alone decides. `partial`
    is true if the beginning is missing, so that nothing may be concluded from what is absent.
    `lock` is what was approved; only with one the session keeps all that the server offers.
    """

    def __init__(
        self,
        header: Header | None = None,
        *,
        timed: bool = True,
        partial: bool = False,
        fineness_us: int = 1,
        lock: Lock | None = None,
    ) -> None:
        self.header = header
        self.timed = timed
        self.fineness_us = fineness_us
        """How fine its times are: what seems to have taken no time may have taken so long."""
        self.partial = partial
        self.now_us = 0
        """Time of the last item, in microseconds since the start."""
        self.present_us = 0
        """What time it is while a live session is silent, in microseconds since the start; 0: not known."""
        self.unseen: frozenset[str] = frozenset()
        """Channels of which not every line would have been recorded: that one is silent can't be said."""
        self.ended = False
        self.state = ""
        """What became of the session, once that is known: `live`, `finished`, `crashed`, `unknown`."""
        self.sibling: bool | None = None
        """Whether another start of the same server followed at once (None: unknown)."""
        self.unfinished: list[Message] = []
        """Lines that never ended."""

        self.client = Party()
        self.server = Party()
        self.process = Process(header)
        self.requests = Requests()
        self.traffic = Traffic()
        self.failures = Failures()
        self.losses = Losses()
        self.timing = Timing(self.requests)
        self.handshake = Handshake(self.client, self.server)
        self.stateless = Stateless(self.server)
        self.listings = Listings()
        self.progress = {CLIENT_TO_SERVER: Tokens(), SERVER_TO_CLIENT: Tokens()}
        """Progress tokens by the channel of the requests that carried them."""
        self.subscriptions = Subscriptions()
        self.log_levels = LogLevels()
        self.tasks = Tasks()
        self.echo = Echo()
        self.separators = Separators()
        self.questions = Questions(header)
        self.expected = Expected()
        self.lock = lock
        self.offers = None if lock is None else Offers()

    # --- questions ---------------------------------------------------------------------------

    @property
    def revision(self) -> Revision:
        """The revision that the session as a whole follows; empty if that is not known."""
        stateless = self.stateless
        if self.is_stateless or (self.handshake.initialize is None and stateless.discover is not None):
            return NEWEST_STATELESS
        return self.handshake.revision

    @property
    def agreed_revision(self) -> Revision:
        """The revision that both sides are known to speak, or that the client asked for; else empty."""
        spoken = self.stateless.proven or self.stateless.asked
        return self.handshake.revision or (NEWEST_STATELESS if spoken else UNKNOWN)

    @property
    def is_stateless(self) -> bool:
        """Whether this session is one of 2026-07-28 and nothing else."""
        spoken = self.stateless.proven or self.stateless.asked
        return spoken and self.handshake.initialize is None

    @property
    def is_played(self) -> bool:
        """Whether mcptap itself was the client (`probe`, `send`, a test): its mistakes are on purpose."""
        name = self.header.parent.get("name") if self.header is not None else None
        return any(
            isinstance(one, str) and one.startswith(PLAYER) for one in (name, self.client.info.get("name"))
        )

    @property
    def has_extensions(self) -> bool:
        """Whether either side declared extensions or experiments."""
        return self.client.has_extensions or self.server.has_extensions

    def extends(self, method: str) -> bool:
        """Whether either side declared an extension that has this method."""
        return self.client.extends(method) or self.server.extends(method)

    def client_capabilities_for(self, request: Request) -> dict[str, Any] | None:
        """What the client declared for this request: in its `_meta`, or in `initialize`."""
        if request.is_stateless:
            meta = (request.params or {}).get("_meta")
            declared = meta.get(META_CLIENT_CAPABILITIES) if isinstance(meta, dict) else None
            return declared if isinstance(declared, dict) else None
        return self.client.capabilities

    def raced(self, since_us: int, now_us: int) -> bool:
        """Whether two moments lie so close that the messages may have crossed on their way."""
        return self.timed and now_us - since_us <= RACE_US + self.fineness_us - 1

    def lasting(self, us: int) -> str:
        """A duration in words, no finer than the times are."""
        return duration(us, fineness_us=self.fineness_us)

    def at_least(self, us: int) -> int:
        """How long something took at least that took so long by times that may be coarse."""
        return max(0, us - self.fineness_us + 1)

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
        return False, ended.t_us if ended is not None else max(self.now_us, self.present_us)

    def client_ended(self, request: Request) -> bool:
        """Whether the client ended the session with this request open."""
        by_client, when = self._end()
        return by_client or when <= request.t_us

    @property
    def broke_off(self) -> bool:
        """Whether the recording stops without an end of the session."""
        return self.process.exit is None and not self._end()[0]

    @property
    def nobody_waits(self) -> bool:
        """Whether the client is gone and owed no answer, so that what the server prints harms nobody."""
        waiting = self.requests.open[CLIENT_TO_SERVER].values()
        return self.process.client_is_gone and not any(request.state is PENDING for request in waiting)

    # --- items -------------------------------------------------------------------------------

    def feed(self, item: Item) -> Message | None:
        """Take one item; returns the message if it is a line."""
        if type(item) is Line:
            if item.t_us > self.now_us:
                self.now_us = item.t_us
            message = classify(item)
            self.take(message)
            return message
        self.losses.take(item)
        if isinstance(item, Event):
            self.now_us = max(self.now_us, item.t_us)
            self.process.take_event(item)
            self.questions.take_event(item)
        return None

    def pass_time(self, t_us: int) -> None:
        """Something came that is no part of the session."""
        self.now_us = max(self.now_us, t_us)

    def take(self, message: Message) -> None:
        """Take a message that was classified already, and fill in its request and revision."""
        kind = message.kind
        if kind is LOG:
            self.process.take_stderr(message.line)
            if self.questions.seen:
                self.questions.take(message)
            return
        channel, traffic = message.channel, self.traffic
        traffic.lines += 1
        if channel not in traffic.first_line:
            self._take_first_line(message)
        self.separators.take_line(message)
        answered = self.requests.take(message)
        if self.questions.seen:
            self.questions.take(message)
        if channel == SERVER_TO_CLIENT:
            self.timing.take_output(message)
        if kind is RESPONSE:
            self._take_response(message, answered)
        elif kind is REQUEST:
            self._take_request(message)
        elif kind is NOTIFICATION:
            self._take_notification(message)
        else:
            traffic.strays += 1
            message.revision = self.handshake.revision

    def _take_first_line(self, message: Message) -> None:
        """This is the first line of its channel."""
        self.traffic.first_line[message.channel] = message.number
        if message.channel == SERVER_TO_CLIENT:
            self.process.first_output_us = message.line.first_us
        elif message.line.data.startswith(HTTP2_PREFACE):
            self.traffic.http2 = message.number

    def take_embedded(self, message: Message) -> None:
        """Take a message that only stands inside a broken line: what it says counts, its form does not."""
        if not self.requests.take_embedded(message):
            return
        if message.kind is NOTIFICATION:
            self._take_notification(message)
        elif message.kind is REQUEST:
            self._take_request(message)
        elif message.request is not None:
            self._learn(message, message.request)
            message.revision = message.request.revision

    def take_unfinished(self, message: Message) -> None:
        """Take a line that never ended; it answers a request, unreadably, if it shows its id."""
        self.now_us = max(self.now_us, message.t_us)
        self.unfinished.append(message)
        if message.channel == SERVER_TO_CLIENT:
            self.timing.last_output = message.number
        for key in Broken(message.line.data).ids():
            request = self.requests.mark_unreadable(message.channel, key, message.number, message.t_us)
            message.lost = message.lost or request is not None

    def note_present(self, wall_us: int) -> None:
        """It is this time of day, in microseconds since 1970, and nothing more has come so far."""
        start_us = self.header.start_wall_us if self.header is not None else 0
        if start_us and wall_us > start_us:
            self.present_us = max(self.present_us, wall_us - start_us)

    def close(self) -> None:
        """Nothing more will come. How long it was watched while it was live tells nothing about its end."""
        self.ended = True
        self.present_us = 0

    # --- requests ----------------------------------------------------------------------------

    def _take_request(self, message: Message) -> None:
        request, params = message.request, message.params
        if request is None:
            message.revision = self.handshake.revision
            return
        method, by_client, handshake = request.method, request.channel == CLIENT_TO_SERVER, self.handshake
        if by_client:
            self.timing.take_request(request)
            if self.expected.wanted and request.number not in self.questions.provoked:
                self.expected.take_request(request)
            self.traffic.take_request(request, odd=request.number in self.questions.provoked)
            if request.tool:
                self.listings.take_call(request.tool)
        if handshake.initialized is None:
            handshake.take_early_request(request)
        meta = None if params is None else params.get("_meta")
        if type(meta) is dict:
            self._take_meta(request, meta)
        if method == "initialize" and by_client:
            handshake.take_initialize(message, request)
        elif request.is_stateless or method == "server/discover" or method == "subscriptions/listen":
            request.revision = find_stateless(request.version)
            if by_client:
                self.stateless.asked = self.stateless.asked or method != "server/discover"
                request.missing_meta = missing_meta(meta)
                self.stateless.take_request(request, params)
                if method == "subscriptions/listen":
                    self.subscriptions.take_listen(request, params)
        elif handshake.initialize is None and self.is_stateless:
            request.revision = NEWEST_STATELESS
            request.missing_meta = META_VERSION
        else:
            request.revision = handshake.revision
        message.revision = request.revision
        if method in LISTS and by_client and request.number not in self.questions.provoked:
            cursor = params.get("cursor") if params is not None else None
            if not self.listings.of[method].take_request(cursor):
                message.match = message.match or Match.BAD_CURSOR
                request.bad_cursor = True
        elif method == "resources/subscribe":
            self.subscriptions.subscribe((params or {}).get("uri"))
        elif method == "tasks/result" and by_client:
            self.tasks.fetch(params)

    def _take_meta(self, request: Request, meta: dict[str, Any]) -> None:
        """Take the `_meta` of a request."""
        token = as_id(meta.get("progressToken"))
        if token is not None:
            request.token = token
            self.progress[request.channel].give(token, request)
        version = meta.get(META_VERSION)
        if isinstance(version, str) and request.method != "initialize":
            request.is_stateless = True
            request.version = version
            if META_LOG_LEVEL in meta and request.channel == CLIENT_TO_SERVER:
                self.log_levels.requests.add(request.id)
        client = meta.get(META_CLIENT_INFO)
        if isinstance(client, dict) and not self.client.info:
            self.client.info = client

    # --- responses ---------------------------------------------------------------------------

    def _take_response(self, message: Message, answered: Request | None) -> None:
        request = message.request
        if request is None:
            message.revision = self.handshake.revision
            error = message.error
            if message.id is None and type(error) is dict and error.get("code") == PARSE_ERROR:
                self.separators.take_parse_error(message)
            return
        if message.match is None:
            if answered is not None:
                self._end_request(message, answered)
            self._learn(message, request)
        message.revision = request.revision

    def _end_request(self, message: Message, request: Request) -> None:
        """A request got an answer that can be read."""
        result = message.result
        self.timing.take_answer(message, request)
        if self.expected.wanted and request.channel == CLIENT_TO_SERVER:
            self._measure(request)
        if type(result) is dict and ("task" in result or request.method.startswith("tasks/")):
            self._take_task(message, request, result)
        if request.token is not None:
            self.progress[request.channel].close(request, self.now_us)
        if request.is_stateless:
            self.log_levels.end_request(request.id, message.t_us)
            self.subscriptions.end_listen(request.id, message.t_us)

    def _measure(self, request: Request) -> None:
        if request.number not in self.questions.provoked:
            busy_us = self.timing.client_busy_us(request.answered_us) - request.client_busy_us
            self.expected.take_answer(request, max(0, busy_us))

    def _take_task(self, message: Message, request: Request, result: dict[str, Any]) -> None:
        created, number = result.get("task"), message.number
        if isinstance(created, dict):
            if request.token is not None:
                self.progress[request.channel].keep(request.token)
            self.tasks.take(number, created, created=True)
        elif request.method in ("tasks/get", "tasks/cancel"):
            self.tasks.take(number, result)
            if message.channel == SERVER_TO_CLIENT:
                self.tasks.take_end(number, message.t_us, result)

    def _learn(self, message: Message, request: Request) -> None:
        """What an answer of the server tells about the session."""
        if request.channel != CLIENT_TO_SERVER:
            return
        result, method = message.result, request.method
        if request.number not in self.questions.provoked:
            self.traffic.take_answer(message, request)
            self.failures.take_answer(message, request)
        if type(result) is not dict:
            if request is self.stateless.discover and isinstance(message.error, dict):
                self.stateless.take_refusal(message.error)
            elif self.handshake.initialized is None:
                self.handshake.take_refusal(request, message.error)
            return
        if self.offers is not None and method in OPENERS:
            self.offers.take_opening(result, message.number)
        if method == "initialize":
            self.handshake.take_result(request, result)
            return
        if request.is_stateless or method == "server/discover":
            self.stateless.take_result(request, result, message.number, after_handshake=self.handshake.done)
        if method in LISTS and request.number not in self.questions.provoked:
            if message.is_outline and not self.listings.of[method].holds(result):
                return
            self.listings.take(request, result, message.number)
            if self.offers is not None:
                listed, declared = self.listings.of[method].last_page, self.client_capabilities_for(request)
                self.offers.take_page(method, listed, message.number, declared)
            walk = self.listings.of[method].walk
            if walk is not None:
                walk.page_us, walk.page_requests = message.t_us, self.traffic.requests
        elif method == "logging/setLevel":
            self.log_levels.take_level((request.params or {}).get("level"), message.t_us)
        elif method == "resources/unsubscribe":
            self.subscriptions.unsubscribe((request.params or {}).get("uri"), message.t_us)

    # --- notifications -----------------------------------------------------------------------

    def _take_notification(self, message: Message) -> None:
        channel, method, params = message.channel, message.method, message.params
        message.revision = self.revision
        if method == "notifications/progress":
            token = as_id(params.get("progressToken")) if params is not None else None
            progress = None if token is None else self.progress[other_side(channel)].find(token)
            if progress is not None and params is not None:
                progress.advance(params.get("progress"))
                progress.request.note_progress(message.t_us)
                message.request = progress.request
                message.revision = progress.request.revision
        elif method == "notifications/cancelled":
            request = message.request
            if request is not None:
                if request.number not in self.questions.provoked:
                    self.failures.take_cancellation(message, request)
                if message.match is None:
                    self.subscriptions.end_listen(request.id, message.t_us)
                elif message.match is Match.CLOSED and channel == CLIENT_TO_SERVER:
                    reason = (params or {}).get("reason")
                    if isinstance(reason, str) and TIMED_OUT.search(reason):
                        self.separators.take_time_out(message, request)
                message.revision = request.revision or message.revision
        elif method == "notifications/tasks/status":
            self.tasks.take(message.number, params or {})
            if channel == SERVER_TO_CLIENT:
                self.tasks.take_end(message.number, message.t_us, params or {})
        elif self.subscriptions.listens and channel == SERVER_TO_CLIENT:
            self.subscriptions.take_notification(message)
        elif method == "notifications/initialized" and channel == CLIENT_TO_SERVER:
            self.handshake.initialized = self.handshake.initialized or message
        if channel == SERVER_TO_CLIENT:
            for name in LISTS_OF_CHANGE.get(method, ()):
                self.listings.of[name].note_change(message.number)
