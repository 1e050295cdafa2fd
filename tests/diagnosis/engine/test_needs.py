"""Rules stay quiet where a capture can't show what they judge."""

from dataclasses import fields

import pytest

from mcptap.captures.evidence import COMPLETE, Evidence
from mcptap.diagnosis.cases.case import speaking
from mcptap.diagnosis.cases.player import play
from mcptap.diagnosis.engine.needs import NEEDS, can_tell
from mcptap.diagnosis.engine.rule import RULES

NAMES = {field.name for field in fields(Evidence) if field.type == "bool"}
NOTHING = Evidence(**dict.fromkeys(NAMES, False))


def test_only_rules_and_knowledge_that_exist_are_named():
    assert [rule for rule in NEEDS if rule not in RULES] == []
    assert {name for needs in NEEDS.values() for name in needs} <= NAMES


def test_a_recording_of_mcptap_lets_every_rule_speak():
    assert all(can_tell(COMPLETE, rule) for rule in RULES)


@pytest.mark.parametrize("rule", sorted(NEEDS))
def test_a_rule_is_quiet_where_its_needs_are_not_known(rule: str):
    assert rule not in speaking_rules(rule)


def test_what_needs_nothing_is_judged_all_the_same():
    assert "capability-undeclared-tools" in speaking_rules("capability-undeclared-tools")


def speaking_rules(rule: str) -> list[str]:
    """The rules that speak in a rule's case, if next to nothing is known."""
    case = speaking(rule)
    assert case is not None
    return [found.rule for found in play(case, NOTHING)]
