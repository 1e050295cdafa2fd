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
from mcptap.diagnosis.rules.common import answering_side, name_of
from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import LISTS, MAY_STAY_OPEN, OPENERS
from mcptap.text.units import duration
from mcptap.wire import CLIENT_TO_SERVER

WAIT_US = 60_000_000
"""After how long (µs) a request counts as unanswered while the session goes on."""
PING_US = 10_000_000
"""The same for ping."""
GIVE_UP_US = 5_000_000
"""A cancellation after so much silence (µs) counts as a time limit of the client."""
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

_TIMEOUT = re.compile(r"time.?out|timed.?out|deadline", re.I)
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
            or min(age, session.timing.silence_us(request, session.end_us)) >= 1_000_000
        )
    return session.timed and session.timing.silence_us(request, session.end_us) >= limit_us


@rule(
    "request-unanswered",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.FLOW,
    source=f"{observed(Fault.NO_RESPONSE)}; JSON-RPC 2.0 section 4",
    says="{method} (id {id}, record {n}) got no answer{wait?}",
    leads_to="{who} waits and shows nothing",
    remedy="See that the handler returns or raises on every path, and that nothing blocks the loop that reads.",
    requires="whole",
    fault=Fault.NO_RESPONSE,
    unless="server-crashed server-exited-early",
    loses_request=True,
)
def request_unanswered(session: Session) -> Hits:
    hits: list[Hit] = []
    for request in session.requests.unanswered():
        if request.method in HAVE_OWN_RULES or request.method in MAY_STAY_OPEN:
            continue
        if not waits_too_long(session, request, WAIT_US):
            continue
        waited = duration(session.end_us - request.t_us)
        left = ", until the client left" if session.ended and not session.broke_off else ""
        hits.append(
            hit(
                request.number,
                request.tool or request.method,
                side=answering_side(request),
                method=name_of(request),
                id=spell_id(request.id),
                who="the agent" if request.channel == CLIENT_TO_SERVER else "the server",
                wait=f" in {waited}{left}" if session.timed else "",
            )
        )
    return hits


@rule(
    "request-timed-out",
    Level.WARNING,
    side=SERVER,
    on="c2s notification notifications/cancelled",
    stage=Stage.FLOW,
    source="2025-03-26 and later, basic: lifecycle (timeouts) and cancellation",
    says="The client gave up on {method} (id {id}, record {asked}){wait?}{reason?}",
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
    silent = session.timing.silence_us(request, message.t_us)
    long = session.timed and silent >= GIVE_UP_US and not _DELIBERATE.search(reason)
    timed_out = (bool(_TIMEOUT.search(reason)) or long) and request.method != "server/discover"
    return hit(
        message.number,
        request.tool or request.method,
        level=None if timed_out else Level.INFO,
        side=SERVER if timed_out else CLIENT,
        method=name_of(request),
        id=spell_id(request.id),
        asked=request.number,
        wait=f" after {duration(waited)}" if session.timed else "",
        reason=f' ("{reason[:80]}")' if reason else "",
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
    took = session.timing.silence_us(request, message.t_us)
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
        method=name_of(request),
        asked=request.number,
        time=duration(took),
        limit=limit,
    )


@rule(
    "ping-unanswered",
    handshake(Level.ERROR),
    side=SERVER,
    on="state",
    stage=Stage.FLOW,
    source="handshake revisions, basic/utilities/ping: the receiver must respond promptly",
    says="ping (id {id}, record {n}) got no answer{wait?}: the other side is blocked",
    remedy="Keep the loop that reads messages free: run handlers beside it.",
    requires="whole",
    unless="server-crashed server-exited-early",
    loses_request=True,
)
def ping_unanswered(session: Session) -> Hits:
    hits: list[Hit] = []
    for request in session.requests.unanswered():
        if request.method != "ping" or not waits_too_long(session, request, PING_US):
            continue
        wait = f" in {duration(session.end_us - request.t_us)}" if session.timed else ""
        hits.append(hit(request.number, side=answering_side(request), id=spell_id(request.id), wait=wait))
    return hits
