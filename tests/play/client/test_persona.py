"""What a played client says of itself."""

from mcptap.play.client.persona import PROBE, Persona, initialize_params, request_meta
from mcptap.protocol.revisions import NEWEST_STATELESS


def test_a_client_says_who_it_is_and_what_it_can_do():
    persona = Persona(capabilities={"roots": {}})
    params = initialize_params("2025-06-18", persona)
    assert params["protocolVersion"] == "2025-06-18"
    assert params["capabilities"] == {"roots": {}}
    assert params["clientInfo"] == PROBE.info


def test_each_request_without_a_handshake_says_the_same():
    meta = request_meta(Persona(capabilities={"roots": {}}))
    assert sorted(key.rpartition("/")[2] for key in meta) == [
        "clientCapabilities",
        "clientInfo",
        "protocolVersion",
    ]
    assert NEWEST_STATELESS in meta.values()
