"""Params and results of methods: what is missing or of another type."""

import pytest

from mcptap.protocol.revisions import KNOWN, REVISIONS, UNKNOWN
from mcptap.protocol.schema.entities import OF_RESULTS
from mcptap.protocol.schema.shapes import (
    PARAM_TYPES_OF_KEYS,
    method_facts,
    null_paths,
    param_faults,
    result_faults,
)

TASKS = REVISIONS[3]
INFO = {"name": "s", "version": "1"}


def faults(name, result, revision=TASKS):
    method = method_facts(revision, name)
    assert method is not None
    return result_faults(method, result)


@pytest.mark.parametrize(
    ("name", "result", "found"),
    [
        ("tools/list", {"tools": []}, []),
        ("tools/list", [], [("result", "is not an object")]),
        ("tools/list", {}, [("tools", "is absent")]),
        ("tools/list", {"tools": {}}, [("tools", "is not an array")]),
        ("tools/list", {"tools": [{"name": "a"}, {}, 3]}, [
            ("tools[].name", "is absent"), ("tools[]", "is not an object"),
        ]),
        ("roots/list", {"roots": [{"uri": 1}]}, [("roots[].uri", "is not a string")]),
        ("tools/call", {"content": [{"type": "text", "text": "x"}]}, []),
        ("tools/call", {"content": "x"}, [("content", "is not an array")]),
        ("tools/call", {"content": [1, {}, {"type": 3}, {"type": "text"}]}, [
            ("content[]", "is not an object"), ("content[].type", "is absent"),
            ("content[].type", "is not a string"), ("content[].text (text)", "is absent"),
        ]),
        ("tools/call", {"content": [{"type": "new kind"}]}, []),
        ("tools/call", {"task": {}}, []),
        ("initialize", {"protocolVersion": "x", "capabilities": {}, "serverInfo": {"name": 1}}, [
            ("serverInfo.version", "is absent"), ("serverInfo.name", "is not a string"),
        ]),
        ("initialize", {"protocolVersion": "x", "capabilities": None, "serverInfo": INFO}, [
            ("capabilities", "is not an object"),
        ]),
        ("completion/complete", {"completion": {}}, [("completion.values", "is absent")]),
        ("completion/complete", {"completion": {"values": {}}}, [("completion.values", "is not an array")]),
        ("sampling/createMessage", {"role": "user", "model": "m", "content": [{"type": "text"}]}, [
            ("content.text (text)", "is absent"),
        ]),
        ("elicitation/create", {"action": "ok"}, [("action", "is not accept, decline or cancel")]),
    ],
)  # fmt: skip
def test_a_result_is_told_what_it_lacks(name, result, found):
    assert faults(name, result) == found


def test_a_result_that_asks_for_input_is_not_held_to_the_shape_of_a_complete_one():
    stateless = REVISIONS[-1]
    assert faults("tools/list", {"resultType": "input_required"}, stateless) == []
    assert faults("tools/list", {"resultType": "complete"}, stateless) == [("tools", "is absent")]


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_message_of_a_prompt_holds_one_block_in_all_revisions(revision):
    result = {"messages": [{"role": "user", "content": [{"type": "text", "text": "x"}]}]}
    assert faults("prompts/get", result, revision) == [("messages[].content", "is not an object")]


@pytest.mark.parametrize(
    ("name", "params", "found"),
    [
        ("tools/call", {"name": "t"}, []),
        ("tools/call", None, [("name", "is absent")]),
        (
            "tools/call",
            {"name": 3, "arguments": []},
            [("name", "is not a string"), ("arguments", "is not an object")],
        ),
        ("tools/call", {"name": "t", "arguments": None}, []),
        ("notifications/progress", {"progressToken": 1, "progress": True}, [("progress", "is not a number")]),
        ("ping", None, []),
    ],
)
def test_params_are_told_what_they_lack(name, params, found):
    assert param_faults(method_facts(TASKS, name), params) == found


def test_optional_keys_that_are_null_are_named_by_where_they_stand():
    listed = {"tools": [{"name": "a", "description": None}, {"name": "b"}], "nextCursor": None}
    assert null_paths(method_facts(TASKS, "tools/list"), listed) == ["tools[].description", "nextCursor"]
    called = {"content": [{"type": "text", "text": "x", "annotations": None}], "structuredContent": None}
    assert null_paths(method_facts(TASKS, "tools/call"), called) == [
        "content[].annotations",
        "structuredContent",
    ]
    assert null_paths(method_facts(TASKS, "tools/list"), {"tools": [{"name": None}]}) == []


def test_an_unknown_revision_is_judged_as_the_newest_that_begins_with_a_handshake():
    assert method_facts(UNKNOWN, "tools/call") is TASKS.methods["tools/call"]
    assert method_facts(UNKNOWN, "server/discover") is None


def test_every_key_whose_type_is_known_belongs_to_a_method():
    methods = [revision.methods[name] for revision in REVISIONS for name in KNOWN & revision.methods.keys()]
    assert OF_RESULTS.keys() <= {key for method in methods for key in method.result_keys}
    assert set(PARAM_TYPES_OF_KEYS) <= {key for method in methods for key in method.params}
