"""What somebody approved: servers with their items, as `mcptap.lock` keeps them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcptap.jsontext.diff import Steps
from mcptap.masking.signs import CLOSE, OPEN
from mcptap.protocol.contract.items import INSTRUCTIONS, TOOL, contract_hash, rights, words_hash
from mcptap.protocol.statistics.counts import tool_tokens

Key = tuple[str, str]
"""Kind and name of an item."""

_MASK = re.compile(f"{OPEN}[^{CLOSE}]*{CLOSE}")
_VERSION = re.compile(r"(?<=.)@[\w.^~*-]+$")


@dataclass(frozen=True, slots=True)
class LockedItem:
    """One thing as it was approved. `full` is its definition; None if only the hashes were kept."""

    kind: str
    name: str
    words: str
    """Hash of all that a model reads of it."""
    contract: str
    """Hash of all that callers rely on."""
    rights: str = ""
    tokens: int = 0
    """About what a tool costs a model in each conversation."""
    full: Mapping[str, Any] | None = None
    needs: tuple[str, ...] = ()
    """Capabilities of the client without which it may not be listed."""
    version: str = ""
    """The server's version when it was approved, where it is not that of the server's own line."""
    line: int = 0
    """Where it stands in its file."""

    @property
    def key(self) -> Key:
        """What tells it from others of its server."""
        return self.kind, self.name


def locked(kind: str, name: str, definition: Mapping[str, Any], needs: Iterable[str] = ()) -> LockedItem:
    """An item as it is offered, to be approved."""
    return LockedItem(
        kind,
        name,
        words_hash(kind, definition),
        contract_hash(kind, definition),
        rights(definition) if kind == TOOL else "",
        tool_tokens([definition]) if kind == TOOL else 0,
        definition,
        tuple(sorted(needs)),
    )


NOTHING_SAID = locked(INSTRUCTIONS, "", {INSTRUCTIONS: ""})
"""The instructions of a server that gives none."""


@dataclass(frozen=True, slots=True)
class LockedServer:
    """A server as it was approved, under the name that it has in the lock."""

    name: str
    command: tuple[str, ...] = ()
    """How it was started; secrets are masked, all with the same mask."""
    info_name: str = ""
    version: str = ""
    """Name and version as it gave them (`serverInfo`)."""
    revision: str = ""
    capabilities: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    """Capabilities of the client that looked."""
    lists: tuple[str, ...] = ()
    """Kinds of which all was seen."""
    items: Mapping[Key, LockedItem] = field(default_factory=dict)
    line: int = 0

    @property
    def tokens(self) -> int:
        """About what its tools cost a model in each conversation."""
        return sum(item.tokens for item in self.items.values())


@dataclass(frozen=True, slots=True)
class Lock:
    """The servers of one file. `only`: the one that everything is compared with, whoever it seems to be."""

    path: str = "mcptap.lock"
    servers: Mapping[str, LockedServer] = field(default_factory=dict)
    only: str = ""
    overlooks: Callable[[Steps, Any, Any], bool] | None = None
    """Whether two texts that differ at this place of an item mean the same: times, folders for a while …"""


def command_of(argv: Sequence[str]) -> tuple[str, ...]:
    """A command line, of which secrets are masked, as a lock keeps it: the same on every machine."""
    return tuple(_MASK.sub(f"{OPEN}secret{CLOSE}", word) for word in argv)


def shape_of(argv: Iterable[str]) -> tuple[str, ...]:
    """A command line without what differs from machine to machine and between versions: folders, `@1.2`."""
    return tuple(
        "/…" if word.startswith(("/", "\\")) or word[1:3] in (":\\", ":/") else _VERSION.sub("", word)
        for word in argv
    )
