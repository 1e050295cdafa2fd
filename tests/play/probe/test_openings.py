"""Openings, lists and ping."""

import os

import pytest
import trio

from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.openings import open_in_one_process, open_in_two_processes
from mcptap.play.probe.probe import probe
from mcptap.play.probe.progress import ProbeProgress
from mcptap.play.probe.report.findings import findings_of
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from tests.play.function_server import GONE, answering, run
from tests.play.probing import SMALL, grades, probed


def test_a_server_of_the_stateless_revision_alone_is_not_blamed_for_that(tmp_path):
    result = probed([*SMALL, "stateless"], tmp_path)
    assert result.bad == []
    assert [f.finding.rule for f in findings_of(result.sessions) if f.counts] == []
    assert grades(result)["initialize"] is Grade.DIFFERS
    assert grades(result)["a request of an unknown revision"] is Grade.FINE
    assert result.server is not None
    assert result.server.is_stateless


def test_a_server_that_answers_no_ping_is_not_said_to_hang_over_every_question(tmp_path):
    settings = ConnectionSettings(
        Launch([*SMALL, "deaf-to-ping"]), 0.5, 20, record=f"{tmp_path}{os.sep}", tell=pytest.fail
    )
    result = trio.run(probe, settings)
    assert [v.question for v in result.bad] == ["ping"]


HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "resources": {}}}
STATELESS = {"supportedVersions": ["2026-07-28"], "capabilities": {"resources": {}}}
LISTS = {
    "tools/list": {"tools": []},
    "resources/list": {"resources": [{"uri": "a://b"}]},
    "resources/read": {},
}


@pytest.fixture
def opened(serve):
    """What an opening returns, the verdicts by question, and the methods that were asked."""

    def start(play, results):
        asked = []

        def answer(message):
            asked.append(message.get("method"))
            yield from answering(results)(message)

        progress = ProbeProgress(serve(answer))
        accepted = run(play, progress)
        return accepted, grades(progress.result), asked

    return start


def test_in_one_process_a_handshake_server_is_initialized_behind_the_refusal(opened):
    accepted, told, asked = opened(open_in_one_process, {"initialize": HANDSHAKE, **LISTS})
    assert accepted is False
    assert told["server/discover"] is Grade.FINE
    assert told["initialize behind it"] is Grade.FINE
    assert "tools/list" in asked


def test_in_one_process_a_stateless_server_is_not_initialized_and_no_resource_read(opened):
    accepted, told, asked = opened(open_in_one_process, {"server/discover": STATELESS, **LISTS})
    assert accepted is True
    assert told["server/discover"] is Grade.FINE
    assert "initialize" not in asked
    assert "resources/list" in asked
    assert "resources/read" not in asked


@pytest.mark.parametrize("value", [None, GONE])
def test_silence_or_the_end_over_server_discover_differs(opened, value):
    accepted, told, asked = opened(
        open_in_one_process, {"server/discover": value, "initialize": HANDSHAKE, **LISTS}
    )
    assert accepted is False
    assert told["server/discover"] is Grade.DIFFERS
    assert ("initialize" in asked) is (value is None)


@pytest.mark.parametrize(("ping", "grade"), [({}, Grade.FINE), (-32601, Grade.BAD), (None, Grade.BAD)])
def test_a_ping_has_to_be_answered(opened, ping, grade):
    accepted, told, _ = opened(open_in_two_processes, {"initialize": HANDSHAKE, "ping": ping, **LISTS})
    assert accepted is True
    assert told["ping"] is grade
    assert told["a list, cancelled"] is Grade.FINE


def test_a_refused_handshake_is_bad_unless_the_server_is_stateless(opened):
    accepted, told, _ = opened(open_in_two_processes, {})
    assert (accepted, told["initialize"]) == (False, Grade.BAD)
    accepted, told, _ = opened(open_in_two_processes, {"server/discover": STATELESS})
    assert (accepted, told["initialize"]) == (False, Grade.DIFFERS)
