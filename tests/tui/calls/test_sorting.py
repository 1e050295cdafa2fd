"""The order of calls, and a sort in slices that is a sort."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.calls import sorting
from mcptap.tui.calls.sorting import Sort, in_order, order
from mcptap.tui.calls.spans import Moment
from tests.tui.calls.conftest import ASKED, CANCELLED, FAILED, LISTED, OPENING, QUICK, REFUSED, SILENT
from tests.tui.screens import indexed

WHOLE = Moment()
ALL = array("I", [OPENING, LISTED, QUICK, FAILED, REFUSED, CANCELLED, ASKED, SILENT])


def no_breath():
    pass


def ordered(path, sort, moment=WHOLE, calls=ALL):
    return list(order(indexed(path), calls, sort, moment, no_breath))


@pytest.mark.parametrize(
    ("sort", "last"),
    [
        (Sort.TIME, [CANCELLED, ASKED, SILENT]),
        (Sort.LATENCY, [QUICK, FAILED, SILENT]),
        (Sort.SIZE, [QUICK]),
        (Sort.TOOL, [OPENING, ASKED, LISTED]),
        (Sort.STATUS, [OPENING, LISTED, QUICK, ASKED]),
    ],
)
def test_calls_are_sorted_by_each_column(path, sort, last):
    assert ordered(path, sort)[-len(last) :] == last


def test_what_waits_or_went_wrong_is_the_worst(path):
    assert ordered(path, Sort.STATUS)[:4] == [SILENT, REFUSED, FAILED, CANCELLED]


def test_names_are_sorted_whatever_their_case(path):
    assert ordered(path, Sort.TOOL)[0] == REFUSED


def test_calls_are_sorted_as_they_were_at_the_moment(path):
    calls = array("I", [OPENING, LISTED, QUICK, FAILED])
    assert ordered(path, Sort.STATUS, Moment(now=FAILED), calls)[0] == FAILED
    assert ordered(path, Sort.SIZE, Moment(now=FAILED), calls)[0] == FAILED


def test_nothing_is_in_order():
    assert order(None, array("I"), Sort.TIME, Moment(), no_breath) == array("I")


@given(st.sets(st.integers(0, 1 << 70), max_size=300), st.integers(0, 1 << 32))
def test_a_sort_in_slices_gives_what_a_sort_gives(values, seed):
    items = sorted(values, key=lambda value: hash((value, seed)))
    before, sorting.SLICE = sorting.SLICE, 16
    try:
        assert in_order(items, no_breath) == sorted(items)
    finally:
        sorting.SLICE = before


def test_a_sort_in_slices_takes_breath_while_it_works(monkeypatch):
    monkeypatch.setattr(sorting, "SLICE", 64)
    breaths = []
    in_order(list(range(1000, 0, -1)), lambda: breaths.append(1))
    assert len(breaths) > 2 * 1000 // 64


def test_the_columns_are_offered_one_after_the_other():
    seen, sort = [], Sort.TIME
    for _ in Sort:
        seen.append(sort)
        sort = sort.following
    assert seen == list(Sort)
    assert sort is Sort.TIME
