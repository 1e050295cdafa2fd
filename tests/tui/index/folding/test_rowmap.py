"""Rows and records lead to each other, whatever the places of the records, told in whatever order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.index.folding import rowmap as module
from mcptap.tui.index.folding.rowmap import Place, RowMap

CHANGES = st.lists(st.tuples(st.sets(st.integers(0, 60)), st.sampled_from(Place)))


@given(CHANGES, st.integers(1, 70))
def test_rows_and_records_lead_to_each_other(changes, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        rowmap, places = RowMap(), [Place.OWN] * 80
        for records, place in changes:
            rowmap.put(sorted(records, key=lambda i: (i * 7) % 61), place)
            for i in records:
                places[i] = place
        for folded in (True, False):
            rowmap.fold(10, 70, folded=folded)
            turned = (Place.UNFOLDED, Place.FOLDED) if folded else (Place.FOLDED, Place.UNFOLDED)
            for i in range(10, 70):
                places[i] = turned[1] if places[i] is turned[0] else places[i]
            shown = [i for i in range(80) if places[i] in (Place.OWN, Place.UNFOLDED)]
            own = [i for i in range(80) if places[i] is Place.OWN]
            assert [rowmap[i] for i in range(80)] == places
            assert [rowmap.has_row(i) for i in range(80)] == [i in shown for i in range(80)]
            assert [rowmap.nth(row) for row in range(len(shown))] == shown
            for i in range(81):
                assert rowmap.rows_before(i) == sum(j < i for j in shown)
                assert rowmap.row_before(i) == max((j for j in shown if j < i), default=-1)
                assert rowmap.own_before(i) == max((j for j in own if j < i), default=-1)
            nearest = [min(j for j in own if j >= i) for i in range(70)]
            assert [rowmap.own_from(i) for i in range(70)] == nearest


def test_what_changed_is_told_once_by_its_block():
    rowmap = RowMap()
    assert rowmap.changed_from() is None
    rowmap.put([700, 600], Place.HIDDEN)
    assert rowmap.changed_from() == 600 // module.BLOCK * module.BLOCK
    assert rowmap.changed_from() is None
    rowmap.fold(0, 10, folded=True)
    assert rowmap.changed_from() == 0


def test_changing_records_out_of_order_touches_no_block_but_theirs():
    """Parts of two channels end in turn, so those of the longer line come late."""
    rowmap = RowMap()
    rowmap.put(range(0, 100_000, 2), Place.HIDDEN)
    kept = rowmap._counts[:10]
    rowmap.put(iter([1]), Place.HIDDEN)
    assert rowmap._counts[:10].tolist() == [kept[0] + 1, *kept[1:]]
    assert (rowmap.rows_before(100_000), rowmap.nth(0), rowmap.nth(49_998)) == (49_999, 3, 99_999)
