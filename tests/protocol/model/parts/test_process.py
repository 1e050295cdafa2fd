"""Who ended a session: the server by itself, or the client."""

from __future__ import annotations

import pytest

from mcptap.protocol.model.parts.process import Process
from mcptap.recording.format.model import Event


def _process(*events: tuple[str, int, dict[str, object]]) -> Process:
    process = Process(None)
    for number, (kind, t_us, fields) in enumerate(events, 2):
        process.take_event(Event(number, kind, t_us, 0, fields))
    return process


EOF = {"ch": "s2c"}
KILLED = {"signal": "SIGINT", "us": 1}


@pytest.mark.parametrize(("signal_us", "by_itself"), [(900, False), (1400, False), (500_000, True)])
def test_a_signal_to_the_group_ends_the_server_though_its_end_was_seen_first(
    signal_us: int, by_itself: bool
) -> None:
    signal = ("signal", signal_us, {"signal": "SIGINT", "forwarded": False})
    events = [("eof", 1000, EOF), ("exit", max(2000, signal_us), KILLED), signal]
    assert _process(*sorted(events, key=lambda event: event[1])).server_ended_first is by_itself


def test_a_server_goes_first_if_its_output_ends_before_the_clients() -> None:
    own, clients = ("eof", 1000, EOF), ("eof", 1001, {"ch": "c2s"})
    assert _process(own, clients, ("exit", 1002, {"code": 0})).server_ended_first
    assert not _process(clients, own, ("exit", 1002, {"code": 0})).server_ended_first
    assert not _process(clients).server_ended_first


def test_a_server_that_closes_its_input_and_lives_on_goes_first() -> None:
    deaf, clients = ("eof", 1000, {"ch": "c2s", "why": "receiver closed"}), ("eof", 900_000, EOF)
    process = _process(deaf, clients, ("exit", 900_001, {"signal": "SIGTERM"}))
    assert process.server_ended_first
    assert process.outlives_closing
    at_its_end = _process(deaf, ("eof", 1001, EOF), ("exit", 1002, {"code": 0}))
    assert at_its_end.server_ended_first
    assert not at_its_end.outlives_closing
