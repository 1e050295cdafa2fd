"""What the decoders have in common of logs whose entries may go over several lines."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator

from mcptap.captures.evidence import Evidence
from mcptap.captures.logs.client_log import ClientLog
from mcptap.captures.logs.entries import Entries, Entry
from mcptap.captures.logs.telling import Opening, Teller
from mcptap.recording.format.model import Item


class EntryLog(ClientLog):
    """A client's log that is read by its entries, and that may tell of messages without holding them."""

    def __init__(self, evidence: Evidence, client: str, name: str, entries: Entries) -> None:
        super().__init__(evidence, client, name)
        self._entries = entries
        self._teller = Teller()
        self._opening = Opening(self._teller)

    def feed(self, raw: bytes, number: int) -> Iterable[Item]:
        """The items of the entry that ended before this line."""
        entry = self._entries.feed(raw, number)
        self.passed_over = self._entries.leading
        return self._items(entry) if entry is not None else ()

    def finish(self) -> Iterator[Item]:
        """The items of the last entry, and of a connection of which nothing more is told."""
        entry = self._entries.finish()
        if entry is not None:
            yield from self._items(entry)
        yield from self._opening.nothing()

    @abstractmethod
    def _items(self, entry: Entry) -> Iterable[Item]:
        """The items of one entry."""
