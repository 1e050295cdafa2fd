"""A column gives back the numbers that were put into it, whatever they are."""

from array import array
from bisect import bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.index import column as module
from mcptap.tui.index.column import Column

NUMBERS = st.integers(0, 2**64 - 1) | st.integers(0, 2**33) | st.integers(2**40, 2**40 + 99)


@given(st.lists(st.lists(NUMBERS, max_size=9), max_size=6))
def test_numbers_come_back_one_by_one_and_in_slices(pieces):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", 4)
        patch.setattr(module, "BLOCK_BITS", 2)
        column = Column()
        for piece in pieces:
            column.extend(array("Q", piece))
        numbers = [number for piece in pieces for number in piece]
        assert len(column) == len(numbers)
        assert list(column) == numbers
        assert list(column[1:-1]) == numbers[1:-1]
        assert [column[-1 - i] for i in range(len(numbers))] == numbers[::-1]
        numbers.sort()
        assert bisect_right(Column(numbers), 2**40) == bisect_right(numbers, 2**40)


def test_there_is_nothing_before_the_first_and_behind_the_last():
    column = Column([5])
    for i in (1, -2):
        with pytest.raises(IndexError):
            _ = column[i]


def test_numbers_close_to_each_other_take_four_bytes():
    column = Column(array("Q", range(10**12, 10**12 + 10_000)))
    assert column._distances.itemsize == 4
    assert not column._away
    assert len(column._bases) == 10
