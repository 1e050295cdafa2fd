"""The catalogue of rules for people and for programs."""

from __future__ import annotations

import io
import json

import pytest
from rich.cells import cell_len

from mcptap.diagnosis.catalogue import STAGES, rules
from mcptap.diagnosis.engine.finding import Level
from mcptap.diagnosis.engine.registry import RULES
from mcptap.protocol.revisions import REVISIONS
from mcptap.report.catalogue_text import as_json, explained, levels, listed
from mcptap.text.terminal import Terminal


def terminal(width: int = 0) -> Terminal:
    made = Terminal(io.StringIO(), {})
    made.width = width
    return made


def test_the_list_has_a_heading_for_each_stage_and_a_line_for_each_rule():
    lines = list(listed(rules(), terminal()))
    assert [line for line in lines if line in STAGES.values()] == list(STAGES.values())
    assert [line.split()[1] for line in lines if line.startswith("  ")] == [rule.id for rule in rules()]
    assert lines[-1] == f"{len(RULES)} rules; mcptap rules RULE explains one."


@pytest.mark.parametrize("width", [60, 80, 120])
def test_all_of_it_keeps_to_the_width(width: int):
    lines = [*listed(rules(), terminal(width)), *explained(RULES["stdout-glued"], terminal(width))]
    assert max(map(cell_len, lines)) <= width


def test_an_explanation_has_facts_and_one_case_of_each_kind():
    text = "\n".join(explained(RULES["stdout-glued"], terminal()))
    facts = ["says", "remedy", "level", "about", "judges", "source", "It speaks here:", "It is quiet here:"]
    assert [text.index(fact) for fact in facts] == sorted(text.index(fact) for fact in facts)
    design = next(rule for rule in RULES.values() if rule.design)
    assert "as a matter of tool design" in "\n".join(explained(design, terminal()))


def test_a_level_is_told_once_if_it_is_the_same_everywhere_else_by_revision():
    same = [rule for rule in RULES.values() if set(REVISIONS) <= rule.levels.keys()]
    for rule in same:
        if len(set(rule.levels.values())) == 1:
            assert levels(rule) == f"{rule.level.word} in all revisions"
    for rule in RULES.values():
        told = levels(rule)
        if "all revisions" not in told:
            for revision in REVISIONS:
                assert (revision in told) == (revision in rule.levels)


def test_programs_get_every_rule_with_its_cases():
    shown = json.loads(as_json(rules()))["rules"]
    assert [rule["rule"] for rule in shown] == [rule.id for rule in rules()]
    for rule in shown:
        assert Level[rule["level"].upper()] is RULES[rule["rule"]].level
        assert set(rule["levels"]) <= set(REVISIONS)
        assert rule["bad"][0].startswith("known: ")
        assert rule["good"][0].startswith("known: ")
