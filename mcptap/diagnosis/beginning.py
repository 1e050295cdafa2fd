"""Whether what is judged begins with the session, or somewhere in the middle of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from mcptap.captures.evidence import Evidence, is_capture
from mcptap.protocol.model.message import MESSAGES, NOTIFICATION, REQUEST, RESPONSE, Message, classify
from mcptap.protocol.revisions.names import META_VERSION, OPENERS
from mcptap.recording.format.model import Item, Line
from mcptap.wire import CLIENT_TO_SERVER

LOOK_AHEAD = 100


def look_ahead(items: Iterator[Item], evidence: Evidence) -> tuple[bool, Iterator[Item]]:
    """Whether the session is partial (its beginning is missing), and all the items again.

    Only a capture that may be a part of a session can be; it is, unless the client's first
    request is one that sessions begin with. One that was taken to be whole is not, if what it begins with
    can only follow something, or is a request that opens nothing and no start of the process is told.
    """
    if evidence.whole and not is_capture(evidence):
        return False, items
    first = list(islice(items, LOOK_AHEAD))
    if evidence.whole:
        partial = begins_with_what_follows(first, shows_start=evidence.process)
    else:
        partial = not begins_with_an_opening(first)
    return partial, chain(first, items)


def begins_with_what_follows(items: Iterable[Item], *, shows_start: bool = True) -> bool:
    """Whether the first message is an answer, or a notification of the client, or its request that opens
    nothing; such a one may be a fault where the capture shows the start of the process."""
    for item in items:
        if not isinstance(item, Line) or (message := classify(item)).kind not in MESSAGES:
            continue
        if message.kind == RESPONSE or item.channel != CLIENT_TO_SERVER:
            return message.kind == RESPONSE
        return message.kind == NOTIFICATION or not (shows_start or _opens(message))
    return False


def begins_with_an_opening(items: Iterable[Item]) -> bool:
    """Whether the client's first request is one that a session begins with."""
    for item in items:
        if not isinstance(item, Line) or item.channel != CLIENT_TO_SERVER:
            continue
        message = classify(item)
        if message.kind == REQUEST:
            return _opens(message)
    return False


def _opens(request: Message) -> bool:
    """Whether a session can begin with this request."""
    return request.method in OPENERS or META_VERSION in request.meta
