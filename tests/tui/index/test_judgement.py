"""What the diagnosis says, in the form that the screen gets it."""

import pickle
from dataclasses import replace

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.tui.index.judgement import Judgement

POLLUTION = Finding("stdout-not-json", Level.ERROR, 9, "x", records=[9, 12], count=2)
SLOW = Finding("request-slow", Level.WARNING, 12, "x", records=[12])
HINT = Finding("tool-undescribed", Level.INFO, 5, "x")
SESSION = Finding("never-ended", Level.WARNING, None, "x")
DESIGN = Finding("many-tools", Level.WARNING, 5, "x", design=True)
ALL = Judgement(findings=[POLLUTION, SLOW, HINT, SESSION, DESIGN])


def test_the_worst_level_of_each_record_is_known_by_its_index():
    assert ALL.worst() == {8: int(Level.ERROR), 11: int(Level.ERROR), 4: int(Level.WARNING)}


def test_at_a_moment_only_what_was_known_by_then_counts():
    noise = replace(POLLUTION, known=9)
    judgement = Judgement(findings=[noise, SLOW])
    assert judgement.worst(now=7) == {}
    assert judgement.worst(now=8) == {8: int(Level.ERROR)}
    assert judgement.worst(now=11) == {8: int(Level.ERROR), 11: int(Level.ERROR)}


def test_a_record_has_the_findings_that_point_at_it():
    assert ALL.of_record(12) == [POLLUTION, SLOW]
    assert ALL.of_record(5) == [HINT, DESIGN]
    assert ALL.of_record(1) == []


def test_findings_about_design_do_not_count():
    assert [ALL.count(level) for level in (Level.ERROR, Level.WARNING, Level.INFO)] == [1, 2, 1]


def test_it_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(ALL)).findings == ALL.findings
