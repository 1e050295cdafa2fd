"""What is not as it was approved, in words."""

from __future__ import annotations

import json
from typing import Any, Final

from mcptap.jsontext.diff import ABSENT, spell
from mcptap.protocol.contract.items import INSTRUCTIONS, Class, ItemChange
from mcptap.protocol.contract.judgement import SERVER, Difference
from mcptap.text.word_diff import word_diff

MOST_CHANGES = 4
"""So many changes of an item are told, the rest is counted."""

CLASS_WORDS: Final = {
    Class.WORDS: "other words",
    Class.BROKEN: "another contract",
    Class.WIDER: "more than before",
    Class.WEAKENED: "less is promised",
    Class.RIGHTS: "other hints",
    Class.NEW: "new",
    Class.GONE: "gone",
}


def item_of(one: Difference) -> str:
    """What it is about."""
    return f"the {one.kind}" if one.kind in (INSTRUCTIONS, SERVER) else f'{one.kind} "{one.name}"'


def changes_of(one: Difference) -> str:
    """What changed in it; empty if it is new or gone."""
    told = list(dict.fromkeys(map(_told, one.changes)))
    more = f"; and {len(told) - MOST_CHANGES} more" if len(told) > MOST_CHANGES else ""
    return "; ".join(told[:MOST_CHANGES]) + more + _rug_pull(one)


def _told(change: ItemChange) -> str:
    if not change.steps or change.cls in (Class.WEAKENED, Class.RIGHTS):
        return change.why
    if change.cls is Class.WORDS:
        return f"{spell(change.steps)}: {word_diff(_text(change.old), _text(change.new))}"
    return f"{change.why} ({spell(change.steps)})"


def _rug_pull(one: Difference) -> str:
    if one.cls is not Class.WORDS or not one.is_same_version:
        return ""
    return f"; its version is still {one.of}: other words under the same version are called a rug pull"


def _text(value: Any) -> str:
    if value is ABSENT:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
