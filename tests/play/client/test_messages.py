"""Lines of a played client: one line each, whatever is in them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.play.client.messages import as_line, notification_line, refusal, reply, request_line
from mcptap.protocol.model.message import Message, classify
from mcptap.recording.format.model import Line

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


def asked(message: dict[str, Any]) -> Message:
    return classify(Line(1, "s2c", json.dumps(message).encode(), b"\n", 0, 0, 0))


@given(values)
def test_any_value_is_one_line_that_reads_back_as_the_same(value):
    line = as_line(value)
    assert line.index(b"\n") == len(line) - 1
    assert json.loads(line) == value


def test_a_lone_surrogate_is_sent_as_an_escape():
    assert as_line("a\ud83d") == b'"a\\ud83d"\n'


def test_members_of_meta_are_added_and_those_of_the_params_win():
    params = {"name": "x", "_meta": {"progressToken": 1, "a": "own"}}
    sent = json.loads(request_line("tools/call", params, 5, {"a": "era", "b": "era"}))
    assert sent["params"] == {"name": "x", "_meta": {"progressToken": 1, "a": "own", "b": "era"}}
    assert params["_meta"] == {"progressToken": 1, "a": "own"}


def test_without_params_and_meta_there_is_no_params_member():
    assert json.loads(request_line("ping", None, None)) == {"jsonrpc": "2.0", "id": None, "method": "ping"}
    assert json.loads(notification_line("x")) == {"jsonrpc": "2.0", "method": "x"}


def test_empty_params_are_sent_as_an_empty_object():
    assert json.loads(request_line("ping", {}, 1))["params"] == {}
    assert json.loads(notification_line("x", {}))["params"] == {}


@pytest.mark.parametrize("key", [0, "a", "1"])
def test_a_ping_is_answered_under_its_own_id(key):
    line = refusal(asked({"jsonrpc": "2.0", "id": key, "method": "ping"}))
    assert json.loads(line) == {"jsonrpc": "2.0", "id": key, "result": {}}


def test_any_other_request_is_refused_by_name():
    error = json.loads(refusal(asked({"jsonrpc": "2.0", "id": 1, "method": "roots/list"})))["error"]
    assert error["code"] == -32601
    assert error["message"].startswith("roots/list ")


def test_a_client_that_declares_roots_names_its_folder_and_asks_nobody_in_its_name():
    declared = {"roots": {}, "elicitation": {"form": {}}}
    roots = json.loads(reply(asked({"jsonrpc": "2.0", "id": 1, "method": "roots/list"}), declared, "/a b"))
    assert roots == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"roots": [{"uri": "file:///a%20b", "name": "a b"}]},
    }
    question = asked({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {}})
    assert json.loads(reply(question, declared, "/"))["result"] == {"action": "cancel"}


@pytest.mark.parametrize("method", ["roots/list", "elicitation/create", "sampling/createMessage", "ping"])
def test_what_a_client_does_not_declare_it_refuses(method):
    request = asked({"jsonrpc": "2.0", "id": 1, "method": method})
    assert reply(request, {"tools": {}}, "/") == refusal(request)
