"""Logs that are read by their entries."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.captures.evidence import COMPLETE
from mcptap.captures.lines import log_event
from mcptap.captures.logs.entries import EDITOR, Entries, Entry
from mcptap.captures.logs.entry_log import EntryLog
from mcptap.recording.format.model import Event, Item


class Sentences(EntryLog):
    def _items(self, entry: Entry) -> Iterator[Item]:
        yield log_event(entry.number, entry.text.decode())


def test_an_entry_is_told_once_it_is_whole_and_the_last_at_the_end():
    log = Sentences(COMPLETE, "Sea", "harbour", Entries(EDITOR))
    told: list[Item] = []
    lines = [
        "of an entry before",
        "2026-03-14 09:26:53.589 [info] one",
        "  more",
        "2026-03-14 09:26:54.000 [info] two",
    ]
    for number, line in enumerate(lines, 1):
        told += log.feed(line.encode(), number)
    told += log.finish()
    texts = [(item.number, item.fields["text"]) for item in told if isinstance(item, Event)]
    assert texts == [(2, "one\n  more"), (4, "two")]
    assert log.passed_over == 1
