"""What matters of a message, in a few words."""

from __future__ import annotations

from typing import Any

import pytest

from mcptap.protocol.model.session import Session
from mcptap.report.message_summary import message_summary
from tests.diagnosis.sessions import line, message


def asked(method: str, params: Any = None) -> str:
    taken = Session(None).feed(line(2, "c2s", message(id=1, method=method, params=params)))
    assert taken is not None
    return message_summary(taken)


def answered(method: str, result: Any) -> str:
    session = Session(None)
    session.feed(line(2, "c2s", message(id=1, method=method)))
    taken = session.feed(line(3, "s2c", message(id=1, result=result)))
    assert taken is not None
    return message_summary(taken)


def test_a_handshake_is_revision_capabilities_and_name_of_a_side():
    info = {"name": "agent", "version": "1.2"}
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"roots": {}, "sampling": {}},
        "clientInfo": info,
    }
    assert asked("initialize", params) == "2025-11-25, declares roots, sampling, agent 1.2"
    result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "weather"}}
    assert answered("initialize", result) == "2025-11-25, declares nothing, weather"
    assert (
        asked("initialize", {"capabilities": [], "clientInfo": 3}) == "no version, declares nothing, no name"
    )


def test_a_call_is_its_arguments_and_its_result_the_text():
    assert asked("tools/call", {"name": "x", "arguments": {"city": "Tromsø"}}) == '{"city": "Tromsø"}'
    assert answered("tools/call", {"content": [{"type": "text", "text": "sunny\n"}]}) == '"sunny\\n"'


@pytest.mark.parametrize(
    "content", [[], [{"type": "text", "text": "a"}] * 2, [{"type": "image"}], [3], "x", None]
)
def test_a_result_that_is_no_single_text_is_left_to_its_json(content: Any):
    assert answered("tools/call", {"content": content}) == ""


def test_a_list_is_a_count_and_names():
    assert answered("tools/list", {"tools": [{"name": "a"}, {"name": "b"}]}) == "2 tools: a, b"
    assert answered("resources/list", {"resources": [{"uri": "file:///a"}]}) == "1 resource: file:///a"
    assert answered("prompts/list", {"prompts": [3, {}]}) == "2 prompts: ?, ?"
    assert answered("tools/list", {"tools": []}) == "no tools"
    assert answered("tools/list", {"tools": {}}) == ""


def test_what_has_no_better_words_than_its_json_gets_none():
    assert asked("tools/call", {"name": "x"}) == ""
    assert asked("ping") == ""
    assert answered("ping", {}) == ""
    assert answered("tools/list", [1]) == ""


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", '{"name":"x","arguments":{"a":@}}'),
        ("initialize", '{"protocolVersion":@}'),
        ("initialize", '{"clientInfo":{"name":@}}'),
    ],
)
def test_json_that_nests_deep_is_summed_up_all_the_same(method: str, params: str):
    deep = params.replace("@", "[" * 1000 + "]" * 1000)
    data = f'{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{deep}}}'.encode()
    taken = Session(None).feed(line(2, "c2s", data))
    assert taken is not None
    assert "[[[[" in message_summary(taken)
