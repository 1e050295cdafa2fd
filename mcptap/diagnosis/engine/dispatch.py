"""Which rules are asked on which occasion, and what they say."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from mcptap.diagnosis.engine.occasion import BY_METHOD, UNKNOWN_METHOD
from mcptap.diagnosis.engine.ordinary import AMONG, FINE_RESULT
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.rule import Check, Hit, Hits, Rule, Transport
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions import KNOWN
from mcptap.recording.format.events import KINDS
from mcptap.recording.format.model import Event

Checks = tuple[tuple[Rule, Check], ...]
Key = tuple[str, str, str, str]
"""Occasion, channel, subject and revision; what does not count is empty."""


class Dispatch(dict[Key, Checks]):
    """The rules to ask about a session on an occasion: `dispatch[occasion, channel, subject, revision]`.

    They are looked up at the first time. Methods that MCP does not know share one entry, and so do events
    of unknown kinds.
    """

    def __init__(self, session: Session, transport: Transport = Transport.STDIO) -> None:
        super().__init__()
        self._session = session
        self._transport = transport
        self._of_outlines: dict[Key, Checks] = {}

    def __missing__(self, key: Key) -> Checks:
        occasion, channel, subject, revision = key
        if subject and occasion in BY_METHOD and subject not in KNOWN and subject != UNKNOWN_METHOD:
            return self[occasion, channel, UNKNOWN_METHOD, revision]
        if occasion == "event" and subject not in KINDS and subject != UNKNOWN_METHOD:
            return self[occasion, channel, UNKNOWN_METHOD, revision]
        found = self[key] = _checks(key, self._session.partial, self._transport)
        return found

    def of_outline(self, key: Key) -> Checks:
        """Those of them that also judge a message of which only an outline is known."""
        found = self._of_outlines.get(key)
        if found is None:
            found = tuple((rule, check) for rule, check in self[key] if rule.judges_outlines)
            self._of_outlines[key] = found
        return found

    def clear(self) -> None:
        """Look them up anew: what the session can prove has changed."""
        super().clear()
        self._of_outlines.clear()


@lru_cache(maxsize=1 << 14)
def _checks(key: Key, partial: bool, transport: Transport) -> Checks:
    """The rules for a key; all sessions share them, since looking them up takes long."""
    occasion, channel, subject, revision = key
    is_ordinary, is_fine = occasion in AMONG, occasion == FINE_RESULT
    occasion = AMONG.get(occasion, occasion)
    return tuple(
        (rule, rule.check)
        for rule in RULES.values()
        if revision in rule.levels
        and transport in rule.transports
        and not (rule.needs_start and partial)
        and not (rule.odd_only and is_ordinary)
        and not (rule.failures_only and is_fine)
        and any(waits_for.fits(channel, occasion, subject) for waits_for in rule.on)
    )


def ask(
    checks: Iterable[tuple[Rule, Check]], session: Session, about: Message | Event
) -> list[tuple[Rule, Hit]]:
    """What rules say about a message or an event."""
    found: list[tuple[Rule, Hit]] = []
    for rule, check in checks:
        hits = check(session, about)
        if type(hits) is Hit:
            found.append((rule, hits))
        elif hits:
            found += [(rule, hit) for hit in as_list(hits)]
    return found


def as_list(hits: Hits) -> list[Hit]:
    """What a rule returned, as a list."""
    if hits is None:
        return []
    return hits if isinstance(hits, list) else [hits]
