"""What changed in one item, in which class, and what is hashed of it."""

from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

import pytest

from mcptap.protocol.contract.items import (
    PROMPT,
    RESOURCE,
    TOOL,
    Class,
    contract_hash,
    item_changes,
    rights,
    split,
    words_hash,
)  # fmt: skip
from tests.protocol.schema.compare.mutations import BREACH, GROWN, LESS, MORE, NOTHING, TEXT, mutants

ADD: dict[str, Any] = {
    "name": "add",
    "title": "Add",
    "description": "Adds.",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "number", "description": "One."}}},
    "outputSchema": {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]},
    "annotations": {"readOnlyHint": True, "title": "Add"},
}


def changed(**members: Any) -> dict[str, Any]:
    new = {**deepcopy(ADD), **members}
    return {key: value for key, value in new.items() if value is not None}


def classes(
    new: dict[str, Any], kind: str = TOOL, old: dict[str, Any] = ADD, revision: str = ""
) -> set[Class]:
    return {change.cls for change in item_changes(kind, old, new, revision)}


@pytest.mark.parametrize(
    ("new", "cls"),
    [
        (changed(description="Adds!"), Class.WORDS),
        (changed(title="Sum"), Class.WORDS),
        (changed(annotations={"readOnlyHint": True, "title": "Sum"}), Class.WORDS),
        (changed(securityNote="new"), Class.WORDS),
        (changed(outputSchema=None), Class.BROKEN),
        (changed(outputSchema={"type": "object", "properties": {}}), Class.BROKEN),
        (changed(execution={"taskSupport": "required"}), Class.BROKEN),
        (changed(execution={"taskSupport": "optional"}), Class.WIDER),
        (changed(annotations={"title": "Add", "destructiveHint": False}), Class.WEAKENED),
        (changed(annotations={"readOnlyHint": True, "title": "Add", "idempotentHint": True}), Class.RIGHTS),
        (changed(annotations={"readOnlyHint": True, "title": "Add", "openWorldHint": False}), Class.RIGHTS),
    ],
)
def test_a_change_of_a_tool_is_in_one_class(new: dict[str, Any], cls: Class):
    assert classes(new) == {cls}


def test_style_is_no_change():
    new = changed(icons=[{"src": "x"}], _meta={"a": 1}, execution={"taskSupport": "forbidden"})
    new["inputSchema"] = {"$schema": "x", "required": [], **ADD["inputSchema"]}
    assert classes(new) == set()
    assert words_hash(TOOL, new) == words_hash(TOOL, ADD)
    assert contract_hash(TOOL, new) == contract_hash(TOOL, ADD)


def test_a_client_of_an_older_revision_is_given_less():
    old_client = changed(title=None, outputSchema=None, annotations=None)
    assert classes(old_client, revision="2024-11-05") == set()
    assert classes(old_client, revision="2025-11-25") == {Class.WORDS, Class.BROKEN, Class.WEAKENED}


def test_hashes_tell_the_classes_apart_too():
    for mutant in islice(mutants(Random(2)), 200):
        old, new = ({"name": "x", "inputSchema": schema} for schema in (mutant.old, mutant.new))
        other_words = words_hash(TOOL, old) != words_hash(TOOL, new)
        other_contract = contract_hash(TOOL, old) != contract_hash(TOOL, new)
        if mutant.expected in (TEXT,):
            assert (other_words, other_contract) == (True, False), mutant.name
        elif mutant.expected in (MORE, LESS, BREACH, GROWN):
            assert not other_words, mutant.name
            assert other_contract, mutant.name
        elif mutant.expected == NOTHING and mutant.name != "all of one" and mutant.name != "another spelling":
            assert (other_words, other_contract) == (False, False), mutant.name


def test_rights_are_a_letter_each_and_defaults_count():
    assert rights({}) == "-do-"
    assert rights({"annotations": {"readOnlyHint": True, "destructiveHint": True}}) == "r-o-"
    assert rights({"annotations": {"idempotentHint": True, "openWorldHint": False}}) == "-d-i"


def test_words_and_contract_of_a_schema_are_split():
    schema = {
        "title": "t",
        "properties": {"title": {"type": "string", "description": "d"}},
        "required": ["title"],
    }
    words, rest = split(schema)
    assert words == {"title": "t", "properties": {"title": {"description": "d"}}}
    assert rest == {"properties": {"title": {"type": "string"}}, "required": ["title"]}


def test_a_prompt_breaks_by_its_arguments():
    old = {"name": "p", "arguments": [{"name": "a", "description": "x"}]}
    new = (
        [{"name": "a", "required": True}],
        [],
        [{"name": "a", "description": "y"}],
        [*old["arguments"], {"name": "b"}],
    )
    found = [classes({"name": "p", "arguments": arguments}, PROMPT, old) for arguments in new]
    assert found == [{Class.WORDS, Class.BROKEN}, {Class.BROKEN}, {Class.WORDS}, {Class.WIDER}]


def test_of_a_resource_its_size_and_date_are_data():
    old = {
        "uri": "a:b",
        "name": "n",
        "size": 1,
        "annotations": {"lastModified": "2026"},
        "mimeType": "text/plain",
    }
    assert classes({**old, "size": 2, "annotations": {}}, RESOURCE, old) == set()
    assert classes({**old, "mimeType": "text/html"}, RESOURCE, old) == {Class.BROKEN}
    assert classes({**old, "description": "x"}, RESOURCE, old) == {Class.WORDS}
