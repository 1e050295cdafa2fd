"""The lines of the list, and their order."""

from __future__ import annotations

from mcptap.query import parse
from mcptap.tui.recordings.filter import FIELDS
from mcptap.tui.recordings.order import ORDERS, entries, went_wrong, worst
from tests.helpers import START_WALL_US
from tests.tui.recordings.made import broken, summary

NOW_US = START_WALL_US + 3_600_000_000


def lines(*summaries, text="", by="start", reverse=False):
    order = next(order for order in ORDERS if order.word == by)
    found = entries(summaries, parse(text, FIELDS), NOW_US, order, reverse=reverse)
    return [
        f"run of {len(e.run.sessions)}" if e.run else ("  " if e.in_run else "") + e.summary.name
        for e in found
    ]


def test_a_run_stands_above_its_sessions_and_a_single_session_alone():
    alone = summary("alone", 100)
    assert lines(summary("a"), broken("b", 1), alone) == ["alone", "run of 2", "  a", "  b"]
    assert lines(summary("a"), broken("b", 1), alone, reverse=True) == ["run of 2", "  a", "  b", "alone"]


def test_a_filter_shows_of_a_run_what_fits():
    assert lines(summary("a"), broken("b", 1), text="outcome:broken") == ["run of 2", "  b"]
    assert lines(summary("a"), text="server:z") == []


def test_in_any_other_order_runs_fall_apart():
    sessions = summary("a", messages=1), broken("b", 1, messages=3), summary("c", 2, messages=2)
    assert lines(*sessions, by="msgs") == ["b", "c", "a"]
    assert lines(*sessions, by="msgs", reverse=True) == ["a", "c", "b"]
    assert lines(*sessions, by="server") == ["a", "b", "c"]
    assert lines(*sessions, by="problems")[0] == "b"


def test_a_probe_follows_its_session_in_every_order():
    probe = summary("a", -1, is_probe=True, length_us=0)
    for order in ORDERS:
        assert lines(summary("a"), probe, by=order.word) == ["a", "a"]


def test_the_worst_session_of_a_run_speaks_for_it():
    (run, *_) = entries(
        [summary("a"), summary("b", 1, outcome="waiting"), broken("c", 2)], parse(""), NOW_US, ORDERS[0]
    )
    assert run.summary.name == "c"
    assert worst(run.run).name == "c"
    assert run.key not in {s.path for s in run.run.sessions}


def test_what_waits_failed_or_broke_went_wrong():
    said = ("broken", "waiting", "calls-failed", "unclear", "healthy", "")
    wrong = [went_wrong(summary("a", outcome=word)) for word in said]
    assert wrong == [True, True, True, False, False, False]
