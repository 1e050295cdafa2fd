"""A schema as people read it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.session.tabs.schema import schema_lines
from tests.tui.screens import lines_of


def page(schema, columns=100):
    return lines_of(schema_lines(schema, columns))


def test_each_argument_has_its_type_whether_it_is_required_and_what_it_is_for():
    schema = {
        "properties": {
            "city": {"type": "string", "description": "Where."},
            "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 3},
        },
        "required": ["city"],
    }
    first, second = page(schema)
    assert first.split() == ["city", "string", "required", "Where."]
    assert second.split("  ")[-1].strip() == "(at least 1, at most 14, default 3)"
    assert "required" not in second


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "string"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"enum": ["a", 1]}, '"a" | 1'),
        ({"const": True}, "true"),
        ({"type": "array", "items": {"type": "string"}}, "array of string"),
        ({"type": "array"}, "array of any"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string | null"),
        ({"type": "array", "items": {"enum": [1, 2]}}, "array of (1 | 2)"),
        ({"$ref": "#/$defs/Colour"}, '"red"'),
        ({"$ref": "#/$defs/Point"}, "Point"),
        ({"$ref": "https://example.com/other"}, "other"),
        ({"properties": {}}, "object"),
        ({}, "any"),
        (True, "any"),
    ],
)
def test_a_type_is_told_in_a_word_or_a_few(schema, kind):
    defs = {"Colour": {"enum": ["red"]}, "Point": {"properties": {"x": {}}}}
    line = page({"properties": {"v": schema}, "$defs": defs})[0]
    assert line.removeprefix("v  ").startswith(kind + "  ")


def test_objects_within_are_set_in_also_behind_lists_and_references():
    schema = {
        "properties": {
            "plain": {"properties": {"a": {"type": "string"}}},
            "many": {"type": "array", "items": {"$ref": "#/$defs/Point"}},
            "maybe": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Point"}]},
        },
        "$defs": {"Point": {"properties": {"x": {"type": "number"}}}},
    }
    assert [line.split()[0] for line in page(schema)] == ["plain", "a", "many", "x", "maybe", "x"]


def test_a_schema_that_holds_itself_comes_to_an_end():
    node = {"properties": {"next": {"$ref": "#/$defs/Node"}, "all": {"items": {"$ref": "#"}}}}
    lines = page({**node, "$defs": {"Node": node}})
    assert 2 < len(lines) < 60


def test_a_schema_that_references_blow_up_comes_to_an_end_too():
    many = {f"p{n}": {"anyOf": [{"$ref": "#"}] * 9} for n in range(60)}
    assert len(page({"properties": many})) <= 2_000
    deep = {}
    for _ in range(900):
        deep = {"anyOf": [deep, deep]}
    assert len(page({"properties": {"a": deep}})) == 1


def test_what_is_not_set_out_is_named():
    lines = page({"properties": {"a": {}}, "required": ["b"], "allOf": [], "if": {}})
    assert "required, but not described: b" in lines
    assert "and allOf, if: see its JSON" in lines


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "object"}, "anything: it names nothing"),
        ({"type": "object", "additionalProperties": False}, "nothing"),
        (None, "no schema"),
        ("x", "no schema"),
    ],
)
def test_a_schema_without_properties_says_so(schema, said):
    assert page(schema) == [said]


def test_a_long_description_goes_below_where_there_is_no_room():
    schema = {"properties": {"a_rather_long_name_of_it": {"type": "string", "description": "word " * 30}}}
    lines = page(schema, 60)
    assert lines[0].split() == ["a_rather_long_name_of_it", "string"]
    assert all(len(line) <= 60 for line in lines)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "properties",
                    "items",
                    "anyOf",
                    "oneOf",
                    "$ref",
                    "enum",
                    "type",
                    "required",
                    "description",
                    "minimum",
                    "x",
                ]
            )
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_value_can_be_a_schema(value):
    assert schema_lines(value, 60)
    assert schema_lines({"properties": {"a": value}, "required": value}, 60)
