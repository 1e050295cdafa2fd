"""Several words as one phrase."""

from mcptap.text.enumeration import listed


def test_words_are_joined_by_commas_and_an_and():
    assert listed([]) == "none"
    assert listed(["a"]) == "a"
    assert listed(["a", "b"]) == "a and b"
    assert listed(("a", "b", "c")) == "a, b and c"


def test_behind_a_limit_only_the_number_is_told():
    assert listed(["a", "b", "c"], limit=1) == "a and 2 more"
    assert listed(["a", "b", "c"], limit=3) == "a, b and c"
