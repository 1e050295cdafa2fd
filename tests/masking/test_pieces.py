import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.tree import dumps, plain
from mcptap.masking.pieces import json_in

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=5), VALUES, min_size=1))
def test_an_object_in_a_text_is_found(value):
    text = f"got {json.dumps(value)} there"
    (start, end, found, added), *_ = json_in(text)
    assert plain(found) == value
    assert text[start:end] == json.dumps(value)
    assert added == ""


@given(st.dictionaries(st.text("ab", max_size=5), VALUES, min_size=1), st.data())
def test_a_cut_object_is_ended_and_begins_like_the_text(value, data):
    whole = json.dumps(value)
    cut = whole[: data.draw(st.integers(3, len(whole) - 1))]
    for start, end, found, added in json_in(cut):
        assert start == 0
        assert end <= len(cut)
        if added and start == 0:
            assert dumps(found).endswith(added)


@pytest.mark.parametrize(
    "half", ["nul", "fals", "t", "-", "1.", "2e", "2E+", '"\\', '"x\\\\\\u00e', '"\\u0007["', '{"b": nu']
)
def test_what_is_cut_within_a_word_a_number_or_an_escape_is_found_from_its_beginning(half):
    text = '{"a": [1, ' + half
    (start, end, found, added), *more = json_in(text)
    assert (start, more) == (0, [])
    assert dumps(found).endswith(added)
    assert len(text) - 6 <= end <= len(text)


def test_what_is_no_json_gives_nothing():
    assert list(json_in("function() { return [1] }")) == []
    assert list(json_in("{" * 5000)) == []
    assert list(json_in('{"' * 5000)) == []
