"""Revision 2026-07-28: requests for input, subscriptions, log messages."""

from __future__ import annotations

from typing import Any

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import stateless
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hit, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import as_json, quote
from mcptap.protocol.model.ids import as_id
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.party import declares
from mcptap.protocol.model.request import ERROR
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import INPUT_REQUIRED, META_SUBSCRIPTION
from mcptap.text.enumeration import listed

MRTR = "2026-07-28 basic/patterns/mrtr"
SUBSCRIPTIONS = "2026-07-28 basic/patterns/subscriptions"


def _asks_for_input(message: Message) -> bool:
    result = message.result
    return type(result) is dict and result.get("resultType") == INPUT_REQUIRED


@rule(
    "input-required-misplaced",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c result",
    stage=Stage.CONTENT,
    source=MRTR,
    says="{method} (record {n}) was answered input_required",
    leads_to="only tools/call, prompts/get and resources/read may be",
    remedy="Answer this method completely.",
)
def input_required_misplaced(_session: Session, message: Message) -> Hits:
    request = message.request
    if (
        request is None
        or request.method in message.revision.may_ask_for_input
        or not _asks_for_input(message)
    ):
        return None
    return hit(message.number, request.method, method=request.method)


@rule(
    "input-required-shape",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c result",
    stage=Stage.CONTENT,
    source=MRTR,
    says="The request for input in the result of {method} (record {n}) {why}",
    leads_to="the client cannot continue",
    remedy="Send inputRequests with sampling/createMessage, elicitation/create or roots/list, or a requestState.",
)
def input_required_shape(_session: Session, message: Message) -> Hits:
    if not _asks_for_input(message) or message.request is None:
        return None
    wanted, state = message.result.get("inputRequests"), message.result.get("requestState")
    if not wanted and state is None:
        why = "is empty: neither inputRequests nor requestState"
    elif wanted is not None and not isinstance(wanted, dict):
        why = "has inputRequests that is not an object"
    else:
        known = list(message.revision.input_methods)  # what is asked for may be no text, and have no hash
        unknown = [
            ask.get("method") if isinstance(ask, dict) else ask
            for ask in (wanted or {}).values()
            if not isinstance(ask, dict) or ask.get("method") not in known
        ]
        if not unknown:
            return None
        why = f"asks for something unknown ({as_json(unknown[0])})"
    return hit(message.number, message.request.method, method=message.request.method, why=why)


def needed_capabilities(method: str, params: Any) -> list[str]:
    """Which client capabilities a request of the server needs, as paths, most telling first."""
    params = params if isinstance(params, dict) else {}
    if method == "sampling/createMessage":
        return ["sampling.tools", "sampling"] if params.get("tools") else ["sampling"]
    if method == "elicitation/create":
        return ["elicitation.url"] if params.get("mode") == "url" else ["elicitation.form"]
    return ["roots"] if method == "roots/list" else []


def client_declares(capabilities: dict[str, Any] | None, path: str) -> bool:
    """Whether a client declared this capability; `elicitation: {}` means forms."""
    if path == "elicitation.form":
        declared = (capabilities or {}).get("elicitation")
        if isinstance(declared, dict) and "url" not in declared:
            return True
    return declares(capabilities, path)


@rule(
    "input-required-undeclared",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c result",
    stage=Stage.CAPABILITY,
    source=f"{MRTR}: must not ask for what the client did not declare",
    says="The result of {method} (record {n}) asks for {capability}, which this client did not declare",
    leads_to="a client without it cannot give that",
    remedy="Look at clientCapabilities of the request first; return -32021, or do without.",
)
def input_required_undeclared(session: Session, message: Message) -> Hits:
    request = message.request
    if request is None or request.params is None or not _asks_for_input(message):
        return None
    declared = session.client_capabilities_for(request)
    wanted = message.result.get("inputRequests")
    if declared is None or not isinstance(wanted, dict):
        return None
    missing: list[str] = []
    for ask in wanted.values():
        if isinstance(ask, dict):
            needs = needed_capabilities(str(ask.get("method")), ask.get("params"))
            missing += [path for path in needs if not client_declares(declared, path)][-1:]
    return [
        hit(message.number, path, method=request.method, capability=path) for path in dict.fromkeys(missing)
    ]


@rule(
    "input-retry",
    stateless(Level.ERROR),
    side=CLIENT,
    on="c2s request",
    stage=Stage.FLOW,
    source=MRTR,
    says="The retry of {method} (record {n}) {why}",
    remedy="Use a new id, and send requestState back exactly as it was given.",
    requires="values",
    needs_start=True,
)
def input_retry(session: Session, message: Message) -> Hits:
    params = message.params
    if params is None or ("inputResponses" not in params and "requestState" not in params):
        return None
    wait, given = session.stateless.retry, params.get("requestState")
    if wait is None:
        if given is None:
            return None
        why = "sends a requestState that no result gave"
    elif wait.id == message.id:
        why = "uses the id of the first try again"
    elif wait.state is not None and given != wait.state:
        why = (
            "changes the requestState it was given"
            if given is not None
            else "leaves out the requestState it was given"
        )
    elif wait.state is None and given is not None:
        why = "sends a requestState that it was not given"
    else:
        return None
    return hit(message.number, message.method, method=message.method, why=why)


@rule(
    "input-unfulfilled",
    Level.INFO,
    side=CLIENT,
    on="state",
    stage=Stage.FLOW,
    source=MRTR,
    says="The server wanted input ({kinds}) for {method} (record {n}) and the client never came back",
    leads_to="so the call came to nothing",
    requires="whole",
)
def input_unfulfilled(session: Session) -> Hits:
    if not session.ended:
        return None
    return [
        hit(
            wait.answer,
            wait.method,
            method=wait.method,
            kinds=listed(list(wait.kinds)) if wait.kinds else "another try",
        )
        for wait in session.stateless.waits
        if not wait.retried
    ]


@rule(
    "subscription-ack",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c notification, state",
    stage=Stage.FLOW,
    source=f"{SUBSCRIPTIONS}: the acknowledgement must be the first notification",
    says="The subscription of record {asked} was not acknowledged {how} (record {n})",
    brief="A subscription was not acknowledged {how}",
    remedy="Send notifications/subscriptions/acknowledged before anything else of a subscription.",
    requires="order whole",
    unless="server-crashed",
    needs_start=True,
)
def subscription_ack(session: Session, message: Message | None = None) -> Hits:
    listens = session.subscriptions.listens
    if not listens:
        return None
    if message is not None:
        key = as_id(message.meta.get(META_SUBSCRIPTION))
        listen = None if key is None else listens.get(key)
        if listen is None or listen.early_notification != message.number:
            return None
        return hit(message.number, str(key), asked=listen.request.number, how="first: something else came")
    hits: list[Hit] = []
    for key, listen in listens.items():
        if (
            listen.acknowledged is not None
            or listen.early_notification is not None
            or listen.request.state == ERROR
        ):
            continue
        until = listen.closed_us if listen.closed_us is not None else session.end_us
        over = listen.closed_us is not None or session.ended
        if over and (not session.timed or until - listen.request.t_us >= 1_000_000):
            hits.append(hit(listen.request.number, str(key), asked=listen.request.number, how="at all"))
    return hits


@rule(
    "subscription-id",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c notification notifications/*",
    stage=Stage.FLOW,
    source=f"{SUBSCRIPTIONS}: each notification carries its subscriptionId",
    says="{method} (record {n}) belongs to no open subscription ({why})",
    leads_to="a client cannot tell which of its subscriptions it is for",
    remedy="Send changes only to a client that listens, with the id of its subscriptions/listen request.",
    requires="whole",
    needs_start=True,
)
def subscription_id(session: Session, message: Message) -> Hits:
    if message.method not in message.revision.subscription_filters:
        return None
    key = as_id(message.meta.get(META_SUBSCRIPTION))
    if key is None:
        return hit(message.number, message.method, method=message.method, why="it has no subscriptionId")
    listen = session.subscriptions.listens.get(key)
    if listen is not None and (listen.closed_us is None or session.raced(listen.closed_us, message.t_us)):
        return None
    why = f"{as_json(message.meta[META_SUBSCRIPTION])} is no subscription that is open"
    return hit(message.number, message.method, method=message.method, why=why)


@rule(
    "subscription-unrequested",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c notification notifications/*",
    stage=Stage.FLOW,
    source=f"{SUBSCRIPTIONS}: must not send what was not asked for",
    says="The client did not ask for {method}{which?} in its subscription (record {n})",
    remedy="Send only what the filter of subscriptions/listen names.",
    requires="whole",
    needs_start=True,
)
def subscription_unrequested(session: Session, message: Message) -> Hits:
    wanted = message.revision.subscription_filters.get(message.method)
    key = as_id(message.meta.get(META_SUBSCRIPTION)) if wanted is not None else None
    listen = None if key is None else session.subscriptions.listens.get(key)
    if listen is None or wanted is None:
        return None
    asked = listen.filter.get(wanted)
    which = ""
    if message.method == "notifications/resources/updated":
        uri = (message.params or {}).get("uri")
        if not isinstance(uri, str):
            return None
        if isinstance(asked, list) and any(isinstance(a, str) and _covers(a, uri) for a in asked):
            return None
        which = f" of {quote(uri, 80)}"
    elif asked:
        return None
    return hit(message.number, message.method, method=message.method, which=which)


def _covers(subscribed: str, uri: str) -> bool:
    """Whether a URI is the subscribed one or lies below it."""
    return uri == subscribed or uri.startswith(subscribed.rstrip("/") + "/")


@rule(
    "log-unrequested",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c notification notifications/message",
    stage=Stage.FLOW,
    source="2026-07-28 server/utilities/logging: only for a request that carries logLevel",
    says="The server sent a log message (record {n}) that no request in flight asked for",
    leads_to="a client may drop it",
    remedy="Log only for requests with logLevel in _meta; send the rest to stderr.",
    requires="whole",
    needs_start=True,
)
def log_unrequested(session: Session, message: Message) -> Hits:
    levels = session.log_levels
    if levels.requests:
        return None
    if levels.request_ended_us is not None and session.raced(levels.request_ended_us, message.t_us):
        return None
    return hit(message.number)


@rule(
    "server-cancel",
    stateless(Level.ERROR),
    side=SERVER,
    on="s2c notification notifications/cancelled",
    stage=Stage.FLOW,
    source="2026-07-28 basic/patterns/cancellation",
    says="The server cancelled {which} (record {n})",
    leads_to="it may only end subscriptions",
    remedy="Answer the request with an error instead.",
    requires="directions",
    needs_start=True,
)
def server_cancel(session: Session, message: Message) -> Hits:
    wanted = as_id((message.params or {}).get("requestId"))
    if wanted is not None and wanted in session.subscriptions.listens:
        return None
    return hit(message.number, which="something" if wanted is None else f"request {quote(str(wanted), 40)}")
