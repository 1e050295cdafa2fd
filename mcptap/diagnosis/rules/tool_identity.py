"""Whether a tool is the one that it seems to be: it changed within the session, or looks like another one."""

from __future__ import annotations

import unicodedata
from typing import Final

from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.levels import handshake
from mcptap.diagnosis.engine.registry import rule
from mcptap.diagnosis.engine.rule import SERVER, Hit, Hits, Stage, hit
from mcptap.diagnosis.rules.tool_lists import LISTED, page
from mcptap.protocol.contract.items import TOOL, Class, item_changes
from mcptap.protocol.contract.judgement import Difference
from mcptap.protocol.contract.wording import changes_of
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.session import Session
from mcptap.text.hidden import hidden_in

_ALIKE: Final = str.maketrans(
    "\u0430\u0432\u0435\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455\u051b\u04bb\u0501\u04cf\u03b1"
    "\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131\u0261\u0269\u0585\u0578\u057d\u0570\u2010\u2011\u2012\u2013\u2212",
    "abeijkmhopctyxsqhdlaeikvoptuxigionuh-----",
)
"""Letters of other scripts, and dashes, which look like those of ASCII."""


@rule(
    "tool-changed-in-session",
    handshake(Level.WARNING),
    side=SERVER,
    on=LISTED,
    stage=Stage.DESIGN,
    source="handshake revisions, server/tools: list_changed; observed: definitions are changed once they were approved",
    says="{tool} is another one (record {n}) than it was before (record {before}), and nothing told the client so: {what}",
    leads_to="who read the first definition has not seen this one",
    remedy="Send notifications/tools/list_changed when a definition changes, or give the same one each time.",
    requires="values whole",
    design=True,
)
def tool_changed_in_session(session: Session, message: Message) -> Hits:
    hits: list[Hit] = []
    for tool in page(session):
        before = tool.before
        if before is None or tool.record != message.number:
            continue
        changes = item_changes(TOOL, before.definition, tool.definition)
        told = [
            changes_of(Difference(TOOL, tool.name, cls, some))
            for cls in Class
            if (some := tuple(change for change in changes if change.cls is cls))
        ]
        if told:
            hits.append(
                hit(message.number, tool.name, tool=tool.name, before=before.record, what="; ".join(told))
            )
    return hits


@rule(
    "tool-name-lookalike",
    Level.WARNING,
    side=SERVER,
    on=LISTED,
    stage=Stage.DESIGN,
    source="observed: a tool with the look of another one's name is called in its place",
    says="{one} and {other} (record {n}) are two tools, whose names differ only in {what}",
    leads_to="a person, or a model, takes one for the other",
    remedy="Give one of them another name.",
    requires="values",
    design=True,
)
def tool_name_lookalike(session: Session, message: Message) -> Hits:
    listing = session.listings.of["tools/list"]
    walk, shown = listing.walk, {tool.name for tool in page(session)}
    if walk is None or not shown:
        return None
    hits: list[Hit] = []
    known: dict[str, str] = {}
    for name in walk.names:
        look = _look(name)
        other = known.setdefault(look, name)
        if other != name and (name in shown or other in shown):
            hits.append(
                hit(message.number, name, one=_spelled(other), other=_spelled(name), what=_what(other, name))
            )
    return hits


def _look(name: str) -> str:
    """The name without what hardly anyone tells apart: the same for names that look alike."""
    if name.isascii():
        return name.casefold()
    seen = name.translate(dict.fromkeys(map(ord, hidden_in(name))))
    return unicodedata.normalize("NFKC", seen).casefold().translate(_ALIKE)


def _what(one: str, other: str) -> str:
    if one.casefold() == other.casefold():
        return "capitals"
    return "characters that look alike, or that no one can see"


def _spelled(name: str) -> str:
    """The name, with the code of each character that may look like another one."""
    codes = ", ".join(dict.fromkeys(f"U+{ord(sign):04X}" for sign in name if not sign.isascii()))
    return f'"{name}" ({codes})' if codes else f'"{name}"'
