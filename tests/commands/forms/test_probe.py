"""A probe as cases."""

from __future__ import annotations

from mcptap.commands.forms.probe import ABOUT, probe_suites, trial_suites
from mcptap.diagnosis.engine.finding import Level
from mcptap.masking.masker import Masker
from mcptap.play.probe.client_report import ClientOutcome
from mcptap.play.probe.report.judged import JudgedProbe
from mcptap.play.probe.result import ProbedSession, ProbeResult
from mcptap.play.probe.verdict import Grade
from tests.play.side_by_side.trials import trial


def test_questions_findings_and_the_client_are_cases():
    result = ProbeResult(sessions=[ProbedSession("/r/x.jsonl", "x")])
    result.add("start", "initialize", Grade.FINE, "accepted")
    result.add("start", "ping", Grade.BAD, "not answered")
    result.add("calls", "act", Grade.SKIPPED, "it may act")
    one = trial(level=Level.WARNING)
    suites = probe_suites("server", JudgedProbe(result, one.report, one.found), None)
    [suite] = suites.suites
    client, opening, ping, call, finding = suite.cases
    assert (client.name, client.findings, client.words) == ("Claude Code connects", (), "2 tools: a, b")
    assert (opening.name, opening.words) == ("start: initialize", "accepted")
    assert (ping.findings[0].rule, ping.findings[0].message) == ("probe-answer", "ping: not answered")
    assert call.skipped == "it may act"
    assert (finding.name, finding.path) == ("stdout-not-json", "/r/x.jsonl")


def test_a_probe_without_findings_has_a_case_that_passes_and_one_that_was_not_recorded_has_one_that_fails():
    suites = probe_suites("server", JudgedProbe(ProbeResult()), None)
    assert [(case.name, case.findings) for case in suites.suites[0].cases] == [("findings", ())]
    unrecorded = ProbeResult(sessions=[ProbedSession("", "x")])
    assert any(
        map(suites.fails, (found for found, _ in probe_suites("x", JudgedProbe(unrecorded), None).findings))
    )


def test_each_pair_is_a_suite_and_its_findings_point_at_the_entry():
    one = trial("one", level=Level.ERROR, less="it lists no tools", cause="the cwd")
    one.path, one.line = ".mcp.json", 12
    suites = trial_suites([one, trial("two", skipped="disabled")], None)
    first, second = suites.suites
    assert (first.name, second.name) == ("one as Claude Code", "two as Claude Code")
    assert [case.path for case in first.cases] == [".mcp.json"] * 3
    assert [found.line for found, _ in suites.findings] == [12, 12]
    less, finding = (found for found, _ in suites.findings)
    assert (less.rule, less.consequence) == ("probe-less", "the cwd")
    assert finding.message.endswith(" (in /r/x.jsonl)")
    assert [case.skipped for case in second.cases] == ["disabled"]


def test_a_client_that_would_not_connect_is_one_case():
    one = trial(outcome=ClientOutcome.FAILED, why="no such file", cause="the cwd")
    [(found, path)] = trial_suites([one], None).findings
    assert found.message == "Claude Code would have shown: could not be started: no such file"
    assert (found.rule, found.consequence, path) == ("probe-client", "the cwd", "/r/x.jsonl")
    assert found.rule in ABOUT


def test_secrets_are_masked():
    [(found, _)] = trial_suites([trial("one", level=Level.ERROR)], Masker()).findings
    assert "‹masked:" in found.message
    assert "sk-ant" not in found.message


def test_a_command_that_is_no_server_has_a_case_of_its_own():
    suites = probe_suites("true", JudgedProbe(ProbeResult(no_server="this is no MCP server")), None)
    assert ("probe-no-server", "this is no MCP server") in [(f.rule, f.message) for f, _ in suites.findings]
