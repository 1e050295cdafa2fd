"""The rules as a list to read: what `mcptap rules` prints and what SARIF describes."""

from __future__ import annotations

import mcptap.diagnosis.rules  # noqa: F401 - registers the rules
from mcptap.diagnosis.rule import RULES, Rule
from mcptap.diagnosis.selection import matches


def rules() -> list[Rule]:
    """All rules, in the order of the catalogue."""
    return list(RULES.values())


def is_known(pattern: str) -> bool:
    """Whether an id or a pattern names at least one rule."""
    return any(matches(rule, (pattern,)) for rule in RULES)


def summaries() -> dict[str, str]:
    """What each rule says when it fires, with what depends on the case left open."""
    return {rule.id: rule.message for rule in RULES.values()}
