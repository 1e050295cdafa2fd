"""The handshake: what both sides agreed on, and what came too early."""

import pytest

from mcptap.protocol.model.parts.handshake import MAX_EARLY
from mcptap.protocol.revisions import UNKNOWN
from tests.helpers import error, notification, request, result
from tests.protocol.fed import Fed


def asked(version="2025-06-18", **params):
    return request(0, "initialize", {"protocolVersion": version, **params})


def answered(version="2025-06-18", **members):
    return result(0, {"protocolVersion": version, **members})


def test_both_sides_say_who_they_are_and_what_they_can():
    fed = Fed()
    fed.client(asked(capabilities={"roots": {}}, clientInfo={"name": "agent"}))
    assert fed.session.handshake.revision == "2025-06-18"
    assert not fed.session.handshake.done
    fed.server(answered("2025-03-26", capabilities={"tools": {}}, serverInfo={"name": "weather"}))
    session = fed.session
    assert (session.handshake.done, session.handshake.revision) == (True, "2025-03-26")
    assert (session.client.capabilities, session.client.info) == ({"roots": {}}, {"name": "agent"})
    assert (session.server.capabilities, session.server.info) == ({"tools": {}}, {"name": "weather"})
    assert session.handshake.initialize.revision == "2025-03-26"


@pytest.mark.parametrize("odd", [None, 3, [], "x"])
def test_params_and_members_of_other_types_are_as_absent(odd):
    fed = Fed()
    fed.client(asked(odd, capabilities=odd, clientInfo=odd))
    fed.server(answered(odd, capabilities=odd, serverInfo=odd))
    session = fed.session
    assert (session.client.capabilities, session.client.info) == ({}, {})
    assert (session.server.capabilities, session.server.info) == (None, {})
    assert session.handshake.revision is UNKNOWN


def test_the_initialize_that_counts_is_the_last_before_a_result():
    fed = Fed()
    fed.client(asked("2024-11-05"))
    fed.server(error(0, -32602, "no"))
    fed.client(request(1, "initialize", {"protocolVersion": "2025-06-18"}))
    fed.server(result(1, {"protocolVersion": "2025-06-18"}))
    fed.client(request(2, "initialize", {"protocolVersion": "2025-11-25", "clientInfo": {"name": "late"}}))
    fed.server(result(2, {"protocolVersion": "2025-11-25"}))
    handshake = fed.session.handshake
    assert (handshake.initialize.id, handshake.revision) == (1, "2025-06-18")
    assert (handshake.requested, fed.session.client.info) == ("2025-11-25", {})


def test_a_stateless_version_is_not_agreed_on_by_a_handshake():
    fed = Fed()
    fed.client(asked("2025-06-18"))
    fed.server(answered("2026-07-28"))
    assert (fed.session.handshake.answered, fed.session.handshake.revision) == ("2026-07-28", "2025-06-18")


def test_requests_before_the_client_is_ready_are_early_but_pings_are_not():
    fed = Fed()
    fed.client(asked())
    fed.server(request(1, "ping"))
    fed.server(request(2, "roots/list"))
    fed.server(answered())
    fed.client(request(3, "ping"))
    fed.client(request(4, "tools/list"))
    fed.client(request(5, "prompts/list"))
    fed.client(notification("notifications/initialized"))
    fed.client(request(6, "tools/list"))
    fed.server(request(7, "roots/list"))
    handshake = fed.session.handshake
    assert handshake.early_client_request.id == 4
    assert [early.id for early in handshake.early_server_requests] == [2]


def test_without_initialize_no_request_of_the_server_is_early():
    fed = Fed()
    fed.server(request(1, "roots/list"))
    assert fed.session.handshake.early_server_requests == []


def test_only_the_first_early_requests_are_kept():
    fed = Fed()
    fed.client(asked())
    for id in range(MAX_EARLY + 5):
        fed.server(request(id, "roots/list"))
    assert [early.id for early in fed.session.handshake.early_server_requests] == list(range(MAX_EARLY))
