"""Arguments made from schemas: wrong ones only where they are wrong for certain and harmless."""

from __future__ import annotations

import pytest

from mcptap.play.client.arguments import is_read_only, right_arguments, wrong_arguments


def tool(required: list[str], **properties: object) -> dict[str, object]:
    schema = {"type": "object", "properties": properties, "required": required}
    return {"name": "t", "inputSchema": schema}


def test_leaving_out_what_is_required_is_wrong_for_certain():
    assert wrong_arguments(tool(["path"], path={"type": "string"})) == ({}, "")


@pytest.mark.parametrize(
    "risky",
    [
        tool([], path={"type": "string"}),
        tool(["mode"], mode={"type": "string", "default": "all"}),
        {"name": "t"},
        {"name": "t", "inputSchema": {"required": "path"}},
    ],
    ids=["requires-nothing", "has-defaults", "no-schema", "odd-schema"],
)
def test_a_tool_that_might_run_is_not_asked(risky):
    arguments, why = wrong_arguments(risky)
    assert arguments is None
    assert why


def test_right_arguments_are_those_that_the_schema_names():
    asked = tool(["a", "b", "c"], a={"enum": ["x", "y"]}, b={"default": 3}, c={"examples": ["z"]}, d={})
    assert right_arguments(asked) == ({"a": "x", "b": 3, "c": "z"}, "")


def test_right_arguments_are_not_made_up():
    arguments, why = right_arguments(tool(["path"], path={"type": "string"}))
    assert arguments is None
    assert "path" in why


@pytest.mark.parametrize(
    "annotations",
    [
        None,
        [],
        {"readOnlyHint": "yes"},
        {"readOnlyHint": False},
        {"readOnlyHint": True, "destructiveHint": True},
    ],
)
def test_only_a_plain_true_makes_a_tool_read_only(annotations):
    assert not is_read_only({"annotations": annotations})
