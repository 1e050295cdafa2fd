"""Which findings of a probe are the server's own."""

import pytest

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.play.probe.report.findings import ProbeFinding, findings_of
from mcptap.play.probe.result import ProbedSession
from mcptap.play.probe.verdict import Grade
from tests.helpers import END, handshake, record
from tests.play.probing import SMALL, grades, probed


def test_noise_on_stdout_is_not_excused_by_a_bad_line(tmp_path):
    result = probed([*SMALL, "shouts-at-noise"], tmp_path)
    assert grades(result)["a line that is not JSON"] is Grade.BAD
    assert "stdout-not-json" in [f.finding.rule for f in findings_of(result.sessions) if f.counts]


def probed_session(path):
    """A session with one stray line of the server."""
    return ProbedSession(str(record(path, [("s2c", b"Server ready\n"), *handshake(), *END])), path.stem)


def test_each_rule_is_told_once_for_all_sessions_and_the_worst_first(tmp_path):
    sessions = [probed_session(tmp_path / f"{name}.jsonl") for name in "ab"]
    found = findings_of([ProbedSession("", "not recorded"), *sessions])
    assert [f.session.what for f in found if f.finding.rule == "stdout-not-json"] == ["a"]
    levels = [f.finding.level for f in found]
    assert levels == sorted(levels, reverse=True)


@pytest.mark.parametrize(
    ("level", "design", "counts"),
    [
        (Level.ERROR, False, True),
        (Level.WARNING, False, True),
        (Level.WARNING, True, False),
        (Level.INFO, False, False),
    ],
)
def test_hints_and_matters_of_design_do_not_fail_a_probe(level, design, counts):
    finding = Finding("x", level, None, "", design=design)
    assert ProbeFinding(ProbedSession("x", "y"), finding).counts is counts
