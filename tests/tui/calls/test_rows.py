"""Which call is in which row."""

from array import array

import pytest

from mcptap.query import parse
from mcptap.tui.calls.rows import CallRow, Rows, Wanted
from mcptap.tui.calls.sorting import Sort
from mcptap.tui.calls.spans import Moment
from tests.tui.calls.conftest import FAILED
from tests.tui.screens import indexed

CALLS = array("I", [3, 9, 4])


@pytest.mark.parametrize("falls", [False, True])
@pytest.mark.parametrize(("sort", "calls"), [(Sort.TIME, array("I", sorted(CALLS))), (Sort.SIZE, CALLS)])
def test_every_call_is_found_in_its_row(falls, sort, calls):
    rows = Rows(Wanted(sort=sort, falls=falls), calls)
    assert [rows.row_of(rows.at(y)) for y in range(len(rows))] == [0, 1, 2]
    assert rows.at(0) == (calls[-1] if falls else calls[0])
    assert rows.row_of(5) is None


def test_a_filter_sees_what_became_of_a_call_at_the_moment(path):
    index = indexed(path)
    for moment, status, latency in (
        (Moment(), "iserror", 2_001_000),
        (Moment(now=FAILED), "pending", None),
    ):
        row = CallRow(index, moment)
        row.i = FAILED
        assert parse(f"status:{status}").matches(row)
        assert row.latency_us == latency
        row.i = FAILED + 1
        assert parse(f"status:{status}").matches(row)
