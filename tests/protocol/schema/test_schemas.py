"""Schemas are judged without doubt: what is called wrong is wrong for a real validator as well."""

from __future__ import annotations

import warnings
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.protocol.schema.instance_faults import instance_fault
from mcptap.protocol.schema.plain import plain
from mcptap.protocol.schema.schema_faults import schema_fault

VALIDATORS = (jsonschema.Draft7Validator, jsonschema.Draft202012Validator)

scalars = st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-3, 3) | st.sampled_from(["", "a", "ab"])
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
types = st.sampled_from(["null", "boolean", "object", "array", "number", "integer", "string"])


def _object(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.fixed_dictionaries(
        {},
        optional={
            "type": types | st.lists(types, min_size=1, max_size=2, unique=True),
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
            "additionalProperties": st.booleans() | inner,
            "items": inner,
            "enum": st.lists(values, min_size=1, max_size=3),
            "const": values,
            "minimum": st.integers(-2, 2),
            "exclusiveMaximum": st.integers(-2, 2),
            "minLength": st.integers(0, 2),
            "maxLength": st.integers(0, 2),
            "minItems": st.integers(0, 2),
            "maxItems": st.integers(0, 2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "$ref": st.sampled_from(["#/definitions/x", "#"]),
        },
    )


schemas = st.recursive(st.booleans() | st.just({}), _object, max_leaves=5)


def _fits(validator: Any, schema: Any, value: Any) -> bool | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return bool(validator(schema).is_valid(value))
        except RecursionError:
            return None
        except BaseException as failure:  # its registry, written in Rust, panics at one
            if "RecursionError" not in str(failure):
                raise
            return None


@settings(max_examples=400, deadline=None)
@given(schemas, schemas, values)
def test_a_value_that_is_called_wrong_is_wrong(schema, definition, value):
    if isinstance(schema, dict):
        schema = {**schema, "definitions": {"x": definition}}
    fault = instance_fault(schema, value)
    if fault:
        for validator in VALIDATORS:
            assert _fits(validator, schema, value) is not True, fault


@settings(max_examples=200, deadline=None)
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


@settings(max_examples=300, deadline=None)
@given(_object(values | schemas))
def test_a_schema_that_is_called_wrong_is_wrong(schema):
    if schema_fault(schema, root_object=False):
        for validator in VALIDATORS:
            with pytest.raises(jsonschema.SchemaError):
                validator.check_schema(schema)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {"a": True}},
        {"type": "object", "properties": {"a": {"type": ["string", "null"], "x-widget": "area"}}},
        {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "properties": {}},
        {"type": "object", "properties": {"a": {"$ref": "https://example.com/x.json"}}},
        {"type": "object", "properties": {"a": {"type": "array", "items": [{"type": "string"}]}}},
    ],
)
def test_a_good_input_schema_has_no_fault(schema):
    assert schema_fault(schema, root_object=True) == ""


@pytest.mark.parametrize(
    ("schema", "word"),
    [
        (None, "null"),
        ([], "array"),
        ({}, "type"),
        ({"type": "string"}, "string"),
        ({"anyOf": [{"type": "object"}]}, "type"),
        ({"type": "object", "properties": []}, "properties"),
        ({"type": "object", "required": "a"}, "required"),
        ({"type": "object", "properties": {"a": {"type": "str"}}}, "str"),
        ({"type": "object", "properties": {"a": {"required": True}}}, "required"),
        ({"type": "object", "properties": {"a": {"anyOf": []}}}, "anyOf"),
    ],
)
def test_a_bad_input_schema_is_named(schema, word):
    assert word in schema_fault(schema, root_object=True)


def test_a_schema_of_endless_depth_ends():
    loop: dict[str, Any] = {"$ref": "#"}
    assert instance_fault(loop, 1) == ""
    wide = {"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]}
    assert instance_fault(wide, 1) == ""


def test_a_pattern_is_never_run():
    assert instance_fault({"type": "string", "pattern": "(a+)+$"}, "a" * 60 + "!") == ""
