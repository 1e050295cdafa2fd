"""Rows and records lead to each other, whichever records are hidden and in whatever order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.index import hidden as module
from mcptap.tui.index.hidden import HiddenRecords


@given(st.lists(st.sets(st.integers(0, 60))), st.integers(1, 70))
def test_rows_and_records_lead_to_each_other(batches, block):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        records = HiddenRecords()
        for batch in batches:
            records.add(sorted(batch, key=lambda i: (i * 7) % 61))
        hidden = set().union(*batches)
        shown = [i for i in range(80) if i not in hidden]
        assert list(records) == sorted(hidden)
        assert len(records) == len(hidden)
        assert [i in records for i in range(80)] == [i in hidden for i in range(80)]
        assert [records.nth_shown(row) for row in range(len(shown))] == shown
        assert [records.shown_before(i) for i in shown] == list(range(len(shown)))


def test_adding_a_batch_out_of_order_touches_no_record_but_its_own(monkeypatch):
    """Parts of two channels end in turn, so those of the longer line come late."""
    records = HiddenRecords()
    records.add(range(0, 100_000, 2))
    kept = records._counts[:10]
    records.add(iter([1]))
    assert records._counts[:10].tolist() == [kept[0] + 1, *kept[1:]]
    assert (records.shown_before(100_000), records.nth_shown(0), records.nth_shown(49_998)) == (
        49_999,
        3,
        99_999,
    )
