"""The protocol: what each line gets, in both eras."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.agent import conversation
from mcptap.agent.conversation import BATCHED_REVISION, Batch, Call, Cancelled, Conversation, batched
from mcptap.agent.tools import TOOLS, WHY
from mcptap.protocol.revisions import HANDSHAKE_REVISIONS, STATELESS_REVISIONS
from mcptap.protocol.revisions.names import META_CLIENT_CAPABILITIES, META_SERVER_INFO, META_VERSION
from tests.helpers import notification, request

META = {META_VERSION: "2026-07-28", META_CLIENT_CAPABILITIES: {}}


def said(to: Conversation, message: Any) -> Any:
    """What a message gets: an object, or what is no answer."""
    line = message if isinstance(message, bytes) else json.dumps(message).encode()
    got = to.receive(line)
    return json.loads(got) if isinstance(got, bytes) else got


def opened(version: str = "2025-11-25") -> Conversation:
    made = Conversation()
    said(made, request(0, "initialize", {"protocolVersion": version, "capabilities": {}}))
    return made


def test_the_revisions_are_those_that_are_published():
    assert list(conversation.HANDSHAKE_REVISIONS) == list(HANDSHAKE_REVISIONS)
    assert list(conversation.STATELESS_REVISIONS) == list(STATELESS_REVISIONS)


@pytest.mark.parametrize("asked", [*conversation.HANDSHAKE_REVISIONS, "2026-07-28", "1900-01-01", None])
def test_initialize_agrees_to_each_revision_that_has_it_and_else_offers_the_newest(asked):
    got = said(Conversation(), request("a", "initialize", {"protocolVersion": asked, "capabilities": {}}))
    version = got["result"]["protocolVersion"]
    assert version == (asked if asked in conversation.HANDSHAKE_REVISIONS else "2025-11-25")
    assert got["id"] == "a"
    assert got["result"]["capabilities"] == {"tools": {}}
    assert got["result"]["serverInfo"]["name"] == "mcptap"


def test_after_the_handshake_tools_are_listed_and_called():
    it = opened()
    assert said(it, notification("notifications/initialized")) is None
    assert [tool["name"] for tool in said(it, request(1, "tools/list"))["result"]["tools"]] == [
        tool["name"] for tool in TOOLS
    ]
    call = said(
        it,
        request(2, "tools/call", {"name": WHY, "arguments": {"session": "x"}, "_meta": {"progressToken": 7}}),
    )
    assert (call.key, call.name, call.arguments, call.token) == (2, WHY, {"session": "x"}, 7)
    assert json.loads(call.answer("so", is_error=True))["result"] == {
        "content": [{"type": "text", "text": "so"}],
        "isError": True,
    }
    assert said(it, request(3, "ping"))["result"] == {}


def test_a_stateless_request_is_answered_with_what_its_revision_asks_for():
    it = Conversation()
    found = said(it, request(1, "server/discover", {"_meta": META}))["result"]
    listed = said(it, request(2, "tools/list", {"_meta": META}))["result"]
    assert found["supportedVersions"] == ["2026-07-28"]
    for result in (found, listed):
        assert (result["resultType"], result["cacheScope"]) == ("complete", "private")
        assert result["ttlMs"] > 0
        assert result["_meta"][META_SERVER_INFO]["name"] == "mcptap"
    call = said(it, request(3, "tools/call", {"name": WHY, "_meta": META}))
    assert isinstance(call, Call)
    assert json.loads(call.answer("so"))["result"]["resultType"] == "complete"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"no JSON", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b'"x"', -32600),
        (b'{"id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":2}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (request(1, "ping", [1]), -32602),
        (request(1, "no/such"), -32601),
        (request(1, "logging/setLevel", {"level": "info"}), -32601),
        (request(1, "resources/list"), -32601),
        (request(1, "tools/call", {"name": "other"}), -32602),
        (request(1, "tools/call", {"name": ["a"]}), -32602),
        (request(1, "tools/call", {"name": WHY, "arguments": []}), -32602),
        (request(1, "ping", {"_meta": META}), -32601),
        (request(1, "tools/list", {"_meta": {META_VERSION: "2026-07-28"}}), -32602),
        (request(1, "server/discover", {}), -32602),
        (request(1, "tools/list", {"_meta": {**META, META_VERSION: "2031-01-01"}}), -32022),
    ],
)
def test_what_is_wrong_gets_the_right_code(message, code):
    got = said(opened(), message)
    assert got["error"]["code"] == code
    assert got["id"] == (message["id"] if isinstance(message, dict) else 1 if got["id"] == 1 else None)


def test_another_revision_is_refused_with_those_that_are_supported():
    got = said(Conversation(), request(1, "server/discover", {"_meta": {**META, META_VERSION: "2031-01-01"}}))
    assert got["error"]["data"] == {"supported": ["2026-07-28"], "requested": "2031-01-01"}


def test_before_the_handshake_only_ping_is_answered():
    it = Conversation()
    assert said(it, request(1, "ping"))["result"] == {}
    for method in ("tools/list", "tools/call"):
        assert said(it, request(2, method))["error"]["code"] == -32602


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"  ",
        notification("notifications/unknown"),
        notification("notifications/cancelled", {"requestId": []}),
        notification("notifications/cancelled", [1]),
        notification("no/such"),
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": ""}},
    ],
)
def test_what_asks_nothing_is_never_answered(message):
    assert said(opened(), message) is None


def test_a_cancellation_names_the_request():
    got = said(opened(), notification("notifications/cancelled", {"requestId": "x"}))
    assert isinstance(got, Cancelled)
    assert got.key == "x"


@given(st.binary() | st.text().map(str.encode))
def test_no_line_is_too_odd(line):
    got = opened().receive(line)
    assert got is None or isinstance(got, Call | Cancelled) or json.loads(got)["jsonrpc"] == "2.0"


def test_a_batch_is_taken_by_the_revision_that_has_them_and_answered_in_one_line():
    it = opened(BATCHED_REVISION)
    got = said(
        it,
        [
            request(1, "ping"),
            notification("notifications/initialized"),
            5,
            request(2, "tools/call", {"name": WHY}),
            notification("notifications/cancelled", {"requestId": 2}),
            request(3, "initialize", {"protocolVersion": "2025-11-25"}),
            [request(4, "ping")],
        ],
    )
    assert isinstance(got, Batch)
    assert [type(each) for each in got.said] == [bytes, bytes, Call, Cancelled, bytes, bytes]
    answers = json.loads(batched(each for each in got.said if isinstance(each, bytes)))
    assert [(each["id"], each.get("error", {}).get("code")) for each in answers] == [
        (1, None),
        (None, -32600),
        (3, -32600),
        (None, -32600),
    ]


def test_a_batch_that_asks_nothing_gets_nothing_and_an_empty_one_is_refused():
    it = opened(BATCHED_REVISION)
    assert (
        said(it, [notification("notifications/initialized"), {"jsonrpc": "2.0", "id": 1, "result": {}}])
        is None
    )
    assert said(it, [])["error"]["code"] == -32600
    assert batched([]) == b""


@pytest.mark.parametrize("version", [v for v in conversation.HANDSHAKE_REVISIONS if v != BATCHED_REVISION])
def test_a_batch_in_another_revision_is_refused_with_the_one_that_has_them(version):
    got = said(opened(version), [request(1, "ping")])
    assert got["error"]["code"] == -32600
    assert BATCHED_REVISION in got["error"]["message"]
