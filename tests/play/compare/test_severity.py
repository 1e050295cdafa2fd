"""What breaks who used a server before, and what does not."""

import pytest

from mcptap.play.compare.offers import answer_differences
from mcptap.play.compare.severity import Severity, fails, judged

ANY = {"type": "object"}


def breaks(method, old, new):
    """What each difference breaks."""
    found = [judged(change, method) for change in answer_differences(old, new, method)]
    assert all((each.severity is Severity.CONTRACT) == bool(each.why) for each in found)
    assert found
    return [each.why for each in found if each.why]


def tools(*items):
    return {"result": {"tools": list(items)}}


def tool(schema=ANY, name="add", **members):
    return {"name": name, "inputSchema": schema, **members}


def schema(**members):
    return {"type": "object", **members}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (schema(required=["a"]), schema(required=["b", "a"])),
        (schema(), schema(required=["a"])),
        (schema(properties={"a": {"type": "string"}}), schema(properties={"a": {"type": "number"}})),
        (
            schema(properties={"a": {"type": ["string", "null"]}}),
            schema(properties={"a": {"type": "string"}}),
        ),
        (schema(properties={"a": {}}), schema(properties={})),
        (schema(properties={"a": {"enum": ["x", "y"]}}), schema(properties={"a": {"enum": ["y"]}})),
        (schema(properties={"a": {}}), schema(properties={"a": {"enum": ["y"]}})),
        (schema(properties={"a": {"maximum": 9}}), schema(properties={"a": {"maximum": 5}})),
        (
            schema(properties={"a": {"items": {"minLength": 1}}}),
            schema(properties={"a": {"items": {"minLength": 2}}}),
        ),
        (schema(), schema(additionalProperties=False)),
        (schema(anyOf=[{"a": 1}, {"b": 2}]), schema(anyOf=[{"a": 1}])),
        (
            schema(properties={"required": {"type": "string"}}),
            schema(properties={"required": {"type": "number"}}),
        ),
    ],
)
def test_narrower_arguments_break_callers_and_wider_ones_do_not(old, new):
    assert len(breaks("tools/list", tools(tool(old)), tools(tool(new)))) == 1
    if "type" not in str(old) or "number" not in str(new):
        assert breaks("tools/list", tools(tool(new)), tools(tool(old))) in ([], ["an argument is gone"])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (tools(tool(), tool(name="sub")), tools(tool()), "the tool is gone"),
        (tools(tool(outputSchema=ANY)), tools(tool()), "the result is no longer described"),
        (
            tools(tool(outputSchema=schema(required=["a"]))),
            tools(tool(outputSchema=schema(required=[]))),
            "a member of the result is no longer promised",
        ),
        (
            tools(tool()),
            tools(tool(execution={"taskSupport": "required"})),
            "it can only be called as a task now",
        ),
        (tools(tool()), tools(tool(), tool(name="sub")), ""),
        (tools(tool(description="a")), tools(tool(description="b")), ""),
    ],
)
def test_tools_that_went_and_came(old, new, why):
    assert breaks("tools/list", old, new) == ([why] if why else [])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            {"protocolVersion": "2025-11-25"},
            {"protocolVersion": "2025-06-18"},
            "another revision of the protocol",
        ),
        ({"capabilities": {"tools": {}}}, {"capabilities": {}}, "a capability is gone"),
        (
            {"capabilities": {"tools": {"listChanged": True}}},
            {"capabilities": {"tools": {"listChanged": False}}},
            "a capability is gone",
        ),
        ({"capabilities": {}}, {"capabilities": {"tools": {}}}, ""),
        ({"serverInfo": {"version": "1"}}, {"serverInfo": {"version": "2"}}, ""),
        (
            {"supportedVersions": ["a", "b"]},
            {"supportedVersions": ["b"]},
            "a revision is no longer supported",
        ),
    ],
)
def test_what_a_server_says_of_itself(old, new, why):
    assert breaks("initialize", {"result": old}, {"result": new}) == ([why] if why else [])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ({"isError": False}, {"isError": True}, "it fails, where it succeeded"),
        ({}, {"isError": True}, "it fails, where it succeeded"),
        ({"isError": True}, {}, "it succeeds, where it failed"),
        ({}, {"isError": False}, ""),
        ({"structuredContent": {"n": 1}}, {"structuredContent": {}}, "a member of the result is gone"),
        (
            {"structuredContent": {"n": 1}},
            {"structuredContent": {"n": "1"}},
            "a member of the result has another type",
        ),
        ({"structuredContent": {"n": 1}}, {"structuredContent": {"n": 2.5}}, ""),
        ({"content": [{"type": "text"}]}, {"content": [{"type": "image"}]}, "content of another type"),
        ({"content": [{"text": "a"}]}, {"content": [{"text": "b"}]}, ""),
        ({"resultType": "complete"}, {"resultType": "input_required"}, "another kind of result"),
    ],
)
def test_answers_to_calls(old, new, why):
    assert breaks("tools/call", {"result": old}, {"result": new}) == ([why] if why else [])


def test_an_error_for_a_result_and_another_code():
    error = {"error": {"code": -32603, "message": "boom"}}
    assert set(breaks("tools/call", {"result": {}}, error)) == {"it fails, where it succeeded"}
    assert breaks("tools/call", error, {"error": {"code": -32602, "message": "boom"}}) == [
        "another error code"
    ]
    assert breaks("tools/call", error, {"error": {"code": -32603, "message": "bang"}}) == []


def test_prompts_and_resources():
    def prompts(*arguments):
        return {"result": {"prompts": [{"name": "p", "arguments": list(arguments)}]}}

    new = {"name": "b", "required": True}
    assert breaks("prompts/list", prompts({"name": "a"}), prompts({"name": "a"}, new)) == [
        "an argument is required now"
    ]
    assert breaks("prompts/list", prompts({"name": "b"}), prompts(new)) == ["an argument is required now"]
    assert breaks("prompts/list", prompts(new), prompts()) == ["an argument is gone"]
    assert breaks(
        "resources/list", {"result": {"resources": [{"uri": "a"}]}}, {"result": {"resources": []}}
    ) == ["the resource is gone"]


class Result:
    def __init__(self, severity, overlooked=()):
        self.severity, self.overlooked = severity, list(overlooked)


@pytest.mark.parametrize(
    ("result", "failing"),
    [
        (Result(Severity.NOISE), set()),
        (Result(Severity.NOISE, ["times"]), {"noise"}),
        (Result(Severity.CONTENT), {"noise", "content"}),
        (Result(Severity.CONTRACT), {"noise", "content", "contract"}),
    ],
)
def test_a_gate_fails_on_what_it_was_asked_for_and_on_what_is_worse(result, failing):
    assert {word for word in ("contract", "content", "noise") if fails(result, word)} == failing


@pytest.mark.parametrize(
    ("member", "why"),
    [
        ({"format": "date"}, "what is allowed is another"),
        ({"uniqueItems": True}, "what is allowed is another"),
        ({"unevaluatedProperties": False}, "what is allowed is another"),
        ({"dependentRequired": {"a": ["b"]}}, "an argument is required now"),
    ],
)
def test_a_schema_that_may_refuse_more_breaks_callers(member, why):
    assert breaks("tools/list", tools(tool()), tools(tool({**ANY, **member}))) == [why]
    assert breaks("tools/list", tools(tool({**ANY, **member})), tools(tool())) == []


def test_a_resource_that_moved_and_contents_of_another_kind_break_readers():
    def listed(uri):
        return {"result": {"resources": [{"name": "a", "uri": uri}]}}

    def contents(**members):
        return {"result": {"contents": [{"uri": "a:/", **members}]}}

    assert breaks("resources/list", listed("a:/"), listed("b:/")) == ["the resource has another address"]
    assert breaks("resources/read", contents(text="t"), contents(blob="dA==")) == ["content of another type"]
