"""The row of a call and the words above the columns."""

from array import array

import pytest

from mcptap.text.columns import text_width
from mcptap.tui.calls.calls_list import CallsList, Columns
from mcptap.tui.calls.rows import Rows, Wanted
from mcptap.tui.calls.sorting import Sort
from mcptap.tui.calls.spans import Moment
from tests.tui.calls.conftest import ASKED, CANCELLED, FAILED, LISTED, OPENING, QUICK, REFUSED, SILENT
from tests.tui.screens import alone, indexed, played, words

ALL = array("I", [OPENING, LISTED, QUICK, FAILED, REFUSED, CANCELLED, ASKED, SILENT])


@pytest.fixture
def calls(path):
    calls = CallsList(indexed(path))
    calls.rows = Rows(Wanted(), ALL)
    return calls


def row(calls, i, columns=140):
    return words(calls.draw(list(ALL).index(i), columns))


@pytest.mark.parametrize("columns", [40, 60, 79, 95, 119, 199])
def test_every_row_takes_the_columns_that_there_are(calls, columns):
    for i in ALL:
        assert text_width(row(calls, i, columns)) == columns
    assert sum(width for *_, width, _ in Columns(columns, 8, 8).places()) <= max(columns, 60)


def test_a_tool_is_named_alone_and_another_method_with_what_it_is_about(calls):
    assert "→ history " in row(calls, QUICK)
    assert "tools/call" not in row(calls, QUICK)
    assert "→ tools/list " in row(calls, LISTED)
    assert "← roots/list " in row(calls, ASKED)


def test_a_row_says_how_long_it_took_what_became_of_it_and_how_large_the_answer_is(calls):
    assert "11ms   ok            353 " in row(calls, QUICK)
    assert "2.00s ✗ isError" in row(calls, FAILED)
    assert "3.00s ∅ unanswered" in row(calls, SILENT)
    assert "⊘ cancelled" in row(calls, CANCELLED)


def test_arguments_are_shown_where_there_is_room(calls):
    assert '{"city":"Ulm"}' in row(calls, QUICK)
    assert "Ulm" not in row(calls, QUICK, 79)


def test_a_call_waits_at_the_moment_that_is_played(calls):
    calls.at_moment(Moment(now=FAILED, clock_us=calls.index.times[FAILED] + 700_000))
    assert "700ms ◌ pending" in row(calls, FAILED)
    assert not calls.is_fixed(list(ALL).index(FAILED))
    assert calls.is_fixed(list(ALL).index(QUICK))


def test_a_finding_about_either_half_marks_the_call(calls):
    calls.flags = {FAILED + 1: 2}
    assert row(calls, FAILED).startswith("●")
    assert row(calls, QUICK).startswith(" ")


def test_the_column_that_sorts_has_an_arrow_and_a_click_on_a_heading_sorts_by_it(calls):
    async def play():
        async with alone(calls, size=(120, 6)):
            calls.rows = Rows(Wanted(sort=Sort.LATENCY, falls=True), ALL)
            text = words(calls.headings())
            assert "latency ↓" in text
            for word, sort in (
                ("time", Sort.TIME),
                ("tool", Sort.TOOL),
                ("status", Sort.STATUS),
                ("size", Sort.SIZE),
            ):
                assert calls.sort_at(text.index(word)) is sort

    played(play())
