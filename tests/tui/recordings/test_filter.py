"""The fields of the filter language in the list of sessions."""

from __future__ import annotations

import pytest

from mcptap.query import complete, parse
from mcptap.recording.format.model import Header
from mcptap.recording.reader import State
from mcptap.tui.recordings.filter import FIELDS, SessionRow
from tests.helpers import START_WALL_US
from tests.tui.recordings.made import broken, summary

NOW_US = START_WALL_US + 3_600_000_000
ONE = broken("github", 3590, state=State.LIVE, messages=2000, size=2_000_000, length_us=700_000_000)


def matches(text, session=ONE):
    return parse(text, FIELDS).matches(SessionRow(session, NOW_US))


@pytest.mark.parametrize(
    "text",
    [
        "server:git*",
        "client:agent",
        "state:live",
        "outcome:broken",
        "errors:>0",
        "warnings:0",
        "messages:>1000",
        "size:>1m",
        "length:>10m",
        "age:<1h",
        "verdict:*printed*",
        "serve",
        "text:github",
        "not outcome:healthy",
    ],
)
def test_a_session_is_found_by_each_field(text):
    assert matches(text)


@pytest.mark.parametrize("text", ["server:hub", "state:cut-off", "errors:0", "age:>1h", "nowhere"])
def test_a_session_is_not_found_by_what_it_is_not(text):
    assert not matches(text)


def test_of_what_was_not_judged_no_number_of_problems_is_known():
    unjudged = summary("a", problems=None, outcome="", verdict="")
    assert not matches("errors:0", unjudged)
    assert not matches("warnings:>=0", unjudged)


def test_a_start_that_is_not_known_has_no_age():
    assert not matches("age:>1s", summary("a", header=Header({"name": "a"})))


def test_fields_and_their_words_complete_what_is_typed():
    assert [c.text for c in complete("outcome:wa", 10, {}, FIELDS)] == ["waiting"]
    assert "server:" in [c.text for c in complete("se", 2, {}, FIELDS)]
    assert complete("meth", 4, {}, FIELDS) == []
