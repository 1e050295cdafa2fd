"""Requests that wait: without an answer, too long, or until they are given up."""

from __future__ import annotations

import re

from mcptap.clients.client import Until
from mcptap.clients.faults import Fault
from mcptap.clients.limits import SHORTEST_REQUEST_S, shortest
from mcptap.clients.reactions import observed
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import handshake
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hit, Hits, Stage, hit
from mcptap.diagnosis.rules.common import answering_side, heard, id_before, name_of
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import PENDING, Request
from mcptap.protocol.model.session import TIMED_OUT, Session
from mcptap.protocol.revisions.names import ASK_PERSONS, LISTS, MAY_STAY_OPEN, METHOD_NOT_FOUND, OPENERS
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

WAIT_US = 60_000_000
"""After how long (µs) a request counts as unanswered, also if it was the client that left then."""
STILL_RUNNING_US = 10_000_000
"""A request that was younger (µs) when the client left may just have been at work."""
PING_US = 10_000_000
"""After how long (µs) a ping counts as unanswered."""
AT_HAND_US = 3_000_000
"""A list is at hand: a client that leaves, or cancels, after so long (µs) did not get it."""
GIVE_UP_US = 5_000_000
"""A cancellation after so much silence (µs) counts as a time limit of the client."""
VERY_SLOW_US = 30_000_000
"""From when on (µs) a slow answer is a warning."""
SLOW_START_US = 8_000_000
"""From when on (µs) an answer to the opening request is slow."""
SLOW_LIST_US = 10_000_000
"""The same for a list."""
SLOW_US = 60_000_000
"""The same for any other request."""

HAVE_OWN_RULES = frozenset(
    {
        "initialize",
        "ping",
        "server/discover",
        "sampling/createMessage",
        "elicitation/create",
        "roots/list",
    }
)
_TO_OPEN, _TO_LIST = shortest(Until.OPENED), shortest(Until.LISTED)

_DELIBERATE = re.compile(r"user|abort|cancel|stop|interrupt|escape|done|clos", re.I)


def waits_too_long(session: Session, request: Request, limit_us: int) -> bool:
    """Whether a request that is open now should have been answered.

    At the end of a session that is so for every request but the one sent in its last second.
    Where a recording breaks off, the answer may have come behind its end.
    """
    if session.ended and not session.timed:
        return True
    if session.ended and not session.broke_off:
        age = session.end_us - request.t_us
        return (
            not session.client_ended(request)
            or session.at_least(min(age, session.timing.silence_us(request, session.end_us))) >= 1_000_000
        )
    silent = session.timing.silence_us(request, session.end_us)
    return session.timed and session.at_least(silent) >= limit_us


@rule(
    "request-unanswered",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.FLOW,
    source=f"{observed(Fault.NO_RESPONSE)}; JSON-RPC 2.0 section 4",
    says="{method} ({id?}record {n}) {open}{why?}",
    leads_to="{said?}",
    remedy="If it hangs: see that the handler returns or raises on every path, and that nothing blocks the loop that reads.",
    requires="whole",
    fault=Fault.NO_RESPONSE,
    unless="server-crashed server-exited-early",
    judges_outlines=True,
    loses_request=True,
)
def request_unanswered(session: Session) -> Hits:
    hits: list[Hit] = []
    for request in session.requests.unanswered():
        if request.method in HAVE_OWN_RULES or request.method in MAY_STAY_OPEN:
            continue
        question = _question_behind(session, request)
        waits = waits_too_long(session, request, WAIT_US)
        if not waits and not (question is not None and waits_too_long(session, question, WAIT_US)):
            continue
        level, side, why = _judge(session, request, question)
        said, quoted = heard(session, request.number) if request.channel == CLIENT_TO_SERVER else ("", ())
        hits.append(
            hit(
                request.number,
                request.tool or request.method,
                level=level,
                side=side,
                method=name_of(request),
                id=id_before(session, request),
                open=still_open(session, request),
                why=why,
                said=said,
                quoted=quoted,
                remedy="Answer what the server asks, or refuse it with an error."
                if question is not None
                else "",
                reaction_seen=client_left(session, request),
            )
        )
    return hits


def client_left(session: Session, request: Request) -> bool:
    """Whether the session is over, and it was the client that ended it with this request open."""
    return session.ended and not session.broke_off and session.client_ended(request)


def still_open(session: Session, request: Request) -> str:
    """How long a request waited, and until when, in words."""
    if not session.timed:
        return "got no answer"
    waited = session.lasting(session.end_us - request.t_us)
    if client_left(session, request):
        return f"was still open after {waited} when the client left"
    return f"got no answer in {waited}" if session.ended else f"has waited {waited} so far"


def _judge(session: Session, request: Request, question: Request | None) -> tuple[Level, str, str]:
    """How bad it is that a request is open, whose fault, and what shows that it is one.

    What was still running when the client left is no fault by itself: a person who quits leaves
    such requests, and so does a program that is done. A list is at hand: a library without cancellation
    (Python 1.x) just leaves when its limit is over.
    """
    side, timing, now = answering_side(request), session.timing, session.end_us
    waited = now - request.t_us
    if question is not None:
        asks_person = question.method in ASK_PERSONS
        patience = WAIT_US if asks_person else STILL_RUNNING_US
        why = f"; the server itself waited for the answer to {question.method} (record {question.number}), which the client did not give"
        return Level.INFO if session.timed and waited < patience else Level.WARNING, CLIENT, why
    if request.channel == CLIENT_TO_SERVER and session.timed:
        later = timing.deaf_since(request, now)
        if timing.starves(request, session.at_least(now), session.fineness_us):
            took = session.lasting(request.overtaken_us or 0)
            return Level.ERROR, side, f", while later ones like it were answered within {took}"
        if later is not None:
            return (
                Level.ERROR,
                side,
                f", and no other was answered since, also not {later.method} (record {later.number})",
            )
    if not session.timed or not client_left(session, request) or waited >= WAIT_US:
        return Level.ERROR, side, ""  # without times there is but the order: nothing came until the end
    patience = AT_HAND_US if request.method in LISTS else STILL_RUNNING_US
    return Level.WARNING if waited >= patience else Level.INFO, side, ""


def _question_behind(session: Session, request: Request) -> Request | None:
    """The request of the server that it sent after this one and that the client left open."""
    if request.channel != CLIENT_TO_SERVER:
        return None
    return next(
        (
            asked
            for asked in session.requests.open[SERVER_TO_CLIENT].values()
            if asked.state is PENDING and asked.number > request.number and asked.method != "ping"
        ),
        None,
    )


@rule(
    "request-timed-out",
    Level.WARNING,
    side=SERVER,
    on="c2s notification notifications/cancelled",
    stage=Stage.FLOW,
    source="2025-03-26 and later, basic: lifecycle (timeouts) and cancellation",
    says="The client gave up on {method} ({id?}record {asked}){wait?}{reason?}",
    remedy="Answer sooner, or send progress while the work goes on.",
    requires="times",
    yields_to="initialize-cancelled",
)
def request_timed_out(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or request.cancel != message.number or request.method in MAY_STAY_OPEN:
        return None
    waited = message.t_us - request.t_us
    reason = request.cancel_reason
    # While the server waits for the client it is not slow; a probe that nobody answers has a rule of its own.
    silent = session.at_least(session.timing.silence_us(request, message.t_us))
    patience = AT_HAND_US if request.method in LISTS else GIVE_UP_US
    long = session.timed and silent >= patience and not _DELIBERATE.search(reason)
    timed_out = (bool(TIMED_OUT.search(reason)) or long) and request.method != "server/discover"
    return hit(
        message.number,
        request.tool or request.method,
        level=None if timed_out else Level.INFO,
        side=SERVER if timed_out else CLIENT,
        method=name_of(request),
        id=id_before(session, request),
        asked=request.number,
        wait=f" after {session.lasting(waited)}" if session.timed else "",
        reason=f' ("{reason[:80]}")' if reason else "",
        remedy="" if timed_out else "If nobody stopped it on purpose: answer sooner, or send progress.",
    )


@rule(
    "response-slow",
    Level.WARNING,
    side=SERVER,
    on="s2c result, s2c error, s2c unreadable",
    stage=Stage.FLOW,
    source="limits of clients: see initialize-unanswered and request-unanswered",
    says="{method} (record {asked}) took {time}",
    leads_to="{limit}",
    remedy="Answer first and do slow work afterwards, or send progress.",
    requires="times",
    fault=Fault.SLOW_RESPONSE,
)
def response_slow(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or message.t_us - request.t_us <= SLOW_START_US or not session.timed:
        return None
    took = session.at_least(session.timing.silence_us(request, message.t_us))
    if request.cancel is not None or request.method in MAY_STAY_OPEN:
        return None
    if request.method in OPENERS:
        if took <= SLOW_START_US:
            return None
        limit = f"some clients give a server {_TO_LIST.seconds:g} s to start, {_TO_OPEN.client} {_TO_OPEN.seconds:g} s"
    elif request.method in LISTS:
        if took <= SLOW_LIST_US:
            return None
        limit = f"some clients give a server {_TO_LIST.seconds:g} s to start and list its tools"
    else:
        if took <= SLOW_US:
            return None
        limit = f"some clients give up after {SHORTEST_REQUEST_S:g} s"
    return hit(
        message.number,
        request.tool or request.method,
        level=Level.INFO if took < VERY_SLOW_US else None,
        method=name_of(request),
        asked=request.number,
        time=session.lasting(took),
        limit=limit,
    )


@rule(
    "ping-unanswered",
    handshake(Level.ERROR),
    side=SERVER,
    on="state, error ping",
    stage=Stage.FLOW,
    source="handshake revisions, basic/utilities/ping: the receiver must respond promptly with an empty response",
    says="ping ({id?}record {n}) {open}",
    remedy="Answer each ping at once with an empty result, and keep the loop that reads messages free.",
    requires="whole",
    unless="server-crashed server-exited-early",
    loses_request=True,
)
def ping_unanswered(session: Session, message: Message | None = None) -> Hits:
    if message is not None:
        request = message.request
        if request is None or request.error_code != METHOD_NOT_FOUND:
            return None
        return hit(
            request.number,
            side=answering_side(request),
            id=id_before(session, request),
            open=f"was refused ({request.error_code}, record {message.number}), though every peer has to answer it",
        )
    hits: list[Hit] = []
    for request in session.requests.unanswered():
        if request.method != "ping" or not waits_too_long(session, request, PING_US):
            continue
        left = client_left(session, request)
        young = session.timed and left and session.end_us - request.t_us < PING_US
        hits.append(
            hit(
                request.number,
                level=Level.INFO if young else None,
                side=answering_side(request),
                id=id_before(session, request),
                open=still_open(session, request),
            )
        )
    return hits
