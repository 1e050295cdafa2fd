"""A difference for programs: everything in it can be written, and what counts is told apart."""

from mcptap.jsontext.diff import Change
from mcptap.play.compare.comparison import Comparison, Entry
from mcptap.play.compare.comparison_json import as_json
from mcptap.play.compare.ignore import Ignore
from mcptap.play.compare.session_diff import Section, SessionDiff, diff
from mcptap.play.compare.severity import Judged
from tests.play.sessions import c2s, call, request, result, s2c, session


def changed(change):
    difference = SessionDiff([Section("tools", [Judged(change)])], Comparison(), [], [])
    (told,) = as_json(difference)["sections"][0]["changes"]
    assert (told.pop("severity"), told.pop("why")) == ("content", "")
    return told


def test_a_session_beside_itself_is_not_different_and_nothing_in_it_counts():
    one = session(*call(1, "3"))
    told = as_json(diff(one, one, Ignore()))
    assert told["different"] is False
    assert [entry["counts"] for entry in told["answers"]] == [False]
    assert told["findings"] == {"came": [], "went": []}


def test_a_different_answer_has_its_path_and_both_values():
    told = as_json(diff(session(*call(1, "3")), session(*call(1, "4")), Ignore()))
    (entry,) = told["answers"]
    assert told["different"] is entry["counts"] is True
    (change,) = entry["changes"]
    assert (change["path"], change["kind"]) == ("result.content[0].text", "changed")
    assert (change["old"], change["new"], change["severity"]) == ("3", "4", "content")


def test_null_is_told_apart_from_nothing():
    assert changed(Change(("a",), "added", new=None)) == {"path": "a", "kind": "added", "new": None}
    assert changed(Change(("a",), "removed", old=None)) == {"path": "a", "kind": "removed", "old": None}


def test_an_entry_that_does_not_count_is_told_with_its_note():
    entries = Comparison([Entry("slower", "ping", note="1 ms before", counts=False)])
    assert as_json(SessionDiff([], entries, [], []))["answers"] == [
        {
            "status": "slower",
            "about": "ping",
            "note": "1 ms before",
            "counts": False,
            "changes": [],
            "severity": "noise",
            "why": "",
            "taken_as_same": [],
        }
    ]


def test_findings_that_came_are_named_by_rule_and_record():
    clean, polluted = (
        session(c2s(request(1)), s2c(result(1))),
        session(s2c(b"hi"), c2s(request(1)), s2c(result(1))),
    )
    came = as_json(diff(clean, polluted, Ignore()))["findings"]["came"]
    assert ("stdout-not-json", "error", 3) in [(f["rule"], f["level"], f["line"]) for f in came]
