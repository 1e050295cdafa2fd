"""What was judged, case by case."""

from __future__ import annotations

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.report.suites import PASSES, Case, Suite, Suites, suites_of
from tests.report.samples import UNUSABLE, foreign, results


def test_a_file_is_a_suite_with_a_case_for_each_finding_but_for_design_that_does_not_count():
    [suite] = suites_of(results()).suites
    assert [case.name for case in suite.cases] == ["capability-undeclared-tools tools", "launch-cwd", "crlf"]
    [suite] = suites_of(results(design_counts=True)).suites
    assert suite.cases[-1].name == "tool-error-as-text"


def test_a_file_without_findings_is_one_case_that_passes():
    [suite] = suites_of(results(foreign())).suites
    assert [(case.name, case.findings) for case in suite.cases] == [(PASSES, ())]


def test_what_could_not_be_judged_is_among_the_suites_and_named_as_the_forms_of_check_want_it():
    suites = suites_of(results(unusable=True))
    assert suites.suites[-1].unusable == UNUSABLE.why
    assert suites.unusable == [UNUSABLE]


def test_findings_have_the_file_of_their_case():
    found = Finding("x", Level.ERROR, 3, "wrong")
    suites = Suites([Suite("a", [Case("one", (found,), "a.jsonl"), Case("two")])])
    assert list(suites.findings) == [(found, "a.jsonl")]


def test_a_finding_fails_its_case_from_the_level_on_that_was_asked_for():
    warning, note = Finding("x", Level.WARNING, 3, "wrong"), Finding("y", Level.INFO, 3, "odd")
    design = Finding("z", Level.WARNING, 3, "long", design=True)
    assert [Suites().fails(found) for found in (warning, note, design)] == [True, False, False]
    assert Suites(design_counts=True).fails(design)
    assert not Suites(fail_on=Level.ERROR).fails(warning)
    assert not Suites(fail_on=None).fails(warning)
