"""What a check came to: counts and levels."""

import pytest

from mcptap.diagnosis.engine.finding import Finding, Level
from tests.report.samples import checked, foreign, results


def test_findings_are_counted_by_level_and_tool_design_apart():
    file = checked()
    assert [file.count(level) for level in Level] == [1, 1, 1]
    assert [file.count(level, design=True) for level in Level] == [0, 1, 0]


def test_each_finding_stands_with_its_file_in_the_order_of_the_files():
    both = list(results(checked("a.jsonl"), foreign(), checked("b.jsonl")).findings)
    assert [path for _, path in both] == ["a.jsonl"] * 4 + ["b.jsonl"] * 4
    assert [found.rule for found, _ in both[:4]] == [found.rule for found in checked().findings]


@pytest.mark.parametrize(("design_counts", "level"), [(False, Level.INFO), (True, Level.WARNING)])
def test_tool_design_has_its_own_level_only_if_it_counts(design_counts: bool, level: Level):
    remark = Finding("x", Level.WARNING, 3, "", design=True)
    whole = results(design_counts=design_counts)
    assert whole.ci_level(remark) is level
    assert whole.ci_level(Finding("x", Level.ERROR, 3, "")) is Level.ERROR


@pytest.mark.parametrize(("design_counts", "worst"), [(False, None), (True, Level.WARNING)])
def test_the_worst_level_leaves_tool_design_out_unless_it_counts(design_counts: bool, worst: Level | None):
    file = checked()
    file.findings = [found for found in file.findings if found.design]
    assert results(file, foreign(), design_counts=design_counts).worst() is worst


def test_the_worst_level_is_that_of_any_file_and_none_where_nothing_was_found():
    assert results(foreign(), checked()).worst() is Level.ERROR
    assert results(foreign(), unusable=True).worst() is None
