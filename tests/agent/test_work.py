"""Calls at work: beside each other, cancelled, with progress."""

import json
import os
import threading

import pytest

from mcptap.agent import work as module
from mcptap.agent.conversation import Call, Conversation
from mcptap.agent.desk import Desk
from mcptap.agent.lines import Lines
from mcptap.agent.settings import Settings
from mcptap.agent.tools import WHY
from mcptap.agent.work import work
from tests.agent.asking import INITIALIZE
from tests.helpers import notification, request
from tests.shim.running import eventually


class Pipes:
    """A client's ends of the pipes to a server that runs in this process."""

    def __init__(self, monkeypatch, revision="2025-11-25"):
        self._in, self._to = os.pipe()
        self._from, self._out = os.pipe()
        read = os.read
        monkeypatch.setattr(module.os, "read", lambda fd, size: read(self._in if fd == 0 else fd, size))
        self._file = os.fdopen(self._from, "rb")
        conversation = Conversation()
        conversation.receive(json.dumps(INITIALIZE).replace("2025-11-25", revision).encode())
        first = Call("first", WHY, {}, None, False)
        self._thread = threading.Thread(
            target=work, args=(Settings(), conversation, first, [], Lines(), self._out), daemon=True
        )

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        os.close(self._to)
        self._thread.join(60)
        assert not self._thread.is_alive()
        for fd in (self._in, self._out):
            os.close(fd)
        self._file.close()

    def send(self, message):
        os.write(self._to, json.dumps(message).encode() + b"\n")

    def receive(self):
        return json.loads(self._file.readline())


@pytest.fixture
def desk(monkeypatch):
    """Answers calls when a test lets it: the event of each call, by its key."""
    goes = {key: threading.Event() for key in ("first", 1, 2)}
    begun = {key: threading.Event() for key in goes}
    stopped = {}

    def answer(_desk, call, pace):
        begun[call.key].set()
        while not goes[call.key].wait(0.01):
            pace.done += 1
            if pace._stopped:
                stopped[call.key] = True
                break
        return call.answer(f"answer to {call.key}")

    monkeypatch.setattr(Desk, "answer", answer)
    desk = type("Held", (), {"goes": goes, "begun": begun, "stopped": stopped})
    yield desk
    for event in goes.values():
        event.set()


def why(key, **meta):
    return request(key, "tools/call", {"name": WHY, "arguments": {}, **({"_meta": meta} if meta else {})})


def test_while_calls_work_others_are_answered(desk, monkeypatch):
    with Pipes(monkeypatch) as client:
        client.send(request("p", "ping"))
        assert client.receive()["id"] == "p"
        client.send(why(1))
        desk.goes[1].set()
        assert client.receive()["id"] == 1
        desk.goes["first"].set()
        assert client.receive()["result"]["content"][0]["text"] == "answer to first"


def test_a_call_that_is_cancelled_is_never_answered_and_its_work_stops(desk, monkeypatch):
    with Pipes(monkeypatch) as client:
        assert desk.begun["first"].wait(30)
        client.send(notification("notifications/cancelled", {"requestId": "first"}))
        client.send(notification("notifications/cancelled", {"requestId": "none"}))
        client.send(why(1))
        desk.goes[1].set()
        assert client.receive()["id"] == 1
    assert eventually(lambda: desk.stopped) == {"first": True}


def test_who_gives_a_token_is_told_of_progress(desk, monkeypatch):
    monkeypatch.setattr(module, "PROGRESS_S", 0.01)
    with Pipes(monkeypatch) as client:
        client.send(why(1, progressToken="t"))
        told = [client.receive()["params"] for _ in range(2)]
        assert [each["progressToken"] for each in told] == ["t", "t"]
        assert told[0]["progress"] < told[1]["progress"] <= told[1]["total"]
        desk.goes[1].set()
        last = client.receive()
        while "id" not in last:
            last = client.receive()
        assert last["id"] == 1
        desk.goes["first"].set()


def test_what_was_begun_is_answered_after_the_end_of_input(desk, monkeypatch):
    with Pipes(monkeypatch) as client:
        assert desk.begun["first"].wait(30)
        client.send(why(2))
        assert desk.begun[2].wait(30)
        os.close(client._to)
        client._to = os.open(os.devnull, os.O_WRONLY)
        for event in desk.goes.values():
            event.set()
        assert {client.receive()["id"] for _ in range(2)} == {"first", 2}


def test_calls_in_a_batch_are_answered_in_one_line_without_those_that_were_cancelled(desk, monkeypatch):
    with Pipes(monkeypatch, "2025-03-26") as client:
        desk.goes["first"].set()
        assert client.receive()["id"] == "first"
        client.send([why(2), request("p", "ping"), why(1)])
        assert desk.begun[2].wait(30)
        client.send(notification("notifications/cancelled", {"requestId": 2}))
        desk.goes[1].set()
        assert [each["id"] for each in client.receive()] == ["p", 1]
        client.send([why(2), notification("notifications/cancelled", {"requestId": 2})])
        client.send([request("q", "ping")])
        assert [each["id"] for each in client.receive()] == ["q"]


def test_a_client_that_is_told_of_progress_gets_one_answer_later(desk, monkeypatch):
    limits = {}
    monkeypatch.setattr(
        Desk, "answer", lambda _desk, call, pace: limits.update({call.key: pace.limit_s}) or b"{}\n"
    )
    with Pipes(monkeypatch) as client:
        client.send(why(1, progressToken="t"))
        client.receive(), client.receive()
    assert limits == {"first": 10, 1: 30}
