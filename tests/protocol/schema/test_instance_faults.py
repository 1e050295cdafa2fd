"""Why a value does not fit: what is called wrong is wrong for a real validator as well."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from hypothesis import given, settings

from mcptap.protocol.schema.instance_faults import instance_fault
from tests.protocol.schema.schemas import VALIDATORS, schemas, values


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


@settings(max_examples=60, deadline=None)
@given(schemas, schemas, values)
def test_a_value_that_is_called_wrong_is_wrong(schema, definition, value):
    if isinstance(schema, dict):
        schema = {**schema, "definitions": {"x": definition}}
    fault = instance_fault(schema, value)
    if fault:
        for validator in VALIDATORS:
            assert _fits(validator, schema, value) is not True, fault


def test_a_schema_of_endless_depth_ends():
    loop: dict[str, Any] = {"$ref": "#"}
    assert instance_fault(loop, 1) == ""
    wide = {"anyOf": [{"$ref": "#"}, {"$ref": "#"}, {"$ref": "#"}]}
    assert instance_fault(wide, 1) == ""


def test_a_pattern_is_never_run():
    assert instance_fault({"type": "string", "pattern": "(a+)+$"}, "a" * 60 + "!") == ""


@pytest.mark.parametrize(
    ("schema", "value", "fault"),
    [
        ({"type": "string"}, None, "x is null, not a string"),
        ({"type": ["string", "null"]}, 3, "x is a number, not a string or null"),
        ({"type": "string", "nullable": True}, None, ""),
        ({"enum": ["a", 1]}, True, 'x is none of ["a", 1]'),
        ({"const": 1}, 1.0, ""),
        ({"minimum": 3}, 2, "x is less than 3"),
        ({"exclusiveMaximum": 3}, 3, "x is not less than 3"),
        ({"minLength": 2}, "a", "x is shorter than 2"),
        ({"maxItems": 1}, [1, 2], "x has 2 items, more than 1"),
        ({"required": ["a"]}, {}, "x.a is missing"),
        (
            {"properties": {"a": {"items": {"type": "integer"}}}},
            {"a": [1, "2"]},
            "x.a[1] is a string, not an integer",
        ),
        ({"additionalProperties": False}, {"b": 1}, "x.b is not one of its properties"),
        ({"prefixItems": [{"type": "string"}], "items": False}, ["a", 1], "x[1] is not allowed"),
        ({"oneOf": [{"type": "string"}, {"type": "null"}]}, 1, "x fits none of 2 alternatives"),
        ({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "null"}}}, 1, "x is a number, not null"),
        ({"$ref": "https://example.com/x.json"}, 1, ""),
        (False, 1, "x is not allowed"),
    ],
)
def test_a_fault_is_told_in_words_with_its_place(schema, value, fault):
    assert instance_fault(schema, value, "x") == fault
