"""Which records of a session match a filter, by their numbers."""

from __future__ import annotations

from contextlib import closing

from mcptap.captures.open import open_source
from mcptap.protocol.model.request import UNANSWERED
from mcptap.protocol.model.session import Session
from mcptap.query import Query
from mcptap.query.row import ItemRow
from mcptap.recording.format.model import Event
from mcptap.recording.reader import State
from mcptap.report.events import event_words


def numbers_matching(path: str, query: Query) -> set[int]:
    """The session is read once; a request that waits for its answer is looked at when all was read."""
    numbers: set[int] = set()
    late: list[ItemRow] = []
    with closing(open_source(path)) as source:
        session = Session(source.header, timed=source.evidence.times)
        for item in source.items():
            message = session.feed(item)
            row = ItemRow(item, message, event_words(item) if isinstance(item, Event) else "")
            if row.request is not None and row.request.open:
                late.append(row)
            elif query.matches(row):
                numbers.add(item.number)
        for line in source.unfinished():
            late.append(ItemRow(line, session.feed(line)))
        if source.state() is not State.LIVE:
            for request in session.requests.unanswered():
                request.state = UNANSWERED
    return numbers.union(row.number for row in late if query.matches(row))
