"""Which findings of a probe are the server's own."""

import pytest

from mcptap.clients.faults import Fault
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.play.probe.findings import ProbeFinding, findings_of, is_excused
from mcptap.play.probe.result import ProbedSession
from mcptap.play.probe.verdict import Grade
from tests.helpers import END, as_bytes, handshake, record, request
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


def probed_session(path, steps=(), **known):
    """A session with one stray line of the server before the `steps`."""
    recording = record(path, [("s2c", b"Server ready\n"), *handshake(), *steps, *END])
    return ProbedSession(str(recording), path.stem, **known)


def test_each_rule_is_told_once_for_all_sessions_and_the_worst_first(tmp_path):
    sessions = [probed_session(tmp_path / f"{name}.jsonl") for name in "ab"]
    found = findings_of([ProbedSession("", "not recorded"), *sessions])
    assert [f.session.what for f in found if f.finding.rule == "stdout-not-json"] == ["a"]
    levels = [f.finding.level for f in found]
    assert levels == sorted(levels, reverse=True)


UNANSWERED = as_bytes(request(5, "tools/list"))


@pytest.mark.parametrize(
    ("known", "rules"),
    [
        ({}, ["request-unanswered", "stdout-not-json"]),
        # A line that no client can read counts, whatever the probe did.
        ({"counts": False}, ["stdout-not-json"]),
        ({"bad_lines": {UNANSWERED[:-1]}}, ["stdout-not-json"]),
    ],
    ids=["an ordinary session", "one that the probe ended", "a request that was to go wrong"],
)
def test_what_the_probe_brought_about_itself_does_not_count(tmp_path, known, rules):
    session = probed_session(tmp_path / "a.jsonl", [("c2s", UNANSWERED), ("wait", 120_000_000)], **known)
    assert sorted(f.finding.rule for f in findings_of([session])) == rules


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
