"""A number names a record; only a stream has lines."""

import re

from mcptap.diagnosis.cases.case import cases
from mcptap.diagnosis.cases.player import play
from mcptap.diagnosis.engine.registry import RULES

LINE = re.compile(r"\blines? [0-9<]", re.I)


def test_no_rule_calls_a_record_a_line():
    assert [rule.id for rule in RULES.values() if LINE.search(rule.summary)] == []


def test_no_finding_calls_a_record_a_line():
    said = [found.message for case in cases() for found in play(case)]
    assert len(said) >= len(RULES)
    assert [message for message in said if LINE.search(message)] == []
