"""Which server of a lock a session is of.

Not by its command alone, which differs from machine to machine, nor by the name that it gives itself alone,
which several share that are started with different arguments.
"""

from __future__ import annotations

from dataclasses import dataclass

from mcptap.protocol.contract.lock import Lock, LockedServer, shape_of
from mcptap.protocol.contract.offer import Offer


@dataclass(frozen=True, slots=True)
class Match:
    """The locked server that a session is of; if None, one that it might be (`near`), and `why` not."""

    server: LockedServer | None
    near: str = ""
    why: str = ""


def match(lock: Lock, offer: Offer) -> Match:
    """The server of the lock that was seen in a session."""
    if lock.only:
        return Match(lock.servers[lock.only])
    if offer.label in lock.servers:
        return Match(lock.servers[offer.label])
    servers = list(lock.servers.values())
    alike = [one for one in servers if one.command == offer.command] if offer.command else []
    named = [one for one in servers if one.info_name == offer.info_name] if offer.info_name else []
    found = [one for one in alike if one in named] or alike
    if not found and offer.command:
        shape = shape_of(offer.command)
        found = [one for one in named if shape_of(one.command) == shape]
    elif not found:
        found = named
    if len(found) == 1:
        return Match(found[0])
    if found:
        return Match(None, found[0].name, "several fit it")
    if named:
        return Match(None, named[0].name, "it is started otherwise")
    return Match(None)
