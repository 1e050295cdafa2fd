"""Which findings stay beside others, and which comes first."""

import mcptap.diagnosis.rules  # noqa: F401 - registers the rules
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.precedence import by_cause, without_yielding
from mcptap.diagnosis.engine.registry import RULES, matching
from mcptap.diagnosis.engine.rule import hit


def finding(
    rule: str, level: Level = Level.ERROR, line: int | None = None, loses_request: bool = False
) -> Finding:
    return Finding(rule, level, line, "It is so.", loses_request=loses_request, design=RULES[rule].design)


def order(*findings: Finding) -> list[tuple[str, int | None]]:
    return [(found.rule, found.line) for found in by_cause(list(findings))]


def test_a_rule_that_yields_says_nothing_beside_the_other_one():
    for rule in RULES.values():
        for other in matching(rule.yields_to) - {rule.id}:
            both = [(rule, hit(3)), (RULES[other], hit(3))]
            assert rule not in [staying for staying, _ in without_yielding(both)]
            assert without_yielding(both[:1]) == both[:1]


def test_a_rule_is_silent_if_another_one_that_makes_it_needless_speaks_in_the_session():
    rule = next(rule for rule in RULES.values() if matching(rule.unless))
    other = min(matching(rule.unless))
    assert order(finding(rule.id), finding(other)) == [(other, None)]
    assert order(finding(rule.id)) == [(rule.id, None)]


def test_the_worst_comes_first_then_the_way_of_a_session_then_the_record():
    assert order(
        finding("crlf", Level.INFO, 3),
        finding("result-shape", line=9),
        finding("invalid-utf8", line=8),
        finding("invalid-utf8", line=7),
    ) == [("invalid-utf8", 7), ("invalid-utf8", 8), ("result-shape", 9), ("crlf", 3)]


def test_what_cost_a_request_comes_before_what_cost_none_and_stray_lines_come_last():
    assert order(
        finding("stdout-not-json", line=3),
        finding("jsonrpc-version", line=4),
        finding("result-shape", line=5, loses_request=True),
    ) == [("result-shape", 5), ("jsonrpc-version", 4), ("stdout-not-json", 3)]


def test_a_cause_comes_before_a_worse_consequence():
    cause = next(rule for rule in RULES.values() if matching(rule.explains) and not rule.design)
    consequence = min(matching(cause.explains) - {cause.id})
    found = by_cause(
        [finding(consequence, Level.ERROR, 3, loses_request=True), finding(cause.id, Level.INFO, 9)]
    )
    assert [one.rule for one in found] == [cause.id, consequence]


def test_remarks_on_tool_design_come_after_everything_else():
    design = next(rule.id for rule in RULES.values() if rule.design)
    assert [rule for rule, _ in order(finding(design), finding("crlf", Level.INFO))] == ["crlf", design]
