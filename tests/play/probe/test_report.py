"""A probe's report: every part of it in lines, one sentence at the end, and the same for programs."""

import json
from dataclasses import replace

import pytest

from mcptap.clients.client import Client
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.client_report import ClientOutcome, ClientReport
from mcptap.play.probe.findings import ProbeFinding
from mcptap.play.probe.report import SHOWN_NAMES, as_json, report, summary
from mcptap.play.probe.result import ProbedSession, ProbeResult
from mcptap.play.probe.verdict import Grade, Verdict

SESSION = ProbedSession("/records/a.jsonl", "initialize")
GOOD = ProbeResult({"start": [Verdict("ping", Grade.FINE, "answered")]}, sessions=[SESSION])
BAD = replace(GOOD, verdicts={"start": [Verdict("ping", Grade.BAD, "not answered")]})
ERROR = ProbeFinding(SESSION, Finding("stdout-not-json", Level.ERROR, 3, "It prints.", "Lost.", "Stop."))
HINT = ProbeFinding(SESSION, Finding("crlf", Level.INFO, None, "CR LF."))
HUNG = ClientReport(Client("codex", "Codex", "1.0"), ClientOutcome.HUNG, "no answer")
LISTED = ClientReport(Client("codex", "Codex", "1.0"), ClientOutcome.LISTED, tools=["a"])


def text(result, seen=None, found=()):
    return [line.rstrip() for _, line, _ in report(result, seen, list(found))]


@pytest.mark.parametrize(
    ("result", "seen", "found", "words"),
    [
        (GOOD, None, [], "nothing is wrong with what was asked."),
        (GOOD, LISTED, [HINT], "nothing is wrong with what was asked."),
        (BAD, None, [], "1 bad answer."),
        (GOOD, None, [ERROR], "1 finding."),
        (BAD, HUNG, [ERROR, ERROR], "Codex would have shown: hung; 1 bad answer; 2 findings."),
        (
            replace(GOOD, sessions=[ProbedSession("", "x")]),
            None,
            [],
            "sessions that could not be recorded were not judged.",
        ),
    ],
)
def test_the_whole_is_one_sentence_and_ok_exactly_where_nothing_is_wrong(result, seen, found, words):
    assert summary(result, seen, found) == words
    assert text(result, seen, found)[-1] == words
    assert as_json(result, seen, found)["ok"] is words.startswith("nothing is wrong")


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
        {"prompts": "no answer"},
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
        "would have shown hung: no answer",
        "cause PATH",
    ]


def test_everything_is_json_as_it_is():
    server = ServerDescription("2025-11-25", {"name": "s"}, {"tools": {}}, {"tools": [{"name": "a"}]})
    told = json.loads(json.dumps(as_json(replace(GOOD, server=server), LISTED, [ERROR])))
    assert told["client"]["id"] == "codex"
    assert told["verdicts"] == [
        {"section": "start", "question": "ping", "grade": "fine", "words": "answered"}
    ]
    assert told["server"]["lists"] == {"tools": [{"name": "a"}]}
    assert (told["findings"][0]["recording"], told["findings"][0]["line"]) == ("/records/a.jsonl", 3)
    assert told["recordings"] == [{"path": "/records/a.jsonl", "what": "initialize"}]
