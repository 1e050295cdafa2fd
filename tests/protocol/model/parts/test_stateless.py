"""What a session shows of 2026-07-28: discovery, the envelope of a request, requests for input."""

import pytest

from mcptap.protocol.model.parts.stateless import missing_meta
from mcptap.protocol.revisions.names import (
    META_CLIENT_CAPABILITIES,
    META_SERVER_INFO,
    META_VERSION,
    UNSUPPORTED_VERSION,
)
from tests.helpers import request, result
from tests.protocol.fed import Fed

META = {META_VERSION: "2026-07-28", META_CLIENT_CAPABILITIES: {}}


def ask(fed, id, method="tools/call", answer=None, **params):
    return fed.ask(id, method, {"_meta": META, **params}, answer)


@pytest.mark.parametrize(
    ("meta", "missing"),
    [
        (META, ""),
        (None, META_VERSION),
        ({}, META_VERSION),
        ({META_VERSION: 3, META_CLIENT_CAPABILITIES: {}}, META_VERSION),
        ({META_VERSION: "2026-07-28"}, META_CLIENT_CAPABILITIES),
        ({META_VERSION: "2026-07-28", META_CLIENT_CAPABILITIES: None}, META_CLIENT_CAPABILITIES),
    ],
)
def test_the_first_key_that_is_missing_is_named(meta, missing):
    assert missing_meta(meta) == missing


def test_a_server_proves_the_revision_by_a_result_and_names_itself_in_it():
    fed = Fed()
    fed.client(request(1, "tools/list", {"_meta": META}))
    assert not fed.session.stateless.proven
    fed.server(result(1, {"resultType": "complete", "_meta": {META_SERVER_INFO: {"name": "weather"}}}))
    assert fed.session.stateless.proven
    assert fed.session.server.info == {"name": "weather"}
    assert fed.session.stateless.enveloped_results == 1


def test_discovery_tells_versions_and_capabilities():
    fed = Fed()
    found = {"supportedVersions": ["2026-07-28", 7], "capabilities": {"tools": {}}}
    first = ask(fed, 1, "server/discover", found)
    stateless = fed.session.stateless
    assert (stateless.discover, stateless.discovered) == (first, found)
    assert stateless.supported == ("2026-07-28",)
    assert fed.session.server.capabilities == {"tools": {}}
    assert stateless.enveloped_results == 0
    ask(fed, 2, "server/discover", {})
    assert (stateless.discover, stateless.discovered) == (first, {})


@pytest.mark.parametrize(
    ("code", "data", "supported"),
    [
        (UNSUPPORTED_VERSION, {"supported": ["2025-11-25", None]}, ("2025-11-25",)),
        (UNSUPPORTED_VERSION, {"supported": "2025-11-25"}, None),
        (UNSUPPORTED_VERSION, None, None),
        (-32601, {"supported": ["2025-11-25"]}, None),
    ],
)
def test_a_refusal_may_tell_the_versions_that_the_server_speaks(code, data, supported):
    fed = Fed()
    fed.client(request(1, "server/discover", {"_meta": META}))
    fed.server({"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "no", "data": data}})
    assert fed.session.stateless.supported == supported
    assert not fed.session.stateless.proven


def test_a_request_comes_back_to_the_wait_of_its_state_else_to_the_oldest_of_its_method():
    fed = Fed()
    wanted = {"resultType": "input_required", "inputRequests": {"a": {"method": "roots/list"}, "b": None}}
    for id, state in ((1, "s1"), (2, "s2"), (3, "s3")):
        ask(fed, id, answer={**wanted, "requestState": state})
    stateless = fed.session.stateless
    assert [(wait.id, wait.kinds) for wait in stateless.waits] == [(id, ("roots/list",)) for id in (1, 2, 3)]
    for id, params, back in (
        (4, {"requestState": "s2"}, 2),
        (5, {"inputResponses": {}}, 1),
        (6, {"requestState": "changed"}, 3),
        (7, {"requestState": "s1"}, None),
        (8, {}, None),
    ):
        ask(fed, id, **params)
        assert (stateless.retry.id if stateless.retry else None) == back
    ask(fed, 9, "prompts/get", requestState="s1")
    assert stateless.retry is None
