"""Each rule has an example in which it speaks and a near miss in which it is quiet."""

from pathlib import Path

import pytest

from mcptap.diagnosis.engine.rule import RULES
from mcptap.diagnosis.examples import examples
from tests.diagnosis.played import judge

ALL = sorted(examples().items())


@pytest.mark.parametrize(("rule", "example"), ALL, ids=[rule for rule, _ in ALL])
def test_the_rule_speaks_in_its_bad_example_and_not_in_its_good_one(rule, example, tmp_path: Path):
    bad = [found.rule for found in judge(example.bad, tmp_path / "bad.jsonl")]
    assert rule in bad
    good = [found.rule for found in judge(example.good, tmp_path / "good.jsonl")]
    assert rule not in good


@pytest.mark.parametrize(("rule", "example"), ALL, ids=[rule for rule, _ in ALL])
def test_a_good_example_is_good_altogether(rule, example, tmp_path: Path):
    worse = [
        f"{f.rule}: {f.message}"
        for f in judge(example.good, tmp_path / "good.jsonl")
        if f.level.word != "info"
    ]
    assert worse == []


def test_every_rule_has_an_example():
    assert [rule for rule in RULES if rule not in examples()] == []


def test_no_example_is_for_a_rule_that_does_not_exist():
    assert [rule for rule, _ in ALL if rule not in RULES] == []
