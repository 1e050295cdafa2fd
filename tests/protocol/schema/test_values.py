"""JSON values: their types, when two are the same, and how they are called."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.schema.values import (
    MAX_NODES,
    TYPES,
    Budget,
    brief,
    has_type,
    is_number,
    same,
    type_words,
    typed,
)
from tests.protocol.schema.schemas import values


@pytest.mark.parametrize(
    ("value", "types", "words"),
    [
        (None, {"null"}, "null"),
        (True, {"boolean"}, "true"),
        (1, {"integer", "number"}, "a number"),
        (1.0, {"integer", "number"}, "a number"),
        (1.5, {"number"}, "a number"),
        ("1", {"string"}, "a string"),
        ([], {"array"}, "an array"),
        ({}, {"object"}, "an object"),
    ],
)
def test_a_value_has_the_types_of_json_schema(value, types, words):
    assert {kind for kind in TYPES if has_type(value, kind)} == types
    assert typed(value) == words
    assert is_number(value) == ("number" in types)


@given(values, values)
def test_two_values_are_the_same_if_any_json_reader_takes_them_for_the_same(one, other):
    def canonical(value):
        if isinstance(value, dict):
            return {key: canonical(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [canonical(inner) for inner in value]
        return float(value) if is_number(value) else value

    wanted = json.dumps(canonical(one), sort_keys=True) == json.dumps(canonical(other), sort_keys=True)
    if "-0.0" not in json.dumps([one, other]):
        assert same(one, other) == wanted
    assert same(one, one)


def test_truth_is_no_number_however_deep_it_stands():
    assert same({"a": [1]}, {"a": [1.0]})
    assert not same({"a": [1]}, {"a": [True]})
    assert not same([1], [1, 2])


def test_types_are_joined_to_a_phrase():
    assert type_words(["string"]) == "a string"
    assert type_words(["integer", "null", "object"]) == "an integer or null or an object"


@given(st.text(max_size=80))
def test_a_value_is_told_in_at_most_60_characters(text):
    told = brief([text])
    assert len(told) <= 60
    assert told == json.dumps([text], ensure_ascii=False) or told.endswith("…")


def test_a_budget_is_spent_after_so_many_nodes():
    budget = Budget()
    assert not any(budget.spent() for _ in range(MAX_NODES))
    assert budget.spent()
