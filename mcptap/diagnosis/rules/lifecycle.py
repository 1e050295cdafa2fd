"""The life of a session of the handshake revisions: initialize, its answer, initialized."""

from __future__ import annotations

import re

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import handshake, unknown
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, LAUNCH, SERVER, Hits, Stage, hit
from mcptap.diagnosis.explain.launchers import launch_hint
from mcptap.diagnosis.explain.wording import as_json, quote
from mcptap.diagnosis.rules.common import UNANSWERED, heard, sent_nowhere, wrote_nothing
from mcptap.diagnosis.rules.waiting import PING_US, SLOW_START_US, client_left, waits_too_long
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import ANSWERED, PENDING, Request
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS, STATELESS_REVISIONS, looks_stateless
from mcptap.protocol.revisions.names import UNSUPPORTED_VERSION
from mcptap.wire import SERVER_TO_CLIENT

LIFECYCLE = "handshake revisions, basic/lifecycle"
SCRIPT_US = 1_000_000
"""A client that closes its end sooner (µs) behind its first request may be a script that still reads."""
_FETCHES = re.compile(r"download|install|resolv|prepar|fetch|updat|build|compil|pull", re.I)
"""What a runner or a builder writes while it is at work."""
FREE = frozenset({"ping", "server/discover"})
INITIALIZED_WAIT_US = 2_000_000
"""After how long (µs) the initialized notification should have come."""


@rule(
    "initialize-not-first",
    handshake(Level.ERROR) | unknown(Level.ERROR),
    side=CLIENT,
    on="c2s opening",
    stage=Stage.LIFECYCLE,
    source=f"{LIFECYCLE}: initialization must be the first interaction",
    says="{method} (record {n}) came before initialize",
    leads_to="Python servers refuse it with -32602, others answer by luck",
    remedy="Send initialize first and wait for its answer.",
    requires="order directions whole",
    needs_start=True,
    explains=UNANSWERED,
)
def initialize_not_first(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or request is not session.traffic.first_but_probes or request.method == "initialize":
        return None
    if request.is_stateless or session.stateless.proven or session.handshake.initialize is not None:
        return None
    return hit(message.number, method=message.method)


@rule(
    "request-before-initialize-result",
    handshake(Level.WARNING) | unknown(Level.WARNING),
    side=CLIENT,
    on="c2s opening",
    stage=Stage.LIFECYCLE,
    source=f"{LIFECYCLE}: the client should not send requests other than pings before the server answered initialize",
    says="{method} (record {n}) was sent before initialize was answered",
    leads_to="strict servers reject it",
    remedy="Wait for the answer to initialize.",
    requires="order whole",
    needs_start=True,
)
def request_before_initialize_result(session: Session, message: Message) -> Hits:
    request, opening = message.request, session.handshake.initialize
    if opening is None or opening.answer is not None or request is opening or request is None:
        return None
    if request.method in FREE or request.method == "initialize" or request.is_stateless:
        return None
    return hit(message.number, method=message.method)


@rule(
    "initialized-missing",
    handshake(Level.ERROR) | unknown(Level.ERROR),
    side=CLIENT,
    on="state",
    stage=Stage.LIFECYCLE,
    source=f"{LIFECYCLE}: after the answer the client must send the initialized notification; it should not send requests before the answer, and may before the notification",
    says="The client {never} notifications/initialized{before?}",
    leads_to="{refused?}",
    remedy="Send notifications/initialized once initialize is answered.",
    requires="whole",
    needs_start=True,
    explains=f"tools-never-listed {UNANSWERED}",
)
def initialized_missing(session: Session) -> Hits:
    life = session.handshake
    opening, early, refused = life.initialize, life.early_client_request, life.refused_early
    if opening is None or opening.state != ANSWERED:
        return None
    if refused is not None and not refused.is_stateless:
        never = "sent no" if life.initialized is None else "had not yet sent"
        return hit(
            refused.number,
            never=never,
            before=f" before {refused.method} (record {refused.number})",
            refused=f"the server refused it for that (record {refused.answer})",
        )
    if life.initialized is not None or (early is not None and early.is_stateless):
        return None
    waits = early is not None and early.state == PENDING
    if not session.timed:
        if early is None or not session.ended:
            return None
    elif session.end_us - opening.answered_us <= INITIALIZED_WAIT_US:
        return None
    if early is None and (
        not session.ended
        or life.answered != life.requested
        # no client accepts such a result, so none goes on
        or session.server.capabilities is None
        or not session.server.info
    ):
        return None
    never = "never sent" if session.ended else "has not sent"
    if early is None:
        return hit(
            opening.answer, never=never, before=f", though initialize was answered (record {opening.answer})"
        )
    return hit(
        early.number,
        never=never,
        before=f", and went on with {early.method} (record {early.number})",
        refused="the server did not answer that" if waits else "",
    )


@rule(
    "initialized-early",
    handshake(Level.WARNING) | unknown(Level.WARNING),
    side=CLIENT,
    on="c2s notification notifications/initialized",
    stage=Stage.LIFECYCLE,
    source=LIFECYCLE,
    says="notifications/initialized (record {n}) came before initialize was answered",
    remedy="Wait for the answer to initialize.",
    requires="order whole",
    needs_start=True,
)
def initialized_early(session: Session, message: Message) -> Hits:
    opening = session.handshake.initialize
    if opening is None or opening.answer is not None:
        return None
    return hit(message.number)


@rule(
    "server-request-early",
    handshake(Level.WARNING) | unknown(Level.WARNING),
    side=SERVER,
    on="state",
    stage=Stage.LIFECYCLE,
    source=f"{LIFECYCLE}: the server should not send requests other than pings before initialized",
    says="{method} (record {n}) was sent before the client said that it is ready",
    leads_to="a client may not answer it yet",
    remedy="Wait for notifications/initialized.",
    requires="order",
    needs_start=True,
)
def server_request_early(session: Session) -> Hits:
    ready = session.handshake.initialized
    return [
        hit(
            request.number,
            level=Level.INFO if ready is not None and session.raced(request.t_us, ready.t_us) else None,
            method=request.method,
        )
        for request in session.handshake.early_server_requests
    ]


@rule(
    "initialize-twice",
    handshake(Level.WARNING) | unknown(Level.WARNING),
    side=CLIENT,
    on="c2s request initialize",
    stage=Stage.LIFECYCLE,
    source=LIFECYCLE,
    says="initialize was sent again (record {n}) on a connection that was initialized already",
    remedy="Start a new server process for a new session.",
    needs_start=True,
)
def initialize_twice(session: Session, message: Message) -> Hits:
    return hit(message.number) if session.handshake.done else None


@rule(
    "initialize-unanswered",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.LIFECYCLE,
    source=f"{observed(Fault.NO_INITIALIZE_RESPONSE)}; 8 s is common advice",
    says="{what} {method} (record {n}){how_long?}",
    brief="{what} {method}{how_long?}{why?}",
    leads_to="{said?}",
    remedy="Answer initialize first, and do slow work (models, downloads, logins) afterwards.",
    requires="whole",
    fault=Fault.NO_INITIALIZE_RESPONSE,
    unless="server-exited-early server-crashed stdout-not-flushed",
    judges_probes=True,
    judges_outlines=True,
    loses_request=True,
)
def initialize_unanswered(session: Session) -> Hits:
    nowhere = sent_nowhere(session)
    # That a server is silent when it is only probed has a rule of its own, unless it is no server at all.
    request = session.handshake.initialize or (session.stateless.discover if nowhere else None)
    if request is None:
        return None
    gave_up = _gave_up(session, request)
    if request.state != PENDING and not gave_up:
        return _left_too_soon(session, request)
    waited = (request.cancelled_us if gave_up else session.end_us) - request.t_us
    if not gave_up and not waits_too_long(session, request, SLOW_START_US):
        return None
    left = session.timed and (gave_up or client_left(session, request))
    hasty = left and waited < SLOW_START_US
    soft = session.timed and (not session.ended or left) and waited < PING_US
    time = session.lasting(waited)
    if hasty:
        what, how_long = f"The client left after only {time} without an answer to", ""
    elif left:
        end = "gave up" if gave_up else "left"
        what, how_long = f"In {time} the server did not answer", f", then the client {end}"
    else:
        what, how_long = "The server has not answered", f" for {time}" if session.timed else ""
    said, quoted = heard(session, 0)
    if (
        not said
        and SERVER_TO_CLIENT not in session.traffic.first_line
        and not session.unfinished
        and not session.echo.seen
    ):
        said = wrote_nothing(session, "{} had come from it", "on")
    launched = (
        ""
        if quoted and not _FETCHES.search(" ".join(quoted))
        else launch_hint(session.process.argv, ended=False)
    )
    why = nowhere or launched or said
    return hit(
        request.number,
        level=Level.WARNING if soft and not nowhere else None,
        side=LAUNCH if nowhere else CLIENT if hasty else "",
        what=what,
        method=request.method,
        how_long=how_long,
        why=f": {why}" if why else "",
        said="; ".join(filter(None, (said, launched))),
        quoted=quoted,
        remedy=_remedy_of_silence(hasty, nowhere, bool(quoted)),
        reaction_seen=left,
    )


def _gave_up(session: Session, request: Request) -> bool:
    """Whether the client cancelled it after a silence that no client has to bear.

    That it cancels initialize is its own fault (TypeScript 1.x does so after 60 s), and not why there
    is no session.
    """
    if not session.timed or request.cancel is None or request.answer is not None:
        return False
    return request.cancelled_us - request.t_us >= SLOW_START_US


def _left_too_soon(session: Session, request: Request) -> Hits:
    """A client that waited, gave up, and was answered only then."""
    closed = session.process.client_closed
    if closed is None or not session.timed or request.state != ANSWERED:
        return None
    if session.handshake.initialized is not None or session.traffic.ordinary_requests:
        return None
    waited = closed.t_us - request.t_us
    if (request.answer or 0) < closed.number or not SCRIPT_US <= waited < SLOW_START_US:
        return None
    said, quoted = heard(session, 0)
    late = f"the answer came {session.lasting(request.answered_us - closed.t_us)} later (record {request.answer})"
    return hit(
        request.number,
        level=Level.WARNING,
        side=CLIENT,
        what=f"The client left after only {session.lasting(waited)} without an answer to",
        method=request.method,
        said="; ".join(filter(None, (late, said))),
        quoted=quoted,
        remedy=_remedy_of_silence(True, "", bool(quoted)),
        reaction_seen=True,
    )


def _remedy_of_silence(hasty: bool, nowhere: str, wrote: bool) -> str:
    """What to do about a server that did not answer initialize; empty for the rule's own words."""
    if nowhere:
        return "Correct the command in the client's configuration."
    if not hasty:
        return ""
    more = "ive the server more time (a start limit in the client's settings), or make its start quicker."
    return f"See whether what it wrote to stderr holds it up; else g{more}" if wrote else f"G{more}"


@rule(
    "initialize-error",
    handshake(Level.ERROR) | unknown(Level.ERROR),
    side=SERVER,
    on="s2c error initialize",
    stage=Stage.LIFECYCLE,
    source=LIFECYCLE,
    says='The server refused initialize (record {n}): {code} "{reason}"',
    leads_to="without it there is no session",
    remedy="Read the message; it is the server's own reason.",
    yields_to="era-legacy-client",
    loses_request=True,
)
def initialize_error(_session: Session, message: Message) -> Hits:
    error = message.error if isinstance(message.error, dict) else {}
    if error.get("code") == UNSUPPORTED_VERSION:
        return None
    return hit(message.number, code=as_json(error.get("code")), reason=quote(str(error.get("message", ""))))


@rule(
    "initialize-cancelled",
    Level.ERROR,
    side=CLIENT,
    on="c2s notification notifications/cancelled",
    stage=Stage.LIFECYCLE,
    source="handshake revisions, basic/utilities/cancellation: initialize must not be cancelled",
    says="The client cancelled initialize (record {n}), which is not allowed",
    remedy="Close the connection instead.",
)
def initialize_cancelled(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or request.method != "initialize":
        return None
    return hit(message.number, level=Level.INFO if _gave_up(session, request) else None)


@rule(
    "version-mismatch",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.LIFECYCLE,
    source=f"{LIFECYCLE}: version negotiation; {observed(Fault.UNKNOWN_REVISION)}",
    says='The server answered initialize (record {n}) with protocol version "{answered}"{why?}',
    leads_to='the client asked for "{requested}"{then}',
    remedy="Support a revision that the client knows, such as 2025-11-25.",
    requires="whole",
    fault=Fault.UNKNOWN_REVISION,
    unless="initialize-version-stateless",
    needs_start=True,
    loses_request=True,
)
def version_mismatch(session: Session) -> Hits:
    handshake = session.handshake
    opening, answered, requested = handshake.initialize, handshake.answered, handshake.requested
    if opening is None or not isinstance(answered, str) or answered == requested:
        return None
    went_on = handshake.initialized is not None or session.traffic.ordinary_requests > 0
    left = session.ended and session.process.client_is_gone and not went_on
    known = answered in HANDSHAKE_REVISIONS  # then it may be one that the clients with known ways take
    later = looks_stateless(answered)
    if later and went_on:
        return None  # a revision to come, of which nothing is known here
    if not known:
        why = ", which is newer than all that are known here" if later else ", which is no revision of MCP"
        then = " and went on all the same" if went_on else " and left" if left else ""
    elif left:
        why, then = ", and the client left without initialized", ""
    else:
        return None  # where it went on, the version was no obstacle
    return hit(
        opening.answer,
        answered=quote(answered, 40),
        requested=requested,
        why=why,
        then=then,
        remedy=f"Answer with {requested}, which the client asks for."
        if requested in HANDSHAKE_REVISIONS
        else "",
        reaction_seen=known,
    )


@rule(
    "initialize-version-stateless",
    Level.ERROR,
    side=SERVER,
    on="s2c result initialize",
    stage=Stage.LIFECYCLE,
    source=f"2026-07-28 basic/versioning: it has no initialize; {observed(Fault.STATELESS_HANDSHAKE)}",
    says="initialize was answered with {answered} (record {n}), a revision that has no initialize",
    leads_to="the TypeScript and Python clients reject it",
    remedy="Answer 2025-11-25, or implement server/discover.",
    fault=Fault.STATELESS_HANDSHAKE,
    loses_request=True,
)
def initialize_version_stateless(_session: Session, message: Message) -> Hits:
    result = message.result
    answered = result.get("protocolVersion") if isinstance(result, dict) else None
    if answered not in STATELESS_REVISIONS:
        return None
    return hit(message.number, answered=str(answered))


@rule(
    "version-echo-untrue",
    handshake(Level.WARNING) | unknown(Level.WARNING),
    side=SERVER,
    on="s2c result initialize",
    stage=Stage.LIFECYCLE,
    source=f"{LIFECYCLE}: the server must answer with a version that it supports",
    says='The server echoes the unknown version "{answered}" that it was given (record {n})',
    leads_to="what it does later may not match",
    remedy="Answer with the newest revision that the server really supports.",
)
def version_echo_untrue(session: Session, message: Message) -> Hits:
    answered = session.handshake.answered
    if not isinstance(answered, str) or answered != session.handshake.requested or not answered:
        return None
    if answered in HANDSHAKE_REVISIONS or looks_stateless(answered):
        return None
    return hit(message.number, answered=quote(answered, 40))


@rule(
    "probe-question-fatal",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.FLOW,
    source="JSON-RPC 2.0, sections 4 to 6: what is wrong is answered with an error, or ignored",
    says="After {question} (record {n}), which mcptap probe sent on purpose, the server {did}",
    brief="{question} of mcptap probe is more than the server takes: it {did}",
    remedy="Answer what is odd with an error, or ignore it, and go on reading.",
    requires="whole",
    about_questions=True,
)
def probe_question_fatal(session: Session) -> Hits:
    questions = session.questions
    waits = any(request.number in questions.provoked for request in session.requests.unanswered())
    if not questions.current or not waits or not session.ended:
        return None
    gone = session.process.server_ended_first
    did = f"ended with {session.process.ending}" if gone else "answers nothing any more"
    return hit(questions.begun, questions.current, question=questions.current, did=did)
