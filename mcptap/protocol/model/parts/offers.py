"""All that a server offers, whole: kept only where somebody wants to compare it with what was approved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mcptap.protocol.model.parts.listings import MAX_LISTED
from mcptap.protocol.revisions.names import ITEM_NAMES


class Offered(NamedTuple):
    """A definition as it was last given, and the record."""

    definition: Mapping[str, Any]
    number: int


class Offers:
    """Definitions by the method that lists them and by name, and what the opening said."""

    def __init__(self) -> None:
        self.items: dict[str, dict[str, Offered]] = {method: {} for method in ITEM_NAMES}
        self.opening: Offered | None = None
        """The answer to `initialize` or `server/discover`."""
        self.declared: frozenset[str] = frozenset()
        """Capabilities of the client, in any request for a list."""
        self.count = 0
        """Of answers taken: as long as it is the same, nothing has changed."""
        self.compared: tuple[int, object] | None = None
        """What came of a comparison with the lock, and the count for which it holds."""

    def take_opening(self, result: Mapping[str, Any], number: int) -> None:
        """The server answered the opening."""
        self.opening = Offered(result, number)
        self.count += 1

    def take_page(
        self, method: str, items: list[Any], number: int, capabilities: Mapping[str, Any] | None
    ) -> None:
        """The server gave a page of a list, to a client with these capabilities."""
        known, naming = self.items[method], ITEM_NAMES[method]
        for item in items:
            name = item.get(naming) if isinstance(item, dict) else None
            if isinstance(name, str) and (name in known or len(known) < MAX_LISTED):
                known[name] = Offered(item, number)
        self.declared |= capability_paths(capabilities)
        self.count += 1


def capability_paths(capabilities: Mapping[str, Any] | None) -> frozenset[str]:
    """What is declared, as `resources` and `resources.subscribe`; what is false or null is not."""
    found = set()
    for name, value in (capabilities or {}).items():
        if value is None or value is False:
            continue
        found.add(name)
        for inner, said in value.items() if isinstance(value, dict) else ():
            if said is not None and said is not False:
                found.add(f"{name}.{inner}")
    return frozenset(found)
