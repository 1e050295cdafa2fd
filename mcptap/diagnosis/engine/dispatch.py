"""Which rules are asked on which occasion, and what they say."""

from __future__ import annotations

from collections.abc import Iterable

from mcptap.diagnosis.engine.occasion import BY_METHOD, UNKNOWN_METHOD
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.rule import Check, Hit, Rule, Said, Transport
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions import KNOWN
from mcptap.recording.format.model import Event

Checks = tuple[tuple[Rule, Check], ...]


class Dispatch:
    """The rules that are asked about a session, looked up once for each occasion."""

    def __init__(self, session: Session, transport: Transport = Transport.STDIO) -> None:
        self._session = session
        self._transport = transport
        self._checks: dict[tuple[str, str, str, str], Checks] = {}

    def forget(self) -> None:
        """Look the rules up anew: the session turned out to be partial."""
        self._checks.clear()

    def checks(self, occasion: str, channel: str, subject: str, revision: str) -> Checks:
        """The rules to ask on an occasion. Methods that MCP does not know share one entry."""
        found = self._checks.get((occasion, channel, subject, revision))
        if found is not None:
            return found
        if subject and occasion in BY_METHOD and subject not in KNOWN:
            subject = UNKNOWN_METHOD
        key = (occasion, channel, subject, revision)
        found = self._checks.get(key)
        if found is None:
            found = self._checks[key] = tuple(
                (rule, rule.check)
                for rule in RULES.values()
                if revision in rule.levels
                and self._transport in rule.transports
                and not (rule.needs_start and self._session.partial)
                and any(waits_for.fits(channel, occasion, subject) for waits_for in rule.on)
            )
        return found

    def ask(self, checks: Iterable[tuple[Rule, Check]], about: Message | Event) -> list[tuple[Rule, Hit]]:
        """What rules say about a message or an event."""
        session = self._session
        hits: list[tuple[Rule, Hit]] = []
        for rule, check in checks:
            try:
                said = check(session, about)
            except RecursionError:
                continue  # JSON nearly as deep as Python can follow: what can't be looked at is not accused
            if said is not None:
                hits += [(rule, hit) for hit in as_list(said)]
        return hits


def as_list(said: Said) -> list[Hit]:
    """What a rule said, as a list."""
    if said is None:
        return []
    return said if isinstance(said, list) else [said]
