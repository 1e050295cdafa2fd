"""Small helpers for the wording of findings: quoting, lists, names of messages."""

from __future__ import annotations

import json
from typing import Any

from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import Message
from mcptap.text.escape import excerpt

MAX_QUOTE = 120


def quote(text: str, limit: int = MAX_QUOTE) -> str:
    """A text to put between quotation marks: made visible, cut after `limit` characters."""
    return excerpt(text.strip(), limit)


def as_json(value: Any, limit: int = 60) -> str:
    """A JSON value as it is written, cut if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = "…"
    return quote(text, limit)


def in_words(message: Message) -> str:
    """A message in words: `the reply to tools/list (id 3)`, `tools/call (id 4)`."""
    request = message.request
    if request is not None and request.number != message.number:
        return f"the reply to {request.method} (id {spell_id(request.id)})"
    if message.method:
        return message.method if message.id is None else f"{message.method} (id {spell_id(message.id)})"
    return f"the reply to id {spell_id(message.id)}" if message.id is not None else f"record {message.number}"


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
