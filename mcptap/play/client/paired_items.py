"""The items of a recording with the messages in them, and requests paired with their responses."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from mcptap.protocol.model.message import BATCH, RESPONSE, Message, classify
from mcptap.protocol.model.request import Request
from mcptap.protocol.model.requests import Requests
from mcptap.recording.format.model import Item, Line


def paired_items(items: Iterable[Item]) -> Iterator[tuple[Item, list[Message]]]:
    """Each item with its messages, whose `request` and `match` are filled in; none for what is no line."""
    requests = Requests()
    for item in items:
        messages = messages_of(item) if isinstance(item, Line) else []
        for message in messages:
            requests.take(message)
        yield item, messages


def answered_request(message: Message) -> Request | None:
    """The request that a response is the first one to, with an id of the same type; else None."""
    return message.request if message.kind is RESPONSE and message.match is None else None


def messages_of(line: Line) -> list[Message]:
    """A line as messages: one, or those of a batch (2025-03-26), each on the batch's own line."""
    whole = classify(line)
    if whole.kind is not BATCH or whole.is_outline or not line.value:
        return [whole]
    return [_inner(item, line) for item in line.value]


def _inner(value: Any, line: Line) -> Message:
    """A message of a batch, as if it had come on a line of its own."""
    data = json.dumps(value).encode()
    return classify(Line(line.number, line.channel, data, line.eol, line.t_us, line.first_us, line.wall_us))
