"""What a server offered in a session, as it is locked or compared with a lock."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mcptap.masking.signs import OPEN
from mcptap.protocol.contract.items import INSTRUCTIONS, METHODS
from mcptap.protocol.contract.lock import NOTHING_SAID, Key, LockedServer, command_of, locked
from mcptap.protocol.model.parts.offers import Offered, capability_paths
from mcptap.protocol.model.session import Session
from mcptap.recording.paths import server_name


@dataclass(frozen=True, slots=True)
class Offer:
    """What one session showed of a server."""

    label: str = ""
    """The name that the client, or `mcptap run --name`, gives it; empty if it is only that of its command."""
    named: str = ""
    """The name that the recording has for it."""
    command: tuple[str, ...] = ()
    info_name: str = ""
    version: str = ""
    revision: str = ""
    capabilities: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    """Capabilities of the client."""
    items: Mapping[Key, Offered] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()
    """Kinds of which all was listed."""
    cut: frozenset[str] = frozenset()
    """Kinds of which a part was listed."""
    opened_at: int | None = None
    """The record of the answer to the opening."""
    masked: frozenset[Key] = frozenset()
    """What holds masks in place of secrets, in a recording that was masked when it was exported."""

    @property
    def asked(self) -> bool:
        """Whether anything was seen that a lock is about."""
        return self.opened_at is not None or bool(self.whole or self.cut)

    def approved(self, name: str, needs: Mapping[Key, frozenset[str]] | None = None) -> LockedServer:
        """All of it as it is to be locked under a name; `needs` has capabilities that items hang on."""
        return LockedServer(
            name,
            self.command,
            self.info_name,
            self.version,
            self.revision,
            tuple(sorted(self.capabilities)),
            tuple(sorted(self.declared)),
            tuple(kind for kind in METHODS if kind in self.whole),
            {
                key: locked(*key, offered.definition, (needs or {}).get(key, ()))
                for key, offered in self.items.items()
                if offered.definition != NOTHING_SAID.full
            },
        )


def offer_of(session: Session) -> Offer:
    """What this session showed so far; the session has to keep offers."""
    offers, header = session.offers, session.header
    assert offers is not None
    items: dict[Key, Offered] = {}
    whole, cut = set(), set()
    for kind, method in METHODS.items():
        listing = session.listings.of[method]
        walk = listing.newest
        if walk is not None and walk.begun:
            whole.add(kind)
        elif listing.answered:
            cut.add(kind)
        items |= {(kind, name): offered for name, offered in offers.items[method].items()}
    opening = offers.opening
    capabilities: frozenset[str] = frozenset()
    if opening is not None:
        said = opening.definition.get("capabilities")
        capabilities = capability_paths(said if isinstance(said, dict) else None)
        text = _text(opening.definition.get("instructions"))
        items[INSTRUCTIONS, ""] = Offered({INSTRUCTIONS: text}, opening.number)
    argv = list(header.argv) if header is not None else []
    named = header.name if header is not None else ""
    return Offer(
        named if not argv or named != server_name(argv) else "",
        named,
        command_of(argv),
        _text(session.server.info.get("name")),
        _text(session.server.info.get("version")),
        session.agreed_revision,
        capabilities,
        offers.declared | capability_paths(session.client.capabilities),
        items,
        frozenset(whole),
        frozenset(cut),
        None if opening is None else opening.number,
        frozenset(_masked(items)) if header is not None and header.is_masked else frozenset(),
    )


def _masked(items: Mapping[Key, Offered]) -> Iterator[Key]:
    for key, offered in items.items():
        if OPEN in json.dumps(offered.definition, ensure_ascii=False):
            yield key


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
