"""Records of several sessions in the order of time."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.index.folding.rowmap import Place
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.runs.merged import MergedRows, Part


def part(times, start_us=0, hidden=(), picked=None, *, is_shown=True):
    index = RecordIndex()
    index.times = array("Q", times)
    index.tools = array("I", [0] * len(times))
    index.offsets = array("Q", range(len(times) + 1))
    index.rowmap.put(hidden, Place.HIDDEN)
    return Part(index, start_us, None if picked is None else array("I", picked), is_shown)


def places(*parts):
    merged = MergedRows(parts)
    return [merged.at(row) for row in range(len(merged))]


def test_records_of_all_sessions_stand_in_the_order_of_the_runs_time():
    assert places(part([0, 10, 30]), part([0, 5], 20)) == [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2)]


def test_of_one_moment_the_earlier_session_comes_first():
    assert places(part([7, 7]), part([7, 7])) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_what_is_hidden_or_filtered_has_no_row():
    assert places(part([0, 1, 2], hidden=[1]), part([0, 1, 2], picked=[2])) == [(0, 0), (0, 2), (1, 2)]
    assert places(part([0, 1], is_shown=False), part([0])) == [(1, 0)]
    assert MergedRows([part([0, 1, 2], hidden=[1])]).row_of((0, 1)) == 1


def test_there_is_no_row_where_there_is_no_record():
    merged = MergedRows([part([0])])
    for row in (-1, 1):
        with pytest.raises(IndexError):
            merged.at(row)
    with pytest.raises(IndexError):
        MergedRows().at(0)


SESSIONS = st.lists(
    st.tuples(st.lists(st.integers(0, 50), max_size=12), st.integers(0, 50)), min_size=1, max_size=4
)


@given(SESSIONS)
def test_sorted_times_give_the_order_that_sorting_gives(sessions):
    parts = [part(sorted(times), start) for times, start in sessions]
    expected = sorted(
        (start + t, number, i)
        for number, (times, start) in enumerate(sessions)
        for i, t in enumerate(sorted(times))
    )
    assert places(*parts) == [(number, i) for _, number, i in expected]
    merged = MergedRows(parts)
    assert [merged.row_of(place) for place in places(*parts)] == list(range(len(merged)))


@given(SESSIONS)
def test_whatever_the_times_are_each_record_has_one_row(sessions):
    parts = [part(times, start) for times, start in sessions]
    found = places(*parts)
    assert sorted(found) == [(n, i) for n, (times, _) in enumerate(sessions) for i in range(len(times))]
