"""Params and results: do they have what the schema of their revision requires?"""

from __future__ import annotations

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import observed
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import known
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import quote
from mcptap.diagnosis.rules.common import side_of
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions import KNOWN
from mcptap.protocol.schema.shapes import method_facts, null_paths, param_faults, result_faults
from mcptap.wire import SERVER_TO_CLIENT

SCHEMA = "schema.ts of each revision"

FAULTS = {"initialize": Fault.OPENING_SHAPE, "tools/list": Fault.TOOLS_SHAPE}
"""Results without which a client has no session, or no tools: what it does about these was measured."""


@rule(
    "result-shape",
    Level.ERROR,
    side=SERVER,
    on="result",
    stage=Stage.CONTENT,
    source=f"{SCHEMA}; {observed(Fault.RESULT_SHAPE)}",
    says="In the result of {method} (record {n}), {path} {why}",
    leads_to="{effect}",
    remedy="Send every key that the schema requires, with its type.",
    requires="values",
    fault=Fault.RESULT_SHAPE,
    odd_only=True,
)
def result_shape(_session: Session, message: Message) -> Hits:
    request = message.request
    assert request is not None
    method = method_facts(message.revision, request.method)
    if method is None:
        return None
    faults = result_faults(method, message.result)
    if not faults:
        return None
    reader = "clients" if message.channel == SERVER_TO_CLIENT else "servers"
    effect = f"{reader} that check types throw the whole result away"
    return [
        hit(
            message.number,
            f"{request.method} {path}",
            side=side_of(message),
            method=request.method,
            path=path,
            why=why,
            effect=effect,
            fault=FAULTS.get(request.method),
        )
        for path, why in dict(faults).items()
    ]


@rule(
    "null-optional-field",
    Level.WARNING,
    side=SERVER,
    on="s2c result",
    stage=Stage.CONTENT,
    source=f"{SCHEMA} (optional is not nullable); {observed(Fault.NULL_FIELD)}",
    says="In the result of {method} (record {n}), {path} is null",
    leads_to="clients built on the TypeScript SDK reject the whole result",
    remedy="Leave the key out instead of sending null.",
    fault=Fault.NULL_FIELD,
    odd_only=True,
)
def null_optional_field(_session: Session, message: Message) -> Hits:
    request, result = message.request, message.result
    if request is None or type(result) is not dict or b"null" not in message.line.data:
        return None
    method = method_facts(message.revision, request.method)
    if method is None:
        return None
    paths = null_paths(method, result)
    if "structuredContent" in paths and message.revision.allows_any_structured_content:
        paths.remove("structuredContent")
    if not paths:
        return None
    return [
        hit(message.number, f"{request.method} {path}", method=request.method, path=path)
        for path in dict.fromkeys(paths)
    ]


@rule(
    "params-shape",
    Level.ERROR,
    side=CLIENT,
    on="request, notification",
    stage=Stage.SHAPE,
    source=SCHEMA,
    says="{method} (record {n}) was sent with a fault in its params: {key} {why}",
    remedy="Send every param that the schema requires, with its type.",
    requires="values",
    yields_to="message-shape",
    odd_only=True,
)
def params_shape(_session: Session, message: Message) -> Hits:
    method = method_facts(message.revision, message.method)
    if method is None or not method.params:
        return None
    faults = param_faults(method, message.params)
    # These two have rules of their own.
    faults = [f for f in faults if f[0] not in ("requestId", "progressToken")]
    if not faults:
        return None
    return [
        hit(
            message.number,
            f"{message.method} {key}",
            side=side_of(message),
            method=message.method,
            key=key,
            why=why,
        )
        for key, why in faults
    ]


@rule(
    "method-not-in-revision",
    known(Level.WARNING),
    side=CLIENT,
    on="request, notification",
    stage=Stage.CAPABILITY,
    source=f"{SCHEMA}; 2026-07-28 changelog",
    says="{method} (record {n}) does not exist in {revision}",
    leads_to="expect -32601, or silence",
    remedy="Ask only for what the agreed revision has.",
    yields_to="server-request-stateless era-mixed era-wrong-fallback client-capability-missing-* server-cancel",
    odd_only=True,
)
def method_not_in_revision(session: Session, message: Message) -> Hits:
    method, revision = message.method, message.revision
    if method not in KNOWN:
        return None
    if revision.is_stateless:
        if (
            message.request is not None
            and message.request.revision.is_stateless
            and session.handshake.done
            and not message.request.is_stateless
        ):
            # server/discover or subscriptions/listen within a handshake session
            revision = session.handshake.revision
        elif method == "initialize" or session.extends(method):
            return None
    if method in revision.methods:
        return None
    return hit(message.number, method, side=side_of(message), method=method, revision=revision)


@rule(
    "notification-unknown",
    Level.INFO,
    side=SERVER,
    on="notification ?",
    stage=Stage.CAPABILITY,
    source=observed(Fault.UNKNOWN_NOTIFICATION),
    says="{method} (record {n}) is no notification of MCP",
    leads_to="clients and servers ignore it",
    fault=Fault.UNKNOWN_NOTIFICATION,
)
def notification_unknown(_session: Session, message: Message) -> Hits:
    name = quote(message.method, 60)
    return hit(message.number, name, side=side_of(message), method=name)
