"""A session held against the lock: what is not as it was approved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcptap.protocol.contract.items import (
    INSTRUCTIONS,
    TOOL,
    Class,
    ItemChange,
    contract_hash,
    item_changes,
    rights,
    rights_changes,
    words_hash,
)
from mcptap.protocol.contract.lock import NOTHING_SAID, Lock, LockedItem, LockedServer
from mcptap.protocol.contract.matching import match
from mcptap.protocol.contract.offer import Offer, offer_of
from mcptap.protocol.model.parts.offers import Offered
from mcptap.protocol.model.session import Session
from mcptap.protocol.schema.compare.changes import CANNOT_BE_JUDGED
from mcptap.text.enumeration import listed
from mcptap.text.units import counted

SERVER = "server"
"""In place of the kind of an item: what the server says of itself."""
ONLY_HASH = "only its hash is in the lock"


@dataclass(frozen=True, slots=True)
class Difference:
    """All that changed in one item in one class. `number` is the record that shows it."""

    kind: str
    name: str
    cls: Class
    changes: tuple[ItemChange, ...] = ()
    number: int | None = None
    is_same_version: bool = False
    """Whether the server gives the version that it had when the item was approved."""
    of: str = ""
    """The version that it gives."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a session came to under a lock. Without `server` the lock knows nothing of it."""

    server: LockedServer | None
    differences: tuple[Difference, ...] = ()
    added: tuple[str, ...] = ()
    """What is not in the lock, and may hang on what the client declares; so nothing is said of it."""
    notes: tuple[str, ...] = ()
    """What was not compared, in sentences."""
    near: str = ""
    """A server of the lock that it might be, and why that is not sure."""
    why: str = ""


def judged(session: Session) -> Comparison | None:
    """The session, which keeps offers, held against its lock; None if it showed nothing that locks are about.

    The answer stays with the session until that shows more.
    """
    offers, lock = session.offers, session.lock
    if offers is None or lock is None:
        return None
    known = offers.compared
    if known is None or known[0] != offers.count:
        offer = offer_of(session)
        known = offers.compared = offers.count, compare(lock, offer) if offer.asked else None
    return known[1] if isinstance(known[1], Comparison) else None


def compare(lock: Lock, offer: Offer) -> Comparison:
    """Hold what a session showed against the lock."""
    found = match(lock, offer)
    if found.server is None:
        return Comparison(None, near=found.near, why=found.why)
    return compare_with(found.server, offer, lock)


def compare_with(server: LockedServer, offer: Offer, lock: Lock) -> Comparison:
    """Hold what a session showed against one server of the lock."""
    differences: list[Difference] = []
    notes: list[str] = []
    more = sorted(offer.declared - set(server.declared))
    added: list[str] = []
    missing: list[str] = []
    masked: list[str] = []
    for key, offered in offer.items.items():
        known = server.items.get(key, NOTHING_SAID if key[0] == INSTRUCTIONS else None)
        if key in offer.masked and key in server.items:
            masked.append(key[1] or key[0])
        elif known is not None:
            differences += _changed(known, offered, server, offer, lock)
        elif more:
            added.append(key[1])
        elif key[0] in server.lists:
            differences.append(Difference(*key, Class.NEW, (), offered.number))
    for key, known in server.items.items():
        if key in offer.items or key[0] not in offer.whole:
            continue
        if set(known.needs) - offer.declared:
            missing.append(key[1])
        else:
            differences.append(Difference(*key, Class.GONE))
    differences += _capabilities(server, offer)
    if added:
        notes.append(
            f"{_count(added)} not in {lock.path}: the client declares {listed(more)}, which the one that was "
            "locked did not, and lists may hang on that; so nothing is said of them"
        )
    if masked:
        notes.append(
            f"{_count(masked)} not compared, since secrets there were masked when the recording was exported"
        )
    if missing:
        notes.append(f"{_count(missing)} not listed; that may hang on what the client declares")
    if cut := sorted(offer.cut):
        notes.append(
            f"{listed([f'{kind}s' for kind in cut])} were listed in part: nothing is said to be gone"
        )
    return Comparison(server, tuple(differences), tuple(added), tuple(notes))


def _count(names: list[str]) -> str:
    return f"{counted(len(names), 'item')} ({listed(names, 3)}) {'is' if len(names) == 1 else 'are'}"


def _changed(
    known: LockedItem, offered: Offered, server: LockedServer, offer: Offer, lock: Lock
) -> Iterator[Difference]:
    """What changed in an item, by class."""
    if known.full == offered.definition:
        return
    if known.full is not None:
        changes = item_changes(known.kind, known.full, offered.definition, offer.revision)
    elif offer.revision == server.revision:
        changes = _by_hash(known, offered)
    else:
        return
    is_same = bool(offer.version) and offer.version in (known.version or server.version, server.version)
    for cls in Class:
        some = tuple(
            change
            for change in changes
            if change.cls is cls and not (cls is Class.WORDS and _is_overlooked(change, lock))
        )
        if some:
            yield Difference(*known.key, cls, some, offered.number, is_same, offer.version)


def _is_overlooked(change: ItemChange, lock: Lock) -> bool:
    return lock.overlooks is not None and lock.overlooks(change.steps, change.old, change.new)


def _by_hash(known: LockedItem, offered: Offered) -> list[ItemChange]:
    kind, item = known.kind, offered.definition
    found = []
    if words_hash(kind, item) != known.words:
        found.append(ItemChange(Class.WORDS, (), ONLY_HASH))
    if contract_hash(kind, item) != known.contract:
        found.append(ItemChange(Class.BROKEN, (), f"{CANNOT_BE_JUDGED}: {ONLY_HASH}"))
    if kind == TOOL:
        found += rights_changes(known.rights, rights(item))
    return found


def _capabilities(server: LockedServer, offer: Offer) -> Iterator[Difference]:
    """What the server no longer declares; only to a client of the same revision."""
    if offer.opened_at is None or offer.revision != server.revision:
        return
    before = set(server.capabilities)
    lost = {path for path in before - offer.capabilities if not path.endswith(".listChanged")}
    gone = sorted(path for path in lost if path.rpartition(".")[0] not in lost)
    if gone:
        changes = tuple(
            ItemChange(Class.BROKEN, ("capabilities", path), f"{path} is no longer declared") for path in gone
        )
        yield Difference(SERVER, "", Class.BROKEN, changes, offer.opened_at)
