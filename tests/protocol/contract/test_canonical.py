"""The canonical form of RFC 8785, and hashes."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.contract.canonical import canonical, digest


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-1.5, "-1.5"), (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (5e-324, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"), (0.000001, "0.000001"),
        (1e-7, "1e-7"), (9.999999999999997e22, "9.999999999999997e+22"), (0.002, "0.002"), (100.0, "100"),
        (9007199254740993, "9007199254740992"), (9223372036854775807, "9223372036854776000"),
    ],
)  # fmt: skip
def test_a_number_is_spelled_as_in_ecmascript(number: float, text: str):
    assert canonical(number).decode() == text


def test_members_are_sorted_by_utf_16_and_strings_stay_as_they_are():
    value = {"\ue000": 1, "\U0001f600": 2, "a": [True, None, "\u20ac\n\x0f"]}
    assert canonical(value).decode() == '{"a":[true,null,"€\\n\\u000f"],"\U0001f600":2,"\ue000":1}'


def test_what_the_library_refuses_has_a_form_too():
    assert canonical(["\ud800", 2**70]) == b'["\\ud800",1.1805916207174113e+21]'
    assert canonical(10**400) == b"1" + b"0" * 400


ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(ANY)
def test_the_form_means_the_value_and_is_its_own_form(value: object):
    spelled = canonical(value)
    assert json.loads(spelled, parse_int=float) == value
    assert canonical(json.loads(spelled)) == spelled


def test_two_domains_have_different_hashes():
    assert digest("a", {}) != digest("b", {})
    assert digest("a", {"x": 1, "y": 2}) == digest("a", {"y": 2, "x": 1.0})
