"""A comparison as cases."""

from __future__ import annotations

from mcptap.commands.forms.comparison import ABOUT, comparison_suites, diff_suites
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.jsontext.diff import ADDED, CHANGED, REMOVED, Change
from mcptap.play.compare import comparison as statuses
from mcptap.play.compare.comparison import Comparison, Entry
from mcptap.play.compare.session_diff import Section, SessionDiff
from mcptap.play.compare.severity import Judged, Severity

CHANGES = (
    Judged(Change(("result", "a"), CHANGED, 1, 2)),
    Judged(Change(("result", "b"), REMOVED, "x")),
    Judged(Change(("result", "c"), ADDED, new=[None])),
)


def test_an_answer_that_is_the_same_passes_and_another_fails_with_what_changed():
    answers = Comparison(
        [Entry(statuses.SAME, "ping (id 1)"), Entry(statuses.DIFFERENT, "call (id 2)", CHANGES)]
    )
    [suite] = comparison_suites(answers, "send", "a.jsonl", "content").suites
    same, different = suite.cases
    assert (same.name, same.findings) == ("ping (id 1)", [])
    [found] = different.findings
    assert (found.rule, found.level, different.path) == ("comparison-different", Level.WARNING, "a.jsonl")
    assert found.consequence == 'result.a: 1 before, 2 now; result.b is gone: "x"; result.c is new: [null]'


def test_what_makes_no_difference_is_a_note():
    suites = comparison_suites(
        Comparison([Entry(statuses.ORDER, "a and b", counts=False)]), "send", "x", "content"
    )
    [(found, _)] = suites.findings
    assert found.level is Level.INFO
    assert not suites.fails(found)


def test_every_status_has_a_rule_that_is_explained():
    told = [value for name, value in vars(statuses).items() if name.isupper() and isinstance(value, str)]
    told = [status for status in told if status not in (statuses.LIST_CHANGED, statuses.LATE, statuses.END)]
    answers = Comparison([Entry(status, "x") for status in told if status != statuses.SAME])
    assert {found.rule for found, _ in comparison_suites(answers, "send", "x", "content").findings} <= set(
        ABOUT
    )
    assert len(told) >= 7


def test_many_changes_are_counted():
    answers = Comparison([Entry(statuses.DIFFERENT, "x", CHANGES * 5)])
    [(found, _)] = comparison_suites(answers, "send", "x", "content").findings
    assert found.consequence.endswith("; and 7 more")


def test_lists_and_findings_of_two_sessions_are_cases():
    came = Finding("stdout-not-json", Level.ERROR, 7, "a print", subject="x")
    went = Finding("crlf", Level.WARNING, 9, "CRLF")
    sections = [Section("tools", [CHANGES[0]], ["1 tool"]), Section("latency", notes=["2 ms"], counts=False)]
    suites = diff_suites(SessionDiff(sections, Comparison(), [came], [went]), "a and b", "b.jsonl", "content")
    [suite] = suites.suites
    assert [case.name for case in suite.cases] == [
        "tools",
        "latency",
        "finding stdout-not-json x",
        "finding crlf, gone",
    ]
    assert [suites.fails(found) for found, _ in suites.findings] == [True, True, True]
    assert suite.cases[1].words == "2 ms"
    assert {found.rule for found, _ in suites.findings} - set(ABOUT) == {"stdout-not-json"}


def test_a_gate_may_fail_only_on_what_breaks_callers_and_noise_is_a_note():
    broken = Judged(CHANGES[1].change, Severity.CONTRACT, "a member is gone")
    noise = Judged(CHANGES[0].change, Severity.NOISE, "times")
    entries = [
        Entry(statuses.DIFFERENT, "a", (broken,)),
        Entry(statuses.DIFFERENT, "b", CHANGES),
        Entry(statuses.SAME, "c", overlooked=(noise,)),
    ]
    for fail_on, failing in (("contract", ["a"]), ("content", ["a", "b"]), ("noise", ["a", "b", "c"])):
        suites = comparison_suites(Comparison(entries), "send", "x", fail_on)
        assert [found.subject for found, _ in suites.findings if suites.fails(found)] == failing
    assert "result.b (a member is gone) is gone" in next(suites.findings)[0].consequence
