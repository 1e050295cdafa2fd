"""Ids as keys, and the set that stays small for ids that count up."""

from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.model.ids import IdSet, OddId, other_type

ids = st.integers(-3, 30) | st.sampled_from(["", "1", "a"]) | st.just(OddId(1.5))


@given(st.lists(ids))
def test_the_set_holds_what_was_added_and_nothing_else(added):
    held = IdSet()
    for key in added:
        held.add(key)
    for key in [*range(-5, 35), "", "1", "a", "b", OddId(1.5), OddId(None)]:
        assert (key in held) == (key in added)
    assert bool(held) == bool(added)


def test_ids_that_count_up_take_no_room():
    held = IdSet()
    for key in range(1000):
        held.add(key)
    assert held._others == set()


def test_one_and_the_string_of_it_are_two_ids():
    held = IdSet()
    held.add(1)
    assert "1" not in held
    assert OddId(True) != 1
    assert other_type(1) == "1"
    assert other_type("1") == 1
    assert other_type("x") is None
