"""Texts that a model reads and a person does not see: of tools, prompts, resources, and instructions.

None says that a text is bad, or good: only what is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import SERVER, Hit, Hits, Stage, hit
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.session import Session
from mcptap.protocol.revisions.names import ITEM_NAMES, LISTS
from mcptap.text.enumeration import listed
from mcptap.text.hidden import hidden_in, spelled_by
from mcptap.text.units import counted

SHOWN = (
    "s2c result initialize, s2c result server/discover, s2c result tools/list, s2c result prompts/list, "
    "s2c result resources/list, s2c result resources/templates/list"
)
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]")
"""Control characters but for tabs and ends of lines."""


@rule(
    "text-hidden-characters",
    Level.WARNING,
    side=SERVER,
    on=SHOWN,
    stage=Stage.DESIGN,
    source="observed: text for the model is hidden from people in Unicode tags, zero-width signs and selectors",
    says="{Item} (record {n}) holds {count} that no one can see ({which}){spelled?}",
    leads_to="a model reads them",
    remedy="Take them out, or find out what they are there for.",
    requires="values",
    design=True,
)
def text_hidden_characters(session: Session, message: Message) -> Hits:  # noqa: ARG001 - as every rule
    hits: list[Hit] = []
    for item, texts in _shown(message):
        hidden = [sign for text in texts for sign in hidden_in(text)]
        if hidden:
            spelled = spelled_by(hidden)
            hits.append(
                hit(
                    message.number,
                    item,
                    item=item,
                    count=counted(len(hidden), "character"),
                    which=listed(sorted({_named(sign) for sign in hidden}), 3),
                    spelled=f'; they spell "{spelled}"' if spelled else "",
                )
            )
    return hits


@rule(
    "text-terminal-escapes",
    Level.WARNING,
    side=SERVER,
    on=SHOWN,
    stage=Stage.DESIGN,
    source="observed: control sequences of terminals in descriptions hide text from whoever reads them there",
    says="{Item} (record {n}) holds {count} ({which})",
    leads_to="a terminal may obey them, and a person does not see what a model reads",
    remedy="Take them out.",
    requires="values",
    design=True,
)
def text_terminal_escapes(session: Session, message: Message) -> Hits:  # noqa: ARG001 - as every rule
    hits: list[Hit] = []
    for item, texts in _shown(message):
        found = [sign for text in texts for sign in CONTROL.findall(text)]
        if found:
            count, which = counted(len(found), "control character"), sorted({_named(sign) for sign in found})
            hits.append(hit(message.number, item, item=item, count=count, which=listed(which, 3)))
    return hits


def _named(sign: str) -> str:
    return f"U+{ord(sign):04X}"


def _shown(message: Message) -> Iterator[tuple[str, list[str]]]:
    """What the answer offers, each with all the texts in it; nothing if it can hold no such character."""
    data, result = message.line.data, message.result
    if type(result) is not dict or (
        data.isascii() and b"\\u" not in data and b"\\b" not in data and b"\\f" not in data
    ):
        return
    method = message.request.method if message.request is not None else ""
    if method not in LISTS:
        yield (
            "what the server says of itself",
            list(_texts([result.get("instructions"), result.get("serverInfo")])),
        )
        return
    items = result.get(LISTS[method])
    for item in items if isinstance(items, list) else ():
        if isinstance(item, dict):
            kind = LISTS[method].removesuffix("s").replace("resourceTemplate", "template")
            yield f'{kind} "{item.get(ITEM_NAMES[method])}"', list(_texts(item))


def _texts(value: Any) -> Iterator[str]:
    """All strings in a value, names of members too."""
    todo = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            todo += [*one, *one.values()]
        elif isinstance(one, list):
            todo += one
