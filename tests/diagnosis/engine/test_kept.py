"""Findings as they come together: one for each subject and level, with bounds."""

from __future__ import annotations

import mcptap.diagnosis.rules  # noqa: F401 - registers the rules
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.kept import BRIEF_WORDS, MAX_RECORDS, MAX_SUBJECTS, MAX_VALUE, KeptFindings
from mcptap.diagnosis.engine.registry import RULES
from mcptap.diagnosis.engine.rule import Hit, hit
from tests.diagnosis.sessions import event, judged, line, message

GLUED = RULES["stdout-glued"]
REVISION = "2025-11-25"


def glued(number: int, subject: str = "", **given) -> Hit:
    return hit(number, subject, **{"shown": "x", **given})


def kept(*hits: Hit) -> list[Finding]:
    found = KeptFindings()
    for one in hits:
        found.add(GLUED, one, REVISION)
    return list(found)


def test_hits_on_one_subject_are_one_finding_with_all_its_records():
    (finding,) = kept(glued(4), glued(3, more_records=(9,)), glued(4))
    assert (finding.count, finding.line, finding.records) == (3, 4, [3, 4, 9])


def test_another_subject_or_level_is_another_finding():
    found = kept(glued(4, "a"), glued(5, "b"), glued(6, "b", level=Level.INFO))
    assert [(f.subject, f.level) for f in found] == [
        ("a", GLUED.levels[REVISION]),
        ("b", GLUED.levels[REVISION]),
        ("b", Level.INFO),
    ]


def test_what_a_hit_says_stands_in_place_of_what_its_rule_says():
    (finding,) = kept(glued(4, side="client", remedy="Do it."))
    assert (finding.side, finding.remedy) == ("client", "Do it.")
    (plain,) = kept(glued(4))
    assert (plain.side, plain.remedy, plain.fault) == (GLUED.side, GLUED.remedy, GLUED.fault)


def test_of_several_lines_the_first_that_cost_a_request_is_shown():
    found = KeptFindings()
    for number, lost in ((4, False), (5, True), (6, True)):
        found.add(GLUED, glued(number), REVISION, lost)
    (finding,) = found
    assert (finding.line, finding.loses_request, finding.count) == (5, True, 3)
    assert "record 5" in finding.message


def test_of_several_lines_that_cost_none_the_one_that_tells_most_is_shown():
    found = KeptFindings()
    for number, telling, lost in ((4, 1, False), (5, 9, False), (6, 3, False)):
        found.add(GLUED, glued(number, telling=telling), REVISION, lost)
    (finding,) = found
    assert (finding.line, finding.records) == (5, [4, 5, 6])
    found.add(GLUED, glued(7, telling=0), REVISION, True)
    (finding,) = found
    assert (finding.line, finding.loses_request) == (7, True)


def test_a_brief_is_short_and_closes_what_it_opens():
    shown = 'one (two three "four' + " and" * BRIEF_WORDS
    (finding,) = kept(glued(4, glued=shown))
    cut = "one two three 'four" + " and" * (BRIEF_WORDS - 4)
    assert finding.brief == f"the server {cut}…, so the line is no JSON"
    assert finding.headline.startswith("The server one")


def test_recorded_text_is_made_visible_and_cut():
    (finding,) = kept(glued(4, "\x1b[2J", shown="\x1b[31m" + "x" * 2 * MAX_VALUE))
    assert finding.subject == "␛[2J"
    assert "\x1b" not in finding.message + finding.brief
    assert len(finding.message) < 2 * MAX_VALUE


def test_adding_to_a_copy_changes_nothing_here():
    found = KeptFindings()
    found.add(GLUED, glued(4), REVISION)
    copy = found.copy()
    copy.add(GLUED, glued(5), REVISION)
    copy.add(GLUED, glued(6, "other"), REVISION)
    assert [(f.count, f.records) for f in found] == [(1, [4])]
    assert [f.records for f in copy] == [[4, 5], [6]]


def test_many_subjects_and_records_take_no_more_room_than_a_few():
    items = [
        line(n, "s2c", message(id=f"odd {n}", result={}) if n % 2 else b'{"x":%d}' % n, n)
        for n in range(2, 4 * MAX_RECORDS)
    ]
    items += [
        line(n, "c2s", message(id=n, method="tools/call", params={"name": f"t{n}"}), n)
        for n in range(1000, 1000 + 2 * MAX_SUBJECTS)
    ]
    items.append(event(5000, "eof", 10**7, ch="c2s"))
    found = judged(items)
    assert all(len(f.records) <= MAX_RECORDS for f in found)
    waiting = [f for f in found if f.rule == "request-unanswered"]
    assert len(waiting) == MAX_SUBJECTS + 1
    assert sum(f.count for f in waiting) == 2 * MAX_SUBJECTS
