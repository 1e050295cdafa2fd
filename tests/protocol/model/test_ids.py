"""Ids as keys, and the set that stays small for ids that count up."""

from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.model.ids import IdSet, OddId, id_size, other_type

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


def test_a_set_of_ids_is_full_at_some_point_and_says_so(monkeypatch):
    monkeypatch.setattr("mcptap.protocol.model.ids.MAX_IDS", 3)
    kept = IdSet()
    for key in ("a", "b", "c"):
        kept.add(key)
    assert not kept.is_full
    kept.add("d")
    assert kept.is_full
    assert "c" in kept
    assert "d" not in kept


def test_a_long_id_counts_as_many():
    assert [id_size(key) for key in (1, "a", "k" * 400, 10**1000)] == [1, 1, 3, 3]
