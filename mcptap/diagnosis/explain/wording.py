"""Small helpers for the wording of findings: quoting, lists, names of messages."""

from __future__ import annotations

import json
from typing import Any

from mcptap.protocol.model.ids import spell_id
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.request import Request
from mcptap.text.escape import excerpt, visible
from mcptap.text.sentences import snippet

MAX_QUOTE = 120


def quote(text: str, limit: int = MAX_QUOTE) -> str:
    """A text to put between quotation marks: made visible, cut after `limit` characters."""
    return excerpt(text.strip(), limit)


def as_json(value: Any, limit: int = 60) -> str:
    """A JSON value as it is written, cut if it is long."""
    return quote(json.dumps(value, ensure_ascii=False), limit)


def in_words(message: Message) -> str:
    """A message in words: `the reply to tools/list (id 3)`, `tools/call (id 4)`."""
    request = message.request
    if request is not None and request.number != message.number:
        return f"the reply to {request.method} (id {spell_id(request.id)})"
    if message.method:
        return message.method if message.id is None else f"{message.method} (id {spell_id(message.id)})"
    return f"the reply to id {spell_id(message.id)}" if message.id is not None else f"record {message.number}"


_LISTS = {
    "tools/list": "the tool list",
    "prompts/list": "the prompt list",
    "resources/list": "the resource list",
    "resources/templates/list": "the list of resource templates",
}


def called(request: Request) -> str:
    """A request as the agent's user knows it: a tool by its name, else the method."""
    return call_of(request.method, request.tool)


def call_of(method: str, tool: str) -> str:
    """The same, from the method and the tool that is called (empty if none is)."""
    return f"`{plain_name(tool)}`" if tool else plain_name(method)


def plain_name(name: str) -> str:
    """A stranger's name in a sentence: short, and without a quotation mark or bracket that stays open."""
    return snippet(visible(name), 5, 60) or "?"


def answer_of(request: Request) -> str:
    """What its answer is for the agent's user: `` `forecast` ``, `the tool list`, `the answer to ping`."""
    if request.tool:
        return called(request)
    return _LISTS.get(request.method) or f"the answer to {called(request)}"
