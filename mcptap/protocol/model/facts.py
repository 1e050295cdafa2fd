"""What is known of a session: its state, and the questions that rules and readers ask of it.

It holds ids, counters and what the two sides declared, not messages, so that its size does
not follow that of the recording.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from mcptap.protocol.model.flow import RACE_US, Flow, InputWait, TaskStep
from mcptap.protocol.model.ids import Id, IdSet
from mcptap.protocol.model.listings import Listings
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.process import Process
from mcptap.protocol.model.request import PENDING, Request
from mcptap.protocol.revisions.methods import META_CLIENT_CAPABILITIES
from mcptap.protocol.revisions.revisions import E
from mcptap.recording.format.model import Header
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

BUFFERED_US = 5_000_000
"""A request that waits longer than this, and is answered the moment its session ends, was buffered."""
BURST_US = 200_000
"""What comes within this time came in one go, as when a buffer is emptied."""


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


class Facts:
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
        self.slow_answers: deque[tuple[Request, int | None]] = deque(maxlen=100)
        """Requests that got a result after more than five seconds, each with the record of the last line
        of the server that came before the burst of its answer (None: nothing had come)."""
        self._owed_us = self._owed_until_us = 0
        """For how long the client owed answers to requests of the server, and up to when that is counted."""
        self._burst_us = -BURST_US
        self._before_burst: int | None = None
        self.open: dict[str, dict[Id, Request]] = {CLIENT_TO_SERVER: {}, SERVER_TO_CLIENT: {}}
        """Requests without a readable answer, by the channel of the request and id."""
        self.used = {CLIENT_TO_SERVER: IdSet(), SERVER_TO_CLIENT: IdSet()}
        """Every id that was used."""
        self._recent: dict[str, dict[Id, Request]] = {CLIENT_TO_SERVER: {}, SERVER_TO_CLIENT: {}}
        self._closed_last: Request | None = None
        self.listings = Listings()
        self.flow = Flow()

        self.revision = ""
        """The revision of the handshake, agreed or (before its answer) asked for; empty if unknown."""
        self.requested = ""
        self.answered: object = None
        """The `protocolVersion` of the initialize result, as written."""
        self.initialize: Request | None = None
        self.initialize_count = 0
        self.handshake = False
        """Whether `initialize` got a result."""
        self.initialized: Message | None = None
        self.modern = False
        """Whether the server proved that it speaks 2026-07-28: it gave a result to such a request."""
        self.discover: Request | None = None
        self.discovered: dict[str, Any] | None = None
        self.supported: tuple[str, ...] | None = None
        """Versions that the server says it supports, by discovery or in refusing another one."""
        self.enveloped_results = 0
        """Results, with a `resultType`, to requests of 2026-07-28 other than the probe."""
        self.first_request: Request | None = None
        self.first_plain: Request | None = None
        """The first request of the client that is neither a ping nor a probe."""
        self.requests = 0
        """Requests of the client."""
        self.failures = 0
        """Requests of the client that were answered with an error, or with a tool's failure."""
        self.served: set[str] = set()
        """Methods that the server answered with a result."""
        self.plain_requests = 0
        """Requests of the client behind initialize, other than pings and probes."""
        self.early_requests: list[Request] = []
        """Requests of the server, other than pings, before `notifications/initialized` (the first ones)."""
        self.went_on: Request | None = None
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
        self.earlier: Request | None = None
        """The open request whose id it uses again."""
        self.token_clash: Request | None = None
        """The open request whose progress token it uses again."""

    # --- questions ---------------------------------------------------------------------------

    @property
    def current_revision(self) -> str:
        """The revision that the session as a whole follows; empty if that is not known."""
        if self.initialize is None and (self.modern or self.discover is not None):
            return E
        return self.revision

    @property
    def purely_modern(self) -> bool:
        """Whether this session is one of 2026-07-28 and nothing else."""
        return self.modern and self.initialize is None

    def raced(self, since_us: int, now_us: int) -> bool:
        """Whether two moments lie so close that the messages may have crossed on their way."""
        return self.timed and now_us - since_us <= RACE_US

    def client_capabilities_for(self, request: Request) -> dict[str, Any] | None:
        """What the client declared for this request: in its `_meta`, or in `initialize`."""
        if request.era_meta:
            meta = (request.params or {}).get("_meta")
            declared = meta.get(META_CLIENT_CAPABILITIES) if isinstance(meta, dict) else None
            return declared if isinstance(declared, dict) else None
        return self.client_capabilities

    def extended(self) -> bool:
        """Whether either side declared extensions or experiments, so that unknown names are no surprise."""
        declared = (self.server_capabilities or {}, self.client_capabilities or {})
        return any(side.get(key) for side in declared for key in ("experimental", "extensions"))

    def unanswered(self) -> list[Request]:
        """Requests of both sides that wait for an answer, oldest record first."""
        waiting = [p for table in self.open.values() for p in table.values() if p.state == PENDING]
        return sorted(waiting, key=lambda request: request.number)

    def owed_us(self, now_us: int) -> int:
        """For how long in all the client owed the server answers: a person was asked, or a model."""
        since = min(
            (
                p.t_us
                for p in self.open[SERVER_TO_CLIENT].values()
                if p.state == PENDING and p.method != "ping"
            ),
            default=now_us,
        )
        return self._owed_us + max(0, now_us - max(since, self._owed_until_us))

    def note_settled(self, request: Request) -> None:
        """The client answered a request of the server."""
        if request.method != "ping":
            since = max(request.t_us, self._owed_until_us)
            self._owed_us += max(0, request.answered_us - since)
            self._owed_until_us = request.answered_us

    def silence_us(self, request: Request, now_us: int) -> int:
        """The longest time that the receiver of a request let pass without answer or progress.

        Time in which the client owed the server an answer is not the server's.
        """
        waited = now_us - request.t_us
        if request.channel == CLIENT_TO_SERVER:
            waited -= self.owed_us(now_us) - request.owed_us
        if request.progress_us:
            waited = min(waited, max(request.silence_us, now_us - request.progress_us))
        return max(0, waited)

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

    def client_ended(self, request: Request) -> bool:
        """Whether the client ended the session with this request open."""
        by_client, when = self._end()
        return by_client or when <= request.t_us

    @property
    def broke_off(self) -> bool:
        """Whether the recording stops without an end of the session."""
        return self.process.exit is None and not self._end()[0]

    def held_answers(self) -> list[tuple[Request, str]]:
        """Results that the server held back until the session ended, and what ended it.

        A slow answer may come in the moment of the end by chance. That the whole output was held
        back is shown by its silence: nothing at all came before the end, or nothing came since
        the first of several requests that were all answered then.
        """
        found = []
        silent = False
        eof, end = self.process.client_closed, self.process.exit
        for request, before in self.slow_answers:
            if before is not None and before > request.number:
                continue
            after_eof = eof is not None and request.answer is not None and request.answer > eof.number
            if eof is not None and after_eof and request.answered_us - eof.t_us < BURST_US:
                found.append((request, "the client closed the server's input"))
            elif eof is None and end is not None and end.t_us - request.answered_us < BURST_US:
                found.append((request, "the server exited"))
            else:
                continue
            silent = silent or before is None
        return found if silent or len(found) > 1 else []
