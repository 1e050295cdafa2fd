"""A number names a record; only a stream has lines."""

import re

from mcptap.diagnosis.engine.rule import RULES
from mcptap.diagnosis.examples import examples
from tests.diagnosis.played import judge

LINE = re.compile(r"\blines? (?:[0-9{])", re.I)


def test_no_rule_calls_a_record_a_line():
    assert [rule.id for rule in RULES.values() if LINE.search(rule.message)] == []


def test_no_finding_calls_a_record_a_line(tmp_path):
    said = [
        found.message
        for rule, example in examples().items()
        for found in judge(example.bad, tmp_path / f"{rule}.jsonl")
    ]
    assert len(said) >= len(RULES)
    assert [message for message in said if LINE.search(message)] == []
