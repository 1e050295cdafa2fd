"""The sessions of a run, and which of them is at fault."""

from __future__ import annotations

import os

import pytest

from mcptap.captures.summary import summarise
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.query import parse
from mcptap.tui.runs.member import at_fault, opened, run_words
from tests.helpers import START_WALL_US
from tests.tui.runs.conftest import GOOD, start


@pytest.fixture
def members(run_folder):
    found = [
        opened(summarise(os.fspath(run_folder / f"{name}.jsonl")), START_WALL_US)
        for name in ("files", "search", "weather")
    ]
    yield found
    for member in found:
        member.close()


def test_the_servers_at_fault_are_named_the_worst_first(members):
    assert [member.name for member in at_fault(members)] == ["search", "weather"]
    assert run_words(members) == "Something is wrong in 2 of 3 sessions: search, weather."
    assert run_words(members[:1]) == "Nothing is wrong in the session."
    assert run_words(members[::2]) == "A request has no answer in 1 of 2 sessions: weather."


def test_what_is_at_fault_can_be_gone_to_and_what_is_well_has_nothing(members):
    files, search, weather = members
    assert files.first_finding is None
    assert search.first_finding.rule == "stdout-not-json"
    assert weather.first_finding.line
    assert weather.outcome is Outcome.WAITING


def test_before_all_are_judged_nothing_is_said_to_be_well(members):
    members[0].feed.findings = None
    assert members[0].words == "…"
    assert run_words(members[:1]) == "Looking through 1 session …"
    assert run_words(members).startswith("Something is wrong in 2 of 3 sessions so far")
    assert run_words([]).startswith("No session yet")


def test_an_unclear_session_makes_no_healthy_run(members, run_folder):
    cut = opened(summarise(os.fspath(start(run_folder, "cut", GOOD[:-3]))), START_WALL_US)
    assert cut.outcome is Outcome.UNCLEAR
    assert run_words([members[0], cut]) == "Nothing is found wrong; unclear: cut."
    cut.close()


def test_what_the_feed_brought_is_taken_once(members):
    assert members[1].take()
    assert not members[1].take()
    assert members[1].flags


def test_a_filter_gives_rows_to_what_it_lets_through(members):
    member = members[0]
    member.show_only(parse("tool:read"))
    while not member._filter.is_complete:
        pass
    assert member.part.rows == 2
    member.show_only(parse(""))
    assert member.part.rows > 2
