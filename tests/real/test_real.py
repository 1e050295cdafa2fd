"""Real servers and the official client, directly and through the tap: the same, and all recorded."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from mcptap.recording.format.model import NOT_JSON
from mcptap.recording.reader import State
from tests.shim.conftest import Start
from tests.shim.running import MCPTAP, SERVERS, Recording, Running, environment

SDK1 = str(SERVERS / "sdk1.py")
SDK2 = str(SERVERS / "sdk2.py")

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}

Request = tuple[str, dict[str, Any]]

INITIALIZE: Request = (
    "initialize",
    {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
)
CALLS: list[Request] = [
    ("tools/list", {}),
    ("tools/call", {"name": "add", "arguments": {"a": 2, "b": 3}}),
    ("tools/call", {"name": "shout", "arguments": {"text": "grüße \u2028 🎉"}}),
    ("tools/call", {"name": "shout", "arguments": {"text": "x" * 200_000}}),
    ("tools/call", {"name": "fail", "arguments": {}}),
    ("tools/call", {"name": "no such tool", "arguments": {}}),
    ("no/such/method", {}),
]


def talk(running: Running, requests: list[Request], stateless: bool) -> tuple[int, list[Any], bytes]:
    """Ask one after another; the exit status, the answers, and the bytes sent."""
    sent = b""
    answers = []

    def send(message: dict[str, Any]) -> None:
        nonlocal sent
        line = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode() + b"\n"
        running.send(line)
        sent += line

    for number, (method, params) in enumerate(requests):
        send({"id": number, "method": method, "params": {**params, "_meta": META} if stateless else params})
        assert running.out is not None
        assert running.out.wait(lambda seen, count=number + 1: len(_answers(seen)) >= count), (
            method,
            running.out.data,
        )
        if method == "initialize":
            send({"method": "notifications/initialized"})
    status, out, _ = running.finish()
    answers = _answers(bytearray(out))
    return status, answers, sent


def _answers(seen: bytearray) -> list[Any]:
    messages = [json.loads(line) for line in seen.split(b"\n")[:-1]]
    return [message for message in messages if "id" in message and "method" not in message]


def assert_complete(recording: Recording, sent: bytes, received: bytes) -> None:
    assert recording.bytes("c2s") == sent
    assert recording.bytes("s2c") == received
    assert recording.state is State.FINISHED
    assert all(line.value is not NOT_JSON for line in recording.lines("s2c"))
    numbers: dict[str, dict[Any, int]] = {"c2s": {}, "s2c": {}}
    for channel in numbers:
        for line in recording.lines(channel):
            if line.value.get("id") is not None and ("method" in line.value) == (channel == "c2s"):
                numbers[channel][line.value["id"]] = line.number
    assert all(numbers["c2s"][key] < number for key, number in numbers["s2c"].items())


def assert_nothing_found(recording: Recording) -> None:
    """A healthy session of real software is no finding: no false alarm.

    How long it takes is not asked: the machine may have other things to do.
    """
    check = subprocess.run(
        [*MCPTAP, "check", "--ignore", "*-slow", recording.path],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert check.returncode == 0, check.stdout + check.stderr


@pytest.mark.parametrize("which", ["mcp 1, handshake", "mcp 2, handshake", "mcp 2, stateless"])
def test_raw_lines_get_the_same_answers_as_directly(
    start: Start, request: pytest.FixtureRequest, which: str
) -> None:
    python = request.getfixturevalue("mcp1" if which.startswith("mcp 1") else "mcp2")
    server = [python, SDK1 if which.startswith("mcp 1") else SDK2]
    stateless = which.endswith("stateless")
    requests = [("server/discover", {}) if stateless else INITIALIZE, *CALLS]
    directly, through = start(server, direct=True), start(server)  # both at once, to save time
    status, answers, sent = talk(through, requests, stateless)
    assert (status, answers, sent) == talk(directly, requests, stateless)
    assert status == 0
    assert len(answers) == len(requests)
    assert answers[2]["result"]["content"][0]["text"] == "5"
    assert_complete(through.recording(), sent, through.stdout())


CLIENTS = {
    "client 1, server 1": ("mcp1", ["sdk1_client.py"], "mcp1", SDK1),
    "client 2, server 2, stateless": ("mcp2", ["sdk2_client.py", "auto"], "mcp2", SDK2),
    "client 2, server 2, handshake": ("mcp2", ["sdk2_client.py", "legacy"], "mcp2", SDK2),
    "client 2, server 1": ("mcp2", ["sdk2_client.py", "auto"], "mcp1", SDK1),
}


PLAYED_AGAIN = ("client 1, server 1", "client 2, server 2, stateless")
"""One of each era is enough."""


def assert_the_same_when_played_again(folder: Path, recording: str, client: list[str], results: Any) -> None:
    """Its client to a fresh server, and the same client to a stand-in for the recorded one."""
    send = [*MCPTAP, "send", recording, "--compare", "--no-record", "--quiet"]
    both = [
        subprocess.Popen(
            argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(folder)
        )
        for argv in (send, [*client, *MCPTAP, "mock", recording])
    ]
    outputs = [process.communicate(timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], outputs
    assert "compared: the same (" in outputs[0][0]
    assert json.loads(outputs[1][0]) == results


@pytest.mark.parametrize("pair", CLIENTS)
def test_the_official_client_gets_the_same_results_as_directly(
    tmp_path: Path, request: pytest.FixtureRequest, pair: str
) -> None:
    client_python, client, server_python, server = CLIENTS[pair]
    command = [request.getfixturevalue(client_python), str(SERVERS / client[0]), *client[1:]]
    direct = [request.getfixturevalue(server_python), server]
    tapped = [*MCPTAP, "run", "--quiet", "--record", str(tmp_path / "x.jsonl"), "--", *direct]
    both = [
        subprocess.Popen(
            [*command, *started], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path)
        )
        for started in (direct, tapped)
    ]
    outputs = [client.communicate(timeout=60) for client in both]
    assert [client.returncode for client in both] == [0, 0], outputs
    results = [json.loads(out) for out, _ in outputs]
    assert results[0] == results[1]
    assert len(results[1]) > 25
    recording = Recording(tmp_path / "x.jsonl")
    assert recording.state is State.FINISHED
    # A client ends a server that does not leave within two seconds, as on a machine with other work.
    end = recording.event("exit")
    assert end.get("code") == 0 or end.get("signal") == signal.SIGTERM, end
    assert_complete(recording, recording.bytes("c2s"), recording.bytes("s2c"))
    methods = [line.value.get("method") for line in recording.lines("c2s")]
    assert methods[0] == ("server/discover" if "auto" in client else "initialize")
    assert methods.count("tools/call") == 25
    assert_nothing_found(recording)
    if pair in PLAYED_AGAIN:
        assert_the_same_when_played_again(tmp_path, recording.path, command, results[0])
    # What the server says on stderr passes as well; the client hands it on.
    assert recording.bytes("stderr").count(b"\n") == outputs[1][1].count(b"\n")


def test_server_everything_gives_the_same_answers_as_directly(start: Start, everything: list[str]) -> None:
    requests = [
        INITIALIZE,
        ("tools/list", {}),
        ("tools/call", {"name": "echo", "arguments": {"message": "grüße 🎉"}}),
        ("resources/list", {}),
        ("prompts/list", {}),
        ("no/such/method", {}),
    ]
    directly, through = start([*everything, "stdio"], direct=True), start([*everything, "stdio"])
    status, answers, sent = talk(through, requests, stateless=False)
    assert (status, answers, sent) == talk(directly, requests, stateless=False)
    assert answers[2]["result"]["content"][0]["text"] == "Echo: grüße 🎉"
    assert_nothing_found(through.recording())
    assert_complete(through.recording(), sent, through.stdout())
