"""Opening a session in either era, with a server that is a function."""

import json

import pytest

from mcptap.play.client.connection import connect
from mcptap.play.client.opening import (
    OpeningOutcome,
    OpeningResult,
    discover,
    initialize,
)
from mcptap.play.client.persona import Persona, request_meta
from tests.play.function_server import GONE, answering, run

DISCOVERED = {"supportedVersions": ["2025-11-25", "2026-07-28"], "capabilities": {}}
GREETED = {"protocolVersion": "2025-11-25", "capabilities": {}}


@pytest.fixture
def opened(serve):
    """`opened(open, results)`: the result, the `_meta` of later requests, and the lines that were sent."""

    def start(open_session, results, **options):
        async def main():
            async with connect(serve(answering(results))) as connection:
                opening = await open_session(connection, **options)
                return opening, connection.meta, [json.loads(line) for line in connection.server.sent]

        return run(main)

    return start


@pytest.mark.parametrize(
    ("open_session", "method", "value", "outcome", "words"),
    [
        (initialize, "initialize", GREETED, OpeningOutcome.ACCEPTED, "accepted"),
        (initialize, "initialize", -32022, OpeningOutcome.REFUSED, "refused: -32022 no"),
        (initialize, "initialize", "hello", OpeningOutcome.REFUSED, "refused"),
        (initialize, "initialize", None, OpeningOutcome.SILENT, "no answer"),
        (initialize, "initialize", GONE, OpeningOutcome.GONE, "the server ended"),
        (discover, "server/discover", DISCOVERED, OpeningOutcome.ACCEPTED, "accepted"),
        (
            discover,
            "server/discover",
            {"supportedVersions": ["2025-11-25"]},
            OpeningOutcome.REFUSED,
            "refused",
        ),
        (discover, "server/discover", {}, OpeningOutcome.REFUSED, "refused"),
        (discover, "server/discover", -32601, OpeningOutcome.REFUSED, "refused: -32601 no"),
        (discover, "server/discover", GONE, OpeningOutcome.GONE, "the server ended"),
    ],
)
def test_an_opening_comes_to_one_of_four_outcomes(opened, open_session, method, value, outcome, words):
    opening, _, _ = opened(open_session, {method: value})
    assert (opening.outcome, opening.description) == (outcome, words)


def test_after_an_accepted_initialize_the_client_is_initialized_and_only_then(opened):
    _, meta, sent = opened(
        initialize,
        {"initialize": GREETED},
        revision="2025-06-18",
        persona=Persona({"name": "me"}, {"roots": {}}),
    )
    assert [message["method"] for message in sent] == ["initialize", "notifications/initialized"]
    assert (sent[0]["params"]["protocolVersion"], sent[0]["params"]["clientInfo"]) == (
        "2025-06-18",
        {"name": "me"},
    )
    assert meta == {}
    _, _, sent = opened(initialize, {})
    assert [message["method"] for message in sent] == ["initialize"]


def test_requests_are_stateless_from_an_accepted_discover_on_and_no_longer_after_a_refusal(opened):
    _, meta, sent = opened(
        discover, {"server/discover": DISCOVERED}, persona=Persona({"name": "me"}, {"roots": {}}), key="k"
    )
    assert meta == sent[0]["params"]["_meta"] == request_meta(Persona({"name": "me"}, {"roots": {}}))
    assert sent[0]["id"] == "k"
    _, meta, sent = opened(discover, {})
    assert sent[0]["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] == "2026-07-28"
    assert meta == {}


def test_without_a_response_there_is_no_result():
    assert OpeningResult(OpeningOutcome.SILENT).result == {}
