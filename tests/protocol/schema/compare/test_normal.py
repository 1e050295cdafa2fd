"""One form for what is spelled in several ways."""

from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mcptap.protocol.schema.compare.normal import NEVER, bounds, normal, types_of, unwrapped
from tests.protocol.schema.compare.mutations import schema

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 60)
    | st.sampled_from(["", "a", "e", "x1", "abcdef", "0123456789"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["city", "day", "unit", "tags", "deep"]), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(st.randoms(use_true_random=False), VALUES)
def test_the_normal_form_takes_the_same_values(random, value):
    one = schema(random)
    made = normal(one, one)
    assert made is not None
    assert Draft202012Validator(made).is_valid(value) == Draft202012Validator(one).is_valid(value)
    for inner in one["properties"].values():
        assert Draft202012Validator(normal(inner, one)).is_valid(value) == Draft202012Validator(
            inner
        ).is_valid(value)


def test_a_reference_that_leads_nowhere_or_in_a_circle_has_none():
    assert normal({"$ref": "#/$defs/a"}, {}) is None
    assert normal({"$ref": "#/a"}, {"a": {"$ref": "#/a"}}) is None
    assert normal({"$ref": "https://example.com/x"}, {}) is None
    assert normal("text", {}) is None


def test_what_stands_beside_a_reference_counts_too():
    root = {"$defs": {"a": {"type": "string", "title": "old"}}}
    assert normal({"$ref": "#/$defs/a", "title": "new"}, root) == {"type": "string", "title": "new"}
    assert normal({"$ref": "#/$defs/a", "pattern": "x"}, root) == {
        "allOf": [root["$defs"]["a"], {"pattern": "x"}]
    }


def test_true_is_anything_and_false_nothing():
    assert normal(True, {}) == {}
    assert normal(False, {}) == NEVER


def test_one_of_one_is_that_one_unless_the_other_side_chooses_too():
    single = {"oneOf": [{"type": "string"}], "title": "t"}
    assert unwrapped(single, {}, {}) == {"type": "string", "title": "t"}
    assert unwrapped(single, {"oneOf": []}, {}) == single


def test_types_are_told_as_far_as_they_can_be():
    assert types_of({"type": "number"}) == {"number", "integer"}
    assert types_of({"type": "text"}) is None


def test_limits_of_integers_are_inclusive():
    assert bounds({"type": "integer", "exclusiveMinimum": 0, "maximum": 5}) == {
        True: (1, False),
        False: (5, False),
    }
    assert bounds({"type": "number", "exclusiveMinimum": 0}) == {True: (0, True), False: None}
    assert bounds({"minimum": "1"}) is None
