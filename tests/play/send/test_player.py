"""A script sent to a real process: what is told as it goes, and what comes of it."""

import json
import sys

import pytest

from mcptap.clients.client import StopStep
from mcptap.errors import UserError
from mcptap.play.send.actions import Pace
from mcptap.play.send.player import Listener, PlayResult, play
from mcptap.play.server.launch import Launch
from mcptap.play.server.recording import unrecorded
from mcptap.play.server.stop import stop_sequence
from tests.helpers import as_bytes
from tests.play.scripts import lines
from tests.play.sessions import request, result

ANSWERS = """
import json, sys
for line in sys.stdin:
    print("read", file=sys.stderr, flush=True)
    print(json.dumps({"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": {}}), flush=True)
sys.exit(4)
"""

PATIENT = stop_sequence(20)


def played(code, *messages, timeout_s=20.0, stop=PATIENT) -> tuple[PlayResult, list[tuple[str, bytes]]]:
    """The result, and what went over the wire."""
    wire = []
    listener = Listener(
        sent=lambda data: wire.append(("c2s", data)),
        received=lambda line: wire.append((line.channel, line.raw)),
    )
    launch = Launch([sys.executable, "-c", code])
    recorder = unrecorded(launch)
    result = play(
        lines(*messages), launch, recorder, listener, pace=Pace.ANSWERED, timeout_s=timeout_s, stop=stop
    )
    return result, wire


def test_each_request_waits_for_its_response_and_the_server_ends_by_itself():
    outcome, wire = played(ANSWERS, request(1), request(2))
    assert [(channel, json.loads(data)) for channel, data in wire if channel != "stderr"] == [
        ("c2s", request(1)),
        ("s2c", result(1)),
        ("c2s", request(2)),
        ("s2c", result(2)),
    ]
    assert [data for channel, data in wire if channel == "stderr"] == [b"read\n", b"read\n"]
    assert (outcome.exit.code, outcome.interrupted, outcome.outcome.notes) == (4, 0, [])


def test_what_follows_the_end_of_the_server_is_not_sent():
    outcome, wire = played("import sys; sys.stdin.readline()", request(1), request(2))
    assert [data for channel, data in wire if channel == "c2s"] == [as_bytes(request(1))]
    assert len(outcome.outcome.unsent) == 1
    assert outcome.exit.code == 0


def test_a_server_that_does_not_read_is_given_up_after_the_time_limit():
    code = "import time; time.sleep(600)"
    big = request(1, "tools/call", text="x" * (1 << 20))
    outcome, _ = played(code, big, request(2), timeout_s=0.2, stop=[StopStep("SIGTERM", 20, group=True)])
    assert "the server does not read its input" in outcome.outcome.notes
    assert outcome.exit.signal == "SIGTERM"


def test_a_server_that_cannot_be_started_is_one_sentence():
    launch = Launch(["no-such-server-7f3a"])
    listener = Listener(sent=pytest.fail, received=pytest.fail)
    with pytest.raises(UserError, match="no such program"):
        play(lines(), launch, unrecorded(launch), listener, pace=Pace.FLOOD, timeout_s=1, stop=())
