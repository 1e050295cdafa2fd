"""What changed between two probes."""

from __future__ import annotations

from mcptap.diagnosis.engine.finding import Level
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.client_report import ClientOutcome
from mcptap.play.probe.report.judged import JudgedProbe
from mcptap.play.probe.result import ProbeResult
from mcptap.play.probe.verdict import Grade
from mcptap.play.watch.changes import changes
from tests.play.side_by_side.trials import trial


def probed(*verdicts, server=None, level=None, **client) -> JudgedProbe:
    result = ProbeResult(server=server)
    for question, grade, words in verdicts:
        result.add("start", question, grade, words)
    one = trial(level=level, **client)
    return JudgedProbe(result, one.report, one.found)


def told(before: JudgedProbe, now: JudgedProbe) -> list[str]:
    return [line for _, line in changes(before, now)]


def test_nothing_is_told_of_probes_that_are_alike():
    one = probed(("ping", Grade.FINE, "answered after 3 ms"))
    assert told(one, probed(("ping", Grade.FINE, "answered after 4 ms"))) == []


def test_answers_that_are_judged_otherwise_are_told():
    before = probed(("ping", Grade.FINE, "answered"), ("x", Grade.BAD, "a"), ("gone", Grade.FINE, "f"))
    now = probed(("ping", Grade.BAD, "no answer"), ("x", Grade.BAD, "b"), ("new", Grade.SKIPPED, "-"))
    assert told(before, now) == [
        "~ start: ping: fine, answered → bad, no answer",
        "~ start: x: bad, a → bad, b",
        "- start: gone (was fine, f)",
    ]


def test_what_the_server_offers_is_compared_by_name():
    def server(version, **lists):
        return ServerDescription("2025-06-18", {"name": "s", "version": version}, {"tools": {}}, lists)

    before = server("1", tools=[{"name": "a", "description": "A"}, {"name": "b"}])
    now = server("2", tools=[{"name": "a", "description": "B"}, {"name": "c"}], resources=[{"uri": "x:/1"}])
    assert told(probed(server=before), probed(server=now)) == [
        "~ version: 1 → 2",
        "+ tools: c",
        "- tools: b",
        "~ tools: a has another description",
        "+ resources: x:/1",
    ]
    assert told(probed(server=before), probed())[0] == "~ revision: 2025-06-18 → none"


def test_findings_that_came_and_went_are_told():
    assert told(probed(), probed(level=Level.ERROR))[0].startswith("+ error: stdout-not-json: A print of ")
    assert told(probed(level=Level.ERROR), probed()) == ["- error: stdout-not-json"]


def test_what_the_client_would_have_shown_is_told():
    failed = probed(outcome=ClientOutcome.HUNG, why="no answer")
    [(style, line)] = changes(probed(), failed)
    assert (style, line) == ("error", "~ as Claude Code: 2 tools: a, b → hung: no answer")
    [(style, _)] = changes(failed, probed())
    assert style == "server"
