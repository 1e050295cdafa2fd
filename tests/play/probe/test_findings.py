"""Which findings of a probe are the server's own."""

import pytest

from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.play.probe.findings import findings_of, is_excused
from mcptap.play.probe.result import ProbedSession
from mcptap.play.probe.verdict import Grade
from tests.play.probing import SMALL, grades, probed


@pytest.mark.parametrize(
    ("finding", "excused"),
    [
        (Finding("request-unanswered", Level.ERROR, 5, "", records=[5], side="server"), True),
        (Finding("request-unanswered", Level.ERROR, 6, "", records=[6], side="server"), False),
        (Finding("request-unanswered", Level.ERROR, 5, "", records=[5, 6], side="server"), False),
        (Finding("id-null", Level.ERROR, 6, "", records=[6], side="client"), True),
        (
            Finding("x", Level.ERROR, 5, "", records=[5], side="server", fault=Fault.NOT_JSON),
            False,
        ),
        (Finding("tools-list-empty", Level.WARNING, None, "", side="server"), False),
    ],
)
def test_a_finding_is_excused_only_if_the_probe_provoked_all_of_it(finding, excused):
    assert is_excused(finding, ProbedSession("x", "questions"), {5}) is excused


def test_noise_on_stdout_is_not_excused_by_a_bad_line(tmp_path):
    result = probed([*SMALL, "shouts-at-noise"], tmp_path)
    assert grades(result)["a line that is not JSON"] is Grade.BAD
    assert "stdout-not-json" in [f.finding.rule for f in findings_of(result.sessions) if f.counts]
