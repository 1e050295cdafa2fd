from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.members import members

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.text(), json_values, max_size=5), st.sampled_from([None, 1, "\t"]))
def test_each_member_is_found_as_it_is_spelled(value: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    found = members(text)
    assert found is not None
    assert {name: json.loads(spelled) for name, spelled in found.items()} == value
    assert all(spelled in text for spelled in found.values())


@pytest.mark.parametrize(
    "text",
    ["", "[]", "1", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a" 1}', "{1:2}", '{"a":1 "b":2}'],
)  # fmt: skip
def test_what_is_no_object_has_no_members(text: str) -> None:
    assert members(text) is None


@given(st.text(alphabet='{}[]:,"\\ a1\n', max_size=30))
def test_any_text_has_members_or_none(text: str) -> None:
    members(text)


def test_spelling_is_kept() -> None:
    assert members('{"a": 1.50, "b" :"\\u0041" , "a":{ } }') == {"a": "{ }", "b": '"\\u0041"'}
    assert members(" { } ") == {}
