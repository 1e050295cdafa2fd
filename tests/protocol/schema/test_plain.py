"""The quick form of a simple schema."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.protocol.schema.instance_faults import instance_fault
from mcptap.protocol.schema.plain import plain
from tests.protocol.schema.schemas import scalars, types


@pytest.mark.parametrize(
    "schema",
    [
        None,
        {},
        {"type": "array"},
        {"type": "object", "required": "a"},
        {"type": "object", "properties": []},
        {"type": "object", "additionalProperties": {}},
        {"type": "object", "anyOf": []},
        {"type": "object", "properties": {"a": True}},
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}}},
        {"type": "object", "properties": {"a": {"type": "string", "enum": ["x"]}}},
        {"type": "object", "properties": {"a": {"type": "unknown"}}},
    ],
)
def test_what_is_not_simple_has_no_quick_form(schema):
    assert plain(schema) is None


def test_words_about_a_property_do_not_make_a_schema_less_simple():
    schema = {
        "type": "object",
        "title": "T",
        "properties": {"a": {"type": "string", "description": "x", "default": 1}},
    }
    assert plain(schema) is not None


def test_it_tells_what_is_missing_and_leaves_all_else_to_the_slow_way():
    quick = plain({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]})
    assert quick.fault({"a": "x", "b": None, "c": 1}) == ""
    assert quick.fault({"b": 1}) == "a is missing"
    assert quick.fault({"a": 1}) is None
    assert quick.fault([]) is None
    assert plain({"type": "object", "additionalProperties": False}).fault({"c": 1}) is None


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.sampled_from("abc"), st.fixed_dictionaries({}, optional={"type": types}), max_size=3),
    st.lists(st.sampled_from("abc"), max_size=2, unique=True),
    st.booleans(),
    st.dictionaries(st.sampled_from("abcd"), scalars, max_size=3),
)
def test_the_quick_form_of_a_schema_says_what_the_slow_one_says(properties, required, more, value):
    schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": more}
    quick = plain(schema)
    assert quick is not None
    said = quick.fault(value)
    if said is not None:
        assert said == instance_fault(schema, value)
