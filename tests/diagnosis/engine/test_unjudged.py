"""What one session could not judge is told only if no other session of the check could."""

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.unjudged import unjudged, without_judged_elsewhere
from mcptap.diagnosis.problems import findings_in  # noqa: F401 - registers the rules

[UNJUDGED] = [rule.id for rule in RULES.values() if rule.tells_unjudged]
OTHER = next(rule.id for rule in RULES.values() if not rule.expected)


def finding(rule: str, subject: str) -> Finding:
    return Finding(rule, Level.ERROR, None, "", subject=subject)


HERE = [finding(UNJUDGED, "a"), finding(UNJUDGED, "b"), finding(OTHER, "a")]


def test_the_expectations_that_could_not_be_judged_are_told_by_the_findings():
    assert unjudged(HERE) == {"a", "b"}


def test_what_another_session_judged_is_left_out_and_all_else_stays():
    kept = without_judged_elsewhere(HERE, [unjudged(HERE), frozenset("b")])
    assert [(found.rule, found.subject) for found in kept] == [(UNJUDGED, "b"), (OTHER, "a")]


def test_a_session_alone_keeps_all_that_is_said_of_it():
    assert without_judged_elsewhere(HERE, [unjudged(HERE)]) == HERE
