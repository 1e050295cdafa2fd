"""What a server offers now, held against what somebody approved (mcptap.lock).

They speak only where a lock was given. None says that a text is bad: it is another one than the one that
was approved.
"""

from __future__ import annotations

from collections.abc import Callable, Set

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import SERVER, Hit, Hits, Stage, hit
from mcptap.protocol.contract.items import PROMPT, TOOL, Class
from mcptap.protocol.contract.judgement import Difference, judged
from mcptap.protocol.contract.wording import changes_of, item_of
from mcptap.protocol.model.session import Session
from mcptap.text.enumeration import listed

APPROVE = "Look at it; if it is meant, approve it: mcptap lock FILE --update."
MANY = 4
"""From so many items on of which the same is to be said, it is said once."""


def _said(session: Session, cls: Class, words: Callable[[Difference], str]) -> list[Hit]:
    """A hit for each item that changed in this class; one for many of which the same is to be said."""
    compared = judged(session)
    alike: dict[tuple[str, str], list[Difference]] = {}
    for one in compared.differences if compared is not None else ():
        if one.cls is cls:
            alike.setdefault((one.kind, words(one)), []).append(one)
    hits: list[Hit] = []
    for (_, what), some in alike.items():
        if len(some) < MANY:
            hits += [_hit(item_of(one), one, what) for one in some]
        else:
            names = listed([item_of(one) for one in some], 3)
            first, *others = some
            hits.append(_hit(names, first, what, {one.number for one in others if one.number is not None}))
    return hits


def _hit(item: str, one: Difference, what: str, more: Set[int] = frozenset()) -> Hit:
    number = one.number
    return hit(
        number,
        item,
        more_records=tuple(sorted(more)),
        item=item,
        what=what,
        at=f" (record {number})" if number is not None else "",
    )


@rule(
    "lock-words-changed",
    Level.WARNING,
    side=SERVER,
    on="state",
    stage=Stage.LOCK,
    source="mcptap.lock: titles, descriptions, instructions, defaults",
    says="The words of {item}{at} differ from those that were approved: {what}",
    remedy=f"A model reads these words. {APPROVE}",
    requires="values",
    about_lock=True,
)
def lock_words_changed(session: Session) -> Hits:
    return _said(session, Class.WORDS, changes_of)


@rule(
    "lock-contract-broken",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.LOCK,
    source="mcptap.lock: input and output schemas, arguments of prompts, capabilities",
    says="The contract of {item}{at} is not the one that was approved: {what}",
    leads_to="calls that worked may fail",
    remedy=f"Change what uses it, or go back to the version that was locked. {APPROVE}",
    requires="values",
    about_lock=True,
)
def lock_contract_broken(session: Session) -> Hits:
    return _said(session, Class.BROKEN, changes_of)


@rule(
    "lock-contract-wider",
    Level.INFO,
    side=SERVER,
    on="state",
    stage=Stage.LOCK,
    source="mcptap.lock: input and output schemas, arguments of prompts",
    says="More is taken or given by {item}{at} than was approved: {what}",
    remedy=APPROVE,
    requires="values",
    about_lock=True,
)
def lock_contract_wider(session: Session) -> Hits:
    return _said(session, Class.WIDER, changes_of)


@rule(
    "annotation-weakened",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.LOCK,
    source="mcptap.lock; 2025-03-26 and later, schema: ToolAnnotations",
    says="Less is promised of {item}{at} than was approved: {what}",
    leads_to="what was allowed to run without a question may do harm now",
    remedy=f"Take back what clients may do with it unasked. {APPROVE}",
    requires="values",
    about_lock=True,
)
def annotation_weakened(session: Session) -> Hits:
    return _said(session, Class.WEAKENED, changes_of)


@rule(
    "annotation-changed",
    Level.INFO,
    side=SERVER,
    on="state",
    stage=Stage.LOCK,
    source="mcptap.lock; 2025-03-26 and later, schema: ToolAnnotations (hints, never to be trusted)",
    says="Other hints are given of {item}{at} than were approved: {what}",
    remedy=f"Some clients run without a question what is called read-only. {APPROVE}",
    requires="values",
    about_lock=True,
)
def annotation_changed(session: Session) -> Hits:
    return _said(session, Class.RIGHTS, changes_of)


@rule(
    "lock-item-new",
    Level.WARNING,
    side=SERVER,
    on="state",
    stage=Stage.LOCK,
    source="mcptap.lock",
    says="Not among what was approved: {item}{at?}{what?}",
    remedy=APPROVE,
    requires="values",
    about_lock=True,
)
def lock_item_new(session: Session) -> Hits:
    return _by_kind(session, Class.NEW, (TOOL,), Level.WARNING)


@rule(
    "lock-item-gone",
    Level.ERROR,
    side=SERVER,
    on="state",
    stage=Stage.LOCK,
    source="mcptap.lock; said only of lists that were read to their last page",
    says="Approved, and no longer listed: {item}{at?}{what?}",
    remedy=f"Change what uses it, or go back to the version that was locked. {APPROVE}",
    requires="values",
    about_lock=True,
)
def lock_item_gone(session: Session) -> Hits:
    return _by_kind(session, Class.GONE, (TOOL, PROMPT), Level.ERROR)


def _by_kind(session: Session, cls: Class, kinds: tuple[str, ...], level: Level) -> list[Hit]:
    """Hits of this level for items of these kinds; of others, which may be data, at level info."""
    hits = _said(session, cls, lambda _: "")
    for one in hits:
        one.level = level if one.subject.startswith(kinds) else Level.INFO
    return hits


@rule(
    "lock-server-unknown",
    Level.WARNING,
    side=SERVER,
    on="state",
    stage=Stage.LOCK,
    source="mcptap.lock",
    says="The lock has no server that is this one{near?}",
    leads_to="nothing that it offers was approved",
    remedy="Lock it (mcptap lock FILE), or say which one it is: --lock FILE#NAME.",
    requires="values",
    about_lock=True,
)
def lock_server_unknown(session: Session) -> Hits:
    compared = judged(session)
    if compared is None or compared.server is not None:
        return None
    near = f'; it might be "{compared.near}", but {compared.why}' if compared.near else ""
    opening = session.offers.opening if session.offers is not None else None
    return hit(None if opening is None else opening.number, near=near)
