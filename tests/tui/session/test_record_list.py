"""The record under the cursor of a list."""

from mcptap.tui.session.record_list import RecordList
from tests.tui.screens import alone, played


def test_a_list_without_rows_has_no_record_under_its_cursor():
    async def play():
        rows = RecordList()
        async with alone(rows):
            assert rows.record is None
            rows.count = lambda: 3
            rows.go(2)
            assert rows.record == 2

    played(play())
