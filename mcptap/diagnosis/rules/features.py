"""Subscriptions of the handshake era, log levels, completion: what each of them promises."""

from __future__ import annotations

from typing import Any

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import handshake
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import CLIENT, SERVER, Hits, Stage, hit
from mcptap.diagnosis.explain.wording import as_json, quote
from mcptap.diagnosis.rules.common import side_of
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.parts.party import declares
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import LOG_LEVELS, META_LOG_LEVEL

_LEVEL_METHODS = frozenset({"logging/setLevel", "notifications/message"})


@rule(
    "subscribe-undeclared",
    handshake(Level.WARNING),
    side=SERVER,
    on="s2c result resources/subscribe, s2c error resources/subscribe",
    stage=Stage.CAPABILITY,
    source="handshake revisions, server/resources",
    says="resources/subscribe was {how} (record {n}), but the server does not declare resources.subscribe",
    remedy="Declare resources.subscribe: true, or do not subscribe.",
    needs_start=True,
)
def subscribe_undeclared(session: Session, message: Message) -> Hits:
    if session.server.capabilities is None or declares(session.server.capabilities, "resources.subscribe"):
        return None
    refused = message.error is not None
    return hit(message.number, side=CLIENT if refused else SERVER, how="refused" if refused else "accepted")


@rule(
    "updated-unsubscribed",
    handshake(Level.WARNING),
    side=SERVER,
    on="s2c notification notifications/resources/updated",
    stage=Stage.FLOW,
    source="handshake revisions, server/resources: subscriptions",
    says="The server announced an update of {uri} (record {n}), which nobody subscribed to",
    remedy="Notify only those who subscribed.",
    requires="whole",
    needs_start=True,
)
def updated_unsubscribed(session: Session, message: Message) -> Hits:
    uri = (message.params or {}).get("uri")
    if not isinstance(uri, str):
        return None
    covered = session.subscriptions.resources.covering(uri)
    if covered is not None:
        given_up = session.subscriptions.resources[covered]
        if given_up is None or session.raced(given_up, message.t_us):
            return None
    return hit(message.number, uri, uri=quote(uri, 80))


@rule(
    "log-level-ignored",
    handshake(Level.WARNING),
    side=SERVER,
    on="s2c notification notifications/message",
    stage=Stage.FLOW,
    source="handshake revisions, server/utilities/logging",
    says='A log message of level "{given}" arrived (record {n}) after logging/setLevel "{wanted}"',
    remedy="Send only messages of the level that was set, or worse.",
    requires="whole",
)
def log_level_ignored(session: Session, message: Message) -> Hits:
    wanted, level = session.log_levels.level, (message.params or {}).get("level")
    if (
        wanted not in LOG_LEVELS
        or level not in LOG_LEVELS
        or session.raced(session.log_levels.level_us, message.t_us)
    ):
        return None
    if LOG_LEVELS.index(str(level)) >= LOG_LEVELS.index(str(wanted)):
        return None
    return hit(message.number, str(level), given=level, wanted=wanted)


@rule(
    "log-level-invalid",
    Level.ERROR,
    side=CLIENT,
    on="c2s request, s2c notification notifications/message",
    stage=Stage.SHAPE,
    source="schema.ts of each revision: LoggingLevel; RFC 5424",
    says="{given} is no log level (record {n}, {method})",
    remedy="Use one of debug, info, notice, warning, error, critical, alert, emergency.",
    odd_only=True,
)
def log_level_invalid(_session: Session, message: Message) -> Hits:
    params = message.params
    if params is None:
        return None
    if message.method in _LEVEL_METHODS:
        level = params.get("level")
    elif message.revision.is_stateless:
        level = message.meta.get(META_LOG_LEVEL)
    else:
        return None
    if not isinstance(level, str) or level in LOG_LEVELS:
        return None
    return hit(message.number, level, side=side_of(message), given=as_json(level), method=message.method)


@rule(
    "completion-too-many",
    Level.ERROR,
    side=SERVER,
    on="s2c result completion/complete",
    stage=Stage.CONTENT,
    source="all revisions, server/utilities/completion: at most 100 values",
    says="completion/complete returned {count} values (record {n})",
    leads_to="at most 100 are allowed",
    remedy="Return the best 100 and set hasMore.",
)
def completion_too_many(_session: Session, message: Message) -> Hits:
    completion: Any = message.result.get("completion") if isinstance(message.result, dict) else None
    values = completion.get("values") if isinstance(completion, dict) else None
    if not isinstance(values, list) or len(values) <= 100:
        return None
    return hit(message.number, count=len(values))
