"""`mcptap rules`: the catalogue, one rule explained, and a name that is none."""

import json

import pytest

from mcptap.commands import main
from mcptap.diagnosis.engine.registry import RULES


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_every_rule_is_listed_with_its_level(capsys):
    lines = shown(capsys).splitlines()
    for rule in RULES.values():
        assert any(line.split()[:2] == [rule.level.word, rule.id] for line in lines)


def test_one_rule_is_explained_with_source_levels_and_both_examples(capsys):
    text = shown(capsys, "invalid-utf8")
    assert "warning in 2024-11-05" in text
    assert "error in 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28" in text
    assert "source" in text
    assert text.index("It speaks here:") < text.index(r"caf\xe9") < text.index("It is quiet here:")


def test_a_pattern_lists_what_it_fits(capsys):
    text = shown(capsys, "stdout-*")
    assert "stdout-glued" in text
    assert "utf8-bom" not in text


def test_the_catalogue_is_there_for_programs(capsys):
    rules = json.loads(shown(capsys, "--json"))["rules"]
    assert sorted(rule["rule"] for rule in rules) == sorted(RULES)
    assert {"levels", "says", "remedy", "source", "bad", "good"} <= set(rules[0])


def test_every_rule_can_be_explained(capsys):
    for rule in RULES:
        assert shown(capsys, rule).startswith(rule)


def test_a_name_that_is_nearly_a_rule_gets_a_hint(capsys):
    assert main(["rules", "stdout-not-jason"]) == 2
    assert "did you mean stdout-not-json" in capsys.readouterr().err
