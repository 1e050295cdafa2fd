"""What a changed schema means: a thousand mutants, and what cannot be made at random."""

from functools import cache
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.schema.compare.changes import CANNOT_BE_JUDGED, Meaning, schema_changes
from tests.protocol.schema.compare.mutations import (
    BREACH,
    GROWN,
    LESS,
    MORE,
    NOTHING,
    TEXT,
    Mutant,
    mutants,
    schema,
)

INPUT = {
    NOTHING: None,
    TEXT: Meaning.TEXT,
    MORE: Meaning.WIDER,
    LESS: Meaning.BREAKING,
    BREACH: Meaning.BREAKING,
    GROWN: Meaning.WIDER,
}
OUTPUT = {**INPUT, MORE: Meaning.BREAKING, LESS: Meaning.WIDER}


def meanings(old: object, new: object, *, given: bool = False) -> set[Meaning]:
    return {change.meaning for change in schema_changes(old, new, given=given)}


def whys(old: object, new: object) -> list[str]:
    return [change.why for change in schema_changes(old, new, given=False)]


@cache
def thousand() -> list[Mutant]:
    return list(islice(mutants(Random(1)), 1000))


@pytest.mark.parametrize(
    ("given", "table", "first"), [(False, INPUT, 0), (True, OUTPUT, 1)], ids=["arguments", "results"]
)
def test_each_of_a_thousand_mutants_is_in_its_class(
    given: bool, table: dict[str, Meaning | None], first: int
):
    wrong = []
    for mutant in thousand()[first::2]:
        found, expected = meanings(mutant.old, mutant.new, given=given), table[mutant.expected]
        if mutant.expected is BREACH:  # what is another may also be more
            found &= {expected}
        if found != ({expected} if expected else set()):
            wrong.append(mutant.name)
    assert wrong == []


@given(st.randoms(use_true_random=False))
def test_what_takes_less_one_way_takes_more_the_other_way(random: Random):
    mutant = next(mutants(random))
    # A parameter that is gone may be refused, as one that is new and required is missed.
    if mutant.expected in (MORE, LESS) and mutant.name != "new and required":
        forth, back = (
            meanings(one, other) for one, other in ((mutant.old, mutant.new), (mutant.new, mutant.old))
        )
        assert {*forth, *back} == {Meaning.BREAKING, Meaning.WIDER}


@given(st.randoms(use_true_random=False))
def test_a_schema_has_not_changed_against_itself(random: Random):
    one = schema(random, 3)
    assert schema_changes(one, one, given=True) == []


ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "properties",
                    "required",
                    "items",
                    "anyOf",
                    "oneOf",
                    "allOf",
                    "enum",
                    "$ref",
                    "minimum",
                    "not",
                ]
            ),
            inner | st.just("#/$defs/a") | st.just("string"),
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(ANY_JSON, ANY_JSON)
def test_whatever_a_server_sends_can_be_compared(old: object, new: object):
    assert all(change.why for change in schema_changes(old, new, given=False))


def test_a_reference_is_what_it_leads_to():
    by_name = {"properties": {"at": {"$ref": "#/$defs/Place"}}, "$defs": {"Place": {"type": "string"}}}
    assert schema_changes(by_name, {"properties": {"at": {"type": "string"}}}, given=False) == []
    assert whys(by_name, {"properties": {"at": {"$ref": "#/$defs/Place"}}}) == [CANNOT_BE_JUDGED]


def test_a_schema_that_holds_itself_is_compared_once():
    def tree(value: dict[str, object]) -> dict[str, object]:
        kids = {"type": "array", "items": {"$ref": "#/$defs/n"}}
        return {"$ref": "#/$defs/n", "$defs": {"n": {"properties": {"kids": kids, "value": value}}}}

    assert meanings(tree({"type": "string"}), tree({"type": "string"})) == set()
    assert meanings(tree({"type": "string"}), tree({"type": "integer"})) == {Meaning.BREAKING}


def test_null_beside_a_type_may_be_spelled_in_two_ways():
    listed = {"type": ["string", "null"], "description": "x"}
    assert (
        schema_changes(
            {"anyOf": [{"type": "string"}, {"type": "null"}], "description": "x"}, listed, given=False
        )
        == []
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"const": 1}, {"enum": [1]}),
        ({"type": "integer", "exclusiveMinimum": 0}, {"type": "integer", "minimum": 1}),
        ({"type": "integer"}, {"type": "integer", "minimum": -(2**53 - 1), "maximum": 2**53 - 1}),
        ({"enum": ["a"]}, {"enum": ["a"], "type": "string"}),
        ({"items": {}}, {}),
        (True, {}),
    ],
)
def test_two_spellings_of_the_same_are_no_change(old: object, new: object):
    assert schema_changes(old, new, given=False) == []
    assert schema_changes(new, old, given=True) == []


def test_what_is_not_may_be_less():
    assert meanings({"not": {"type": "string"}}, {"not": {"type": ["string", "null"]}}) == {Meaning.BREAKING}


def test_of_forms_that_do_not_exclude_each_other_nothing_is_concluded():
    one_of = {"oneOf": [{"minimum": 1}, {"maximum": 9}]}
    assert whys(one_of, {"oneOf": [*one_of["oneOf"], {"multipleOf": 2}]}) == [CANNOT_BE_JUDGED]
    apart = {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
    assert meanings(apart, {"oneOf": [*apart["oneOf"], {"type": "integer"}]}) == {Meaning.WIDER}


def test_a_member_that_is_gone_is_named():
    old = {"properties": {"a": {}, "b": {}}, "required": ["b"]}
    assert whys(old, {"properties": {"a": {}}}) == ['the argument "b" is gone']
    assert whys({"properties": {"a": {}}}, old) == ['the argument "b" is new and required']


def test_closing_what_was_open_breaks_and_opening_it_does_not():
    closed = {"additionalProperties": False}
    assert meanings({}, closed) == {Meaning.BREAKING}
    assert meanings(closed, {}) == {Meaning.WIDER}
    assert meanings({}, closed, given=True) == meanings(closed, {}, given=True) == {Meaning.WIDER}
