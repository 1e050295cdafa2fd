"""Rules stay quiet where a capture can't show what they judge."""

import pytest

from mcptap.captures.evidence import PROVABLE, Evidence
from mcptap.diagnosis.cases.case import speaking
from mcptap.diagnosis.cases.player import play
from mcptap.diagnosis.engine.registry import RULES

NOTHING = Evidence(**dict.fromkeys(PROVABLE, False))


@pytest.mark.parametrize("rule", sorted(rule.id for rule in RULES.values() if rule.requires))
def test_a_rule_is_quiet_where_what_it_requires_is_not_known(rule: str):
    assert rule not in speaking_rules(rule)


def test_what_requires_nothing_is_judged_all_the_same():
    assert "capability-undeclared-tools" in speaking_rules("capability-undeclared-tools")


def speaking_rules(rule: str) -> list[str]:
    """The rules that speak in a rule's case, if next to nothing is known."""
    case = speaking(rule)
    assert case is not None
    return [found.rule for found in play(case, NOTHING)]
