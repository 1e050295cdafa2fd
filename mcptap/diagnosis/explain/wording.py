"""Small helpers for the wording of findings: quoting, sizes, times."""

from __future__ import annotations

import json
from typing import Any

from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import Message

MAX_QUOTE = 120
_AGES = 1 << 62


def quote(text: str, limit: int = MAX_QUOTE) -> str:
    """A text to put between quotation marks: control characters made visible, cut if it is long."""
    return printable(text.strip(), limit)


def printable(text: str, limit: int) -> str:
    """A text with its control characters made visible, cut if it is longer than `limit` characters."""
    if len(text) <= limit and text.isprintable():
        return text
    shown = "".join(c if c.isprintable() else _visible(c) for c in text[: limit + 1])
    return shown if len(text) <= limit else shown[:limit].rstrip() + "…"


def _visible(character: str) -> str:
    if character == "\t":
        return " "
    return character.encode("unicode_escape").decode()


def size(count: int) -> str:
    """A number of bytes for people: `11.2 MiB`, `640 kB`."""
    if count >= 1 << 20:
        return f"{count / (1 << 20):.1f} MiB"
    return f"{count / 1000:.0f} kB" if count >= 1000 else f"{count} bytes"


def seconds(us: int) -> str:
    """A time for people: `0.4 s`, `9.2 s`, `65 s`."""
    value = min(us, _AGES) / 1_000_000
    return f"{value:.1f} s" if value < 20 else f"{value:.0f} s"


def shown(value: Any, limit: int = 60) -> str:
    """A JSON value as it is written, cut if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = "…"
    return quote(text, limit)


def what(message: Message) -> str:
    """A message in words: `the reply to tools/list (id 3)`, `tools/call (id 4)`."""
    request = message.request
    if request is not None and request.number != message.number:
        return f"the reply to {request.method} (id {spell_id(request.id)})"
    if message.method:
        return message.method if message.id is None else f"{message.method} (id {spell_id(message.id)})"
    return f"the reply to id {spell_id(message.id)}" if message.id is not None else f"record {message.number}"


def listed(words: list[str], limit: int = 5) -> str:
    """`a, b and c`; cut if there are many."""
    if len(words) > limit:
        return ", ".join(words[:limit]) + f" and {len(words) - limit} more"
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1] if words else "none"


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
