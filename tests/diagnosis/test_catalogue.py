"""The catalogue of rules: in the order of a session, by fault, by name."""

from mcptap.clients.faults import Fault
from mcptap.diagnosis.catalogue import STAGES, is_known, rules, rules_for, summaries
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.rule import Stage


def test_all_rules_are_listed_from_the_launch_to_the_tools_design():
    assert {rule.id for rule in rules()} == set(RULES)
    assert [rule.stage for rule in rules()] == sorted(rule.stage for rule in RULES.values())


def test_every_stage_has_its_words_and_rules():
    assert set(STAGES) == set(Stage) == {rule.stage for rule in rules()}
    assert len(set(STAGES.values())) == len(Stage)


def test_the_rules_for_a_fault_are_those_that_report_it():
    assert [rule.id for rule in rules_for(Fault.GLUED_TEXT)] == ["stdout-glued"]
    assert rules_for(Fault.RESULT_AND_ERROR) == [
        rule for rule in RULES.values() if rule.fault is Fault.RESULT_AND_ERROR
    ]


def test_an_id_or_a_pattern_is_known_if_it_names_a_rule():
    assert is_known("stdout-glued")
    assert is_known("stdout-*")
    assert not is_known("stdout")
    assert not is_known("")


def test_every_rule_has_a_summary():
    assert set(summaries()) == set(RULES)
    assert all(text.endswith(".") for text in summaries().values())
