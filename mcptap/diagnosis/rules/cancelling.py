"""Cancellation and progress."""

from __future__ import annotations

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import handshake, stateless, unknown
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import as_json, quote
from mcptap.diagnosis.rules.common import id_before, side_of
from mcptap.protocol.model.ids import OddId, as_id, spell_id
from mcptap.protocol.model.message import Match, Message
from mcptap.protocol.model.session import Session
from mcptap.wire import SERVER_TO_CLIENT, other_side

CANCELLATION = "basic/utilities/cancellation"
PROGRESS = "all revisions, basic/utilities/progress"


@rule(
    "cancelled-then-answered",
    handshake(Level.WARNING) | unknown(Level.WARNING) | stateless(Level.ERROR),
    side=SERVER,
    on="result, error, s2c notification notifications/progress",
    stage=Stage.FLOW,
    source=f"handshake revisions, {CANCELLATION}: should not; 2026-07-28 basic/transports/stdio: must not",
    says="{What} {method} ({id?}record {n}) came after it was cancelled (record {cancel})",
    leads_to="the other side is to ignore it",
    remedy="Stop working on a cancelled request, and send nothing more for it.",
    requires="order",
    odd_only=True,
)
def cancelled_then_answered(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or request.cancel is None or request.method == "subscriptions/listen":
        return None
    notification = message.kind == "notification"
    if notification and (not message.revision.is_stateless or request.answer is not None):
        return None
    raced = session.raced(request.cancelled_us, message.t_us)
    return hit(
        message.number,
        request.tool or request.method,
        level=Level.INFO if raced else None,
        side=side_of(message),
        what="progress of" if notification else "the answer to",
        method=request.method,
        id=id_before(session, request),
        cancel=request.cancel,
    )


@rule(
    "cancel-unknown",
    Level.WARNING,
    side=CLIENT,
    on="notification notifications/cancelled",
    stage=Stage.FLOW,
    source=f"all revisions, {CANCELLATION}; schema (requestId is optional in 2025-11-25)",
    says="A cancellation (record {n}) names {which}",
    remedy="Cancel only what is open, by its id.",
    requires="order directions whole",
    yields_to="initialize-cancelled server-cancel",
    needs_start=True,
)
def cancel_unknown(session: Session, message: Message) -> Hits:
    if message.id is None:
        if message.revision.cancels_without_id:
            return None
        return hit(
            message.number, level=Level.ERROR, side=side_of(message), which="no request: requestId is absent"
        )
    if message.channel == SERVER_TO_CLIENT and message.id in session.subscriptions.listens:
        return None  # a server of 2026-07-28 ends a subscription so; the id is the client's
    which = f"request {quote(spell_id(message.id), 40)}"
    if message.match == Match.UNKNOWN:
        return hit(message.number, side=side_of(message), which=f"{which}, which was never sent")
    if message.match != Match.CLOSED:
        return None
    request = message.request
    if request is not None and session.raced(request.answered_us, message.t_us):
        return None
    return hit(
        message.number,
        level=Level.INFO,
        side=side_of(message),
        which=f"{which}, which was answered long before",
    )


@rule(
    "progress-token-unknown",
    Level.ERROR,
    side=SERVER,
    on="notification notifications/progress",
    stage=Stage.FLOW,
    source=f"{PROGRESS}: tokens must be those of a request; observed: TypeScript reports an error, others ignore it",
    says="Progress for the token {token} (record {n}), which no request gave{hint?}",
    remedy="Send progress only for requests with a progressToken, and with that very token.",
    requires="values whole",
    needs_start=True,
)
def progress_token_unknown(session: Session, message: Message) -> Hits:
    if message.request is not None or message.params is None:
        return None
    token = as_id(message.params.get("progressToken"))
    tokens = session.progress[other_side(message.channel)]
    if token is None or tokens.was_given(token):
        return None
    near = tokens.find_other_type(token)
    return hit(
        message.number,
        side=side_of(message),
        level=Level.WARNING if near is not None else None,
        token=quote(spell_id(token), 40),
        hint=f" (it gave {spell_id(near.request.token)}, of another type)" if near is not None else "",
    )


@rule(
    "progress-after-response",
    Level.ERROR,
    side=SERVER,
    on="notification notifications/progress",
    stage=Stage.FLOW,
    source=f"{PROGRESS}: must stop after completion",
    says="Progress for the token {token} came (record {n}) after its request was answered{where?}",
    remedy="Stop the progress before the answer is sent.",
    requires="order",
)
def progress_after_response(session: Session, message: Message) -> Hits:
    if message.params is None:
        return None
    token = as_id(message.params.get("progressToken"))
    if token is None:
        return None
    tokens = session.progress[other_side(message.channel)]
    request, where, subject = message.request, "", ""
    if request is not None:
        progress = tokens.find(token)
        if request.answer is None or (progress is not None and progress.kept):
            return None
        if session.raced(request.answered_us, message.t_us):
            return None
        where, subject = f" in record {request.answer}", request.tool or request.method
    elif not tokens.was_given(token):
        return None
    return hit(message.number, subject, side=side_of(message), token=quote(spell_id(token), 40), where=where)


@rule(
    "progress-not-increasing",
    Level.ERROR,
    side=SERVER,
    on="notification notifications/progress",
    stage=Stage.FLOW,
    source=f"{PROGRESS}: the value must increase with each notification",
    says="Progress for the token {token} of {method} went from {before} to {after} (record {n})",
    leads_to="a bar that shows it stands still",
    remedy="Send a value that grows with each notification; the total may be unknown or change.",
    requires="order values",
)
def progress_not_increasing(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or request.token is None:
        return None
    progress = session.progress[request.channel].find(request.token)
    if (
        progress is None
        or progress.previous is None
        or progress.last is None
        or progress.last > progress.previous
    ):
        return None
    return hit(
        message.number,
        request.tool or request.method,
        side=side_of(message),
        token=quote(spell_id(request.token), 40),
        method=request.method,
        before=as_json(progress.previous),
        after=as_json(progress.last),
    )


@rule(
    "progress-token-invalid",
    Level.ERROR,
    side=CLIENT,
    on="request",
    stage=Stage.FLOW,
    source=f"{PROGRESS}: a string or integer, unique across active requests",
    says="The progress token {token} of {method} (record {n}) {why}",
    remedy="Use a string or an integer that no other open request uses.",
    requires="values",
    odd_only=True,
)
def progress_token_invalid(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or request.token is None:
        return None
    clash = session.progress[request.channel].clash
    if type(request.token) is OddId:
        why = "is neither a string nor an integer"
    elif clash is not None:
        why = f"is also that of the open request in record {clash.number}"
    else:
        return None
    side = side_of(message)
    return hit(
        message.number, side=side, token=quote(spell_id(request.token), 40), method=request.method, why=why
    )
