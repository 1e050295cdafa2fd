"""A probe's report as text: every part of it in lines."""

from dataclasses import replace

from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.client_report import ClientOutcome, ClientReport
from mcptap.play.probe.report.judged import JudgedProbe
from mcptap.play.probe.report.text import SHOWN_NAMES, report
from mcptap.play.probe.result import ProbedSession
from tests.play.probe.report.samples import BAD, DESIGN, ERROR, GOOD, HINT, HUNG, SESSION


def text(result, seen=None, found=()):
    return [line.rstrip() for _, line, _ in report(JudgedProbe(result, seen, list(found)))]


def test_each_verdict_is_a_line_of_grade_question_and_words():
    lines = text(BAD)
    assert lines[0] == "start:"
    assert lines[1].split() == ["bad", "ping", "not", "answered"]


def test_a_finding_is_told_with_its_record_its_effect_and_its_remedy():
    lines = text(GOOD, None, [ERROR, HINT])
    at = lines.index("  error: stdout-not-json  (record 3 of initialize)")
    assert lines[at + 1 : at + 5] == [
        "    It prints.",
        "    Effect: Lost.",
        "    Remedy: Stop.",
        "  info: crlf  (initialize)",
    ]


def test_tool_design_stands_apart_since_it_fails_no_probe():
    lines = text(GOOD, None, [DESIGN])
    at = lines.index("findings, as by mcptap check: none")
    assert lines[at + 2 : at + 4] == [
        "tool design (fails no probe):",
        "  warning: tool-name  (initialize)",
    ]


def test_where_no_recording_is_left_no_record_is_named():
    lines = [line for _, line, _ in report(JudgedProbe(GOOD, None, [ERROR], is_kept=False))]
    assert "  error: stdout-not-json  (initialize)" in lines
    assert not any("recorded" in line for line in lines)


def test_recordings_are_listed_by_folder_and_those_that_are_not_there_left_out():
    sessions = [SESSION, ProbedSession("", "lost"), ProbedSession("/records/b.jsonl", "calls")]
    lines = text(replace(GOOD, sessions=sessions))
    at = lines.index("recorded in /records:")
    assert lines[at + 1 : at + 4] == ["  a.jsonl  initialize", "  b.jsonl  calls", ""]
    assert "findings, as by mcptap check: none in what was recorded; " in "\n".join(lines)


def test_what_a_server_offers_is_told_with_a_few_names_and_its_pages():
    many = [{"name": f"t{n}"} for n in range(SHOWN_NAMES + 2)]
    server = ServerDescription(
        "2025-11-25",
        {},
        {},
        {"tools": many, "resources": [{"uri": "a://b"}]},
        {"tools": 2},
        errors={"prompts": "no answer"},
    )
    told = "\n".join(text(replace(GOOD, server=server)))
    assert "does not name itself, revision 2025-11-25" in told
    assert f"{len(many)} on 2 pages: t0, " in told
    assert "t11 and 2 more\n" in told
    assert "1: a://b\n" in told
    assert "not to be had: no answer" in told


def test_a_client_is_told_with_its_conditions_assumptions_and_the_cause():
    seen = ClientReport(
        HUNG.client,
        ClientOutcome.HUNG,
        "no answer",
        [],
        [("folder", "/")],
        ["env: all"],
        ["slow"],
        cause="PATH",
    )
    lines = [" ".join(line.split()) for line in text(GOOD, seen)]
    assert lines[:6] == [
        "as Codex 1.0:",
        "folder /",
        "assumed env: all",
        "note slow",
        "as far as known hung: no answer",
        "cause PATH",
    ]
