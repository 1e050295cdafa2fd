"""What the parts of a probe share."""

import pytest

from mcptap.play.client.connection import ConnectionSettings, connect
from mcptap.play.client.server_description import ServerDescription
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from mcptap.play.server.stop import Exit
from tests.play.function_server import GONE, answering, run

GREETED = {"protocolVersion": "2025-11-25", "capabilities": {}}


def progress_of(settings=None) -> ProbeProgress:
    return ProbeProgress(settings or ConnectionSettings(Launch(["server"])))


def test_a_description_is_that_of_the_era_or_of_the_other_one_or_empty():
    handshake, stateless = ServerDescription("2025-11-25"), ServerDescription("2026-07-28")
    progress = progress_of()
    assert progress.description(stateless=True) == ServerDescription()
    progress.note_description(handshake, "start")
    assert progress.description(stateless=True) is handshake
    progress.note_description(stateless, "start")
    assert progress.description(stateless=True) is stateless
    assert progress.description(stateless=False) is progress.result.server is handshake


def test_an_ordinary_request_is_one_that_this_server_answers():
    progress = progress_of()
    assert (progress.ordinary_method(False), progress.ordinary_method(True)) == ("ping", "server/discover")
    progress.answers_ping = False
    assert progress.ordinary_method(False) == "tools/list"


@pytest.mark.parametrize(("results", "opens"), [({"initialize": GREETED}, True), ({}, False)])
def test_a_session_that_cannot_be_opened_skips_what_was_to_be_asked_in_it(serve, results, opens):
    settings = serve(answering(results))
    progress = progress_of(settings)

    async def main():
        async with connect(settings) as connection:
            return await progress.open(connection, False, "calls", "all calls")

    assert (run(main) is not None) is opens
    told = [(v.question, v.grade) for v in progress.result.verdicts.get("calls", [])]
    assert told == ([] if opens else [("all calls", Grade.SKIPPED)])


@pytest.mark.parametrize(
    ("ended", "end", "grade", "words"),
    [
        (False, Exit(0, None), Grade.FINE, "the server ended with code 0"),
        (False, Exit(3, None), Grade.DIFFERS, "the server ended with code 3"),
        (False, Exit(None, "SIGTERM"), Grade.BAD, "the server stayed until it was ended by SIGTERM"),
        (True, Exit(1, None), Grade.BAD, "the server had ended before (1)"),
    ],
)
def test_how_a_server_takes_the_end_of_its_input_is_judged(serve, monkeypatch, ended, end, grade, words):
    settings = serve(answering({"ping": GONE}))
    progress = progress_of(settings)

    async def stop(*_):
        return end

    async def main():
        async with connect(settings) as connection:
            monkeypatch.setattr(connection.server, "stop", stop)
            if ended:
                await connection.request("ping")
            await progress.end_input(connection, "start")

    run(main)
    (verdict,) = progress.result.verdicts["start"]
    assert (verdict.question, verdict.grade, verdict.words) == ("end of input", grade, words)
