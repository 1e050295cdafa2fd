"""The rules as a list to read: what `mcptap rules` prints and what SARIF describes."""

from __future__ import annotations

import mcptap.diagnosis.rules  # noqa: F401 - registers the rules
from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.rule import Rule, Stage
from mcptap.diagnosis.engine.selection import matches

STAGES = {
    Stage.LAUNCH: "Launch",
    Stage.FRAMING: "Framing and encoding",
    Stage.SHAPE: "Messages and ids",
    Stage.LIFECYCLE: "Lifecycle",
    Stage.CAPABILITY: "Capabilities",
    Stage.CONTENT: "Tools, resources, prompts and their results",
    Stage.FLOW: "Cancellation, progress and order",
    Stage.END: "Process and end",
    Stage.DESIGN: "Tool design",
    Stage.EXPECTATION: "What you expect",
    Stage.LOCK: "What was approved (mcptap.lock)",
}
"""What the rules of a stage judge, in words."""


def rules() -> list[Rule]:
    """All rules, by the part of a session that they judge."""
    return sorted(RULES.values(), key=lambda rule: rule.stage)


def rules_for(fault: Fault) -> list[Rule]:
    """The rules that report a fault, in the order of the catalogue."""
    return [rule for rule in RULES.values() if rule.fault is fault]


def is_known(pattern: str) -> bool:
    """Whether an id or a pattern names at least one rule."""
    return any(matches(rule, (pattern,)) for rule in RULES)


def summaries() -> dict[str, str]:
    """What each rule says, with `<name>` for what depends on the case."""
    return {rule.id: rule.summary for rule in RULES.values()}


def rules_of_expectations() -> list[str]:
    """The ids of the rules that judge what a user expects."""
    return [rule.id for rule in RULES.values() if rule.expected]
