"""What is wrong with a schema: what is called wrong is wrong for a real validator as well."""

from __future__ import annotations

import jsonschema
import pytest
from hypothesis import given, settings

from mcptap.protocol.schema.schema_faults import schema_fault
from tests.protocol.schema.schemas import VALIDATORS, objects, schemas, values


@settings(max_examples=60, deadline=None)
@given(objects(values | schemas))
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
