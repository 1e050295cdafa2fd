"""Whether what is judged begins with the session, or somewhere in the middle of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from mcptap.captures.evidence import Evidence, is_capture
from mcptap.protocol.model.message import MESSAGES, NOTIFICATION, REQUEST, RESPONSE, classify
from mcptap.protocol.revisions.names import META_VERSION, OPENERS
from mcptap.recording.format.model import Item, Line
from mcptap.wire import CLIENT_TO_SERVER

LOOK_AHEAD = 100


def look_ahead(items: Iterator[Item], evidence: Evidence) -> tuple[bool, Iterator[Item]]:
    """Whether the session is partial (its beginning is missing), and all the items again.

    Only a capture that may be a part of a session can be; it is, unless the client's first
    request is one that sessions begin with. One that was taken to be whole is not, if what it begins with
    can only follow something.
    """
    if evidence.whole and not is_capture(evidence):
        return False, items
    first = list(islice(items, LOOK_AHEAD))
    partial = begins_with_what_follows(first) if evidence.whole else not begins_with_an_opening(first)
    return partial, chain(first, items)


def begins_with_what_follows(items: Iterable[Item]) -> bool:
    """Whether the first message is an answer, or a notification of the client."""
    for item in items:
        if isinstance(item, Line) and (kind := classify(item).kind) in MESSAGES:
            return kind == RESPONSE or (kind == NOTIFICATION and item.channel == CLIENT_TO_SERVER)
    return False


def begins_with_an_opening(items: Iterable[Item]) -> bool:
    """Whether the client's first request is one that a session begins with."""
    for item in items:
        if not isinstance(item, Line) or item.channel != CLIENT_TO_SERVER:
            continue
        message = classify(item)
        if message.kind == REQUEST:
            return message.method in OPENERS or META_VERSION in message.meta
    return False
