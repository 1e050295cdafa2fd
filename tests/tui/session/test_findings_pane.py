"""The findings as lines."""

import pytest

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.text.columns import text_width
from mcptap.tui.session.findings_pane import FindingsList, FindingsPane
from tests.tui.screens import alone, at_rest, played, shown, words

FINDINGS = [
    Finding("stdout-not-json", Level.ERROR, 1234, "Record 1,234 is\x1b noise.", count=7),
    Finding("request-slow", Level.WARNING, 12, "forecast took 漢字 1.7 s. " * 9),
    Finding("never-ended", Level.INFO, None, "The session has no end."),
]


def listed():
    findings = FindingsList()
    findings.show(FINDINGS)
    return findings


@pytest.mark.parametrize("columns", [40, 99, 100, 160])
def test_every_line_is_as_wide_as_the_list(columns):
    findings = listed()
    assert {text_width(words(findings.draw(y, columns))) for y in range(findings.count())} == {columns}


def test_a_line_says_level_rule_record_message_and_how_often():
    line = words(listed().draw(0, 120))
    assert line.startswith("✗ stdout-not-json")
    assert "  1,234 Record 1,234 is␛ noise." in line
    assert line.endswith(" ×7")


def test_a_finding_about_no_record_is_about_the_session():
    assert words(listed().draw(3, 60)).startswith("·   session The session has no end.")


def test_the_chosen_finding_is_the_one_under_the_cursor():
    findings = listed()
    findings.go(1)
    assert findings.chosen is FINDINGS[1]
    findings.show([])
    assert findings.chosen is None


@pytest.mark.parametrize(("wanted", "number", "height"), [(True, 2, 5), (True, 50, 9), (False, 3, None)])
def test_the_pane_is_as_high_as_it_needs_and_a_third_of_the_screen_at_most(wanted, number, height):
    async def play():
        pane = FindingsPane()
        async with alone(pane, size=(100, 40)) as pilot:
            pane.list.show((FINDINGS * number)[:number])
            pane.set_out(wanted, 40)
            await at_rest(pilot)
            assert pane.display == (height is not None)
            if height is not None:
                assert pane.size.height == height
                assert "Findings" in shown(pilot)[0]

    played(play())


def test_a_pane_without_findings_is_not_there():
    async def play():
        pane = FindingsPane()
        async with alone(pane):
            pane.set_out(True, 40)
            assert not pane.display

    played(play())


def test_a_finding_has_the_lines_that_it_needs_and_two_where_there_is_no_room():
    findings = listed()
    assert [
        text for text in (words(findings.draw(y, 160)) for y in range(findings.set_out(9))) if "…" in text
    ] == []
    assert findings.set_out(4) == 4
    assert "…" in words(findings.draw(2, 60))


def test_the_cursor_goes_from_finding_to_finding_and_all_lines_of_one_are_lit():
    async def play():
        findings = listed()
        async with alone(findings, size=(60, 3)) as pilot:
            findings.set_out(3)
            findings.focus()
            seen = []
            for _ in FINDINGS:
                seen.append(findings.chosen)
                await pilot.press("j")
            assert seen == FINDINGS
            assert findings.at_end()
            await pilot.press("k")
            lit = [y for y in range(findings.count()) if findings.is_under_cursor(y)]
            assert len(lit) == 2
            assert lit[0] == findings.cursor

    played(play())


def test_on_a_high_screen_six_findings_are_told_whole():
    async def play():
        pane = FindingsPane()
        async with alone(pane, size=(110, 50)) as pilot:
            three_lines = Finding("request-slow", Level.WARNING, 12, "forecast took 1.7 s. " * 8)
            pane.list.show([FINDINGS[0], *[three_lines] * 4, FINDINGS[2]])
            pane.set_out(True, 50)
            await at_rest(pilot)
            assert not [line for line in shown(pilot) if "…" in line]

    played(play())
