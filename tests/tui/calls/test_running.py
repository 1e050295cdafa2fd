"""Calls filtered and sorted in a thread, growing with the file."""

import threading

import pytest

from mcptap.query import parse
from mcptap.tui.calls.rows import Wanted
from mcptap.tui.calls.running import RunningCalls
from mcptap.tui.calls.sorting import Sort
from mcptap.tui.calls.spans import Moment
from tests.helpers import Tape, call, text_result
from tests.tui.calls.conftest import (
    ASKED,
    CANCELLED,
    FAILED,
    LISTED,
    OPENING,
    QUICK,
    REFUSED,
    SILENT,
    STEPS,
)
from tests.tui.screens import InProcessFeed, indexed

WHOLE = Moment()
ALL = [OPENING, LISTED, QUICK, FAILED, REFUSED, CANCELLED, ASKED, SILENT]


def worked_out(index, text="", moment=WHOLE, **how):
    running = RunningCalls(index, lambda: None)
    running.ask(Wanted(parse(text), **how))
    running.grown(moment)
    running.work()
    return shown(running)


def shown(running):
    return [running.rows.at(y) for y in range(len(running.rows))]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("", ALL),
        ("tool:forecast", [FAILED, CANCELLED, SILENT]),
        ("status:error", [REFUSED]),
        ("latency:>1s", [FAILED]),
        ("dir:s2c", [OPENING, LISTED, QUICK, FAILED, REFUSED, ASKED]),
        ("size:>300", [QUICK]),
        ("needle", [QUICK]),
        ("Ulm", [QUICK]),
        ('text:"Invalid params" method:tools/call', [REFUSED]),
        ("not method:tools/call", [OPENING, LISTED, ASKED]),
        ("tool:nothing", []),
    ],
)
def test_a_call_is_shown_if_a_half_of_it_passes_the_filter(path, text, calls):
    assert worked_out(indexed(path), text) == calls


def test_calls_are_shown_in_the_order_that_is_wanted(path):
    index = indexed(path)
    assert worked_out(index, "tool:*", sort=Sort.LATENCY, falls=True)[:2] == [SILENT, FAILED]
    assert worked_out(index, falls=True) == ALL[::-1]


def test_of_a_moment_only_what_had_come_is_shown(path):
    index, then = indexed(path), Moment(now=FAILED)
    assert worked_out(index, moment=then) == ALL[:4]
    assert worked_out(index, "status:pending", then) == [FAILED]
    assert worked_out(index, "no", then) == []


def test_going_back_in_time_begins_the_filter_anew(path):
    running = RunningCalls(indexed(path), lambda: None)
    running.ask(Wanted(parse("status:pending")))
    for now, pending in ((SILENT, [SILENT]), (FAILED, [FAILED]), (SILENT, [SILENT])):
        running.grown(Moment(now=now))
        running.work()
        assert shown(running) == pending


@pytest.mark.parametrize("text", ["status:pending", "size:>0 status:pending"])
def test_a_call_that_is_answered_leaves_the_calls_that_wait(tmp_path, text):
    with Tape(tmp_path / "live.jsonl") as tape:
        tape.play(STEPS)
        feed = InProcessFeed(tape.path)
        feed.catch_up(live=True)
        running = RunningCalls(feed.index, lambda: None)
        running.ask(Wanted(parse(text)))
        running.work()
        assert shown(running) == [SILENT]
        tape.play([("s2c", text_result(6, "late")), ("c2s", call(7, "forecast"))])
        feed.catch_up(live=True)
        running.work()
        assert shown(running) == [SILENT + 2]
        feed.close()


def test_the_thread_tells_when_it_is_done_and_ends_when_it_is_told(path):
    told = threading.Event()
    running = RunningCalls(indexed(path), told.set)
    running.start()
    assert told.wait(20)
    told.clear()
    running.ask(Wanted(sort=Sort.SIZE))
    assert told.wait(20)
    assert running.rows.wanted.sort is Sort.SIZE
    running.cancel()
    running.join()
    assert not running.is_busy
