"""The tools that a server lists, in a form that can be sent to the screen: where each is defined."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcptap.protocol.model.session import (
        Session,  # the screen does not wait for what only the indexer needs
    )


@dataclass(frozen=True, slots=True)
class OfferedTool:
    """A tool as it was last listed, in the answer at this record (from 1); `size` is in bytes of JSON."""

    name: str
    record: int
    size: int
    is_current: bool
    """Whether the newest list that was read to its end still has it."""


@dataclass(frozen=True, slots=True)
class Offered:
    """All tools in the order in which they were first listed. `is_cut`: there are more than are kept."""

    tools: tuple[OfferedTool, ...] = ()
    is_cut: bool = False
    asked: int = 0
    """How often the client asked for a page of the list."""
    answered: int = 0


def offered_by(session: Session) -> Offered:
    """What the server of this session listed so far."""
    listings = session.listings
    listing = listings.of["tools/list"]
    newest = listing.newest.names.keys() if listing.newest is not None else None
    walk = listing.walk.names.keys() if listing.walk is not None else ()

    def is_current(name: str) -> bool:
        return newest is None or name in newest or name in walk

    tools = tuple(
        OfferedTool(tool.name, tool.record, tool.size, is_current(tool.name))
        for tool in listings.tools.values()
    )
    return Offered(tools, listings.is_cut, listing.asked, listing.answered)
