"""Events in plain words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Damaged, Event
from mcptap.report.events import event_words, is_trouble


@pytest.mark.parametrize(
    ("kind", "fields", "words"),
    [
        ("spawn", {"pid": 7}, "server started, pid 7"),
        (
            "paths",
            {"found": [1], "missing": [2, 3]},
            "of the relative paths in the command line 1 is there, 2 not",
        ),
        ("spawn", {"errno": 2, "error": "no x", "status": 127}, "the server could not be started: no x"),
        ("eof", {"ch": "s2c", "why": "receiver closed"}, "the client stopped reading the server's output"),
        (
            "signal",
            {"signal": "SIGTERM", "sender": 9, "forwarded": True},
            "SIGTERM came from pid 9 and was sent on to the server",
        ),
        (
            "signal",
            {"signal": "SIGINT", "forwarded": False},
            "SIGINT came from the terminal, so it was not sent on",
        ),
        ("blocked", {"ch": "s2c", "us": 2_500_000}, "the client did not read the server's output for 2.50 s"),
        (
            "gap",
            {"records": 12, "bytes": 3500, "since": 120_000, "why": "disk full"},
            "12 records (3.5 kB) are missing here since 0.120: disk full",
        ),
        ("exit", {"code": 3, "us": 90_000_000}, "server exited with status 3 after 1 m 30 s"),
        (
            "exit",
            {"signal": "SIGKILL", "us": 5, "left": [12, 13]},
            "server was ended by SIGKILL after 5 µs; left running: pid 12, 13",
        ),
        ("question", {"what": "a blank line"}, "mcptap probe asks: a blank line"),
        ("log", {"level": "error", "text": "Client closed"}, "the log says (error): Client closed"),
        ("question", {}, "mcptap probe goes on: the server still answers"),
        ("suspend", {"for": 3}, 'suspend {"for": 3}'),
        ("exit", {}, "server ended, with which status is not told"),
        ("eof", {"ch": "new"}, 'eof {"ch": "new"}'),
    ],
)
def test_events_are_told_in_plain_words(kind: str, fields: dict[str, Any], words: str) -> None:
    assert event_words(Event(5, kind, 1, 1, {"n": 5, "k": kind, **fields})) == words


def test_only_bad_ends_and_losses_are_trouble() -> None:
    def trouble(kind: str, **fields: Any) -> bool:
        return is_trouble(Event(5, kind, 1, 1, fields))

    assert trouble("exit", code=1)
    assert trouble("exit", signal="SIGSEGV")
    assert trouble("gap", records=1)
    assert trouble("spawn", errno=2)
    assert not trouble("exit", code=0)
    assert not trouble("spawn", pid=1)
    assert not trouble("signal", signal="SIGTERM")


fields = st.dictionaries(
    st.sampled_from(
        ["pid", "ch", "why", "signal", "sender", "us", "code", "left", "records", "bytes", "since", "error"]
    ),
    st.none()
    | st.booleans()
    | st.integers(0, 10**12)
    | st.text(max_size=5)
    | st.lists(st.integers(), max_size=2),
)


@given(
    st.sampled_from(
        ["spawn", "paths", "eof", "signal", "blocked", "gap", "exit", "question", "log", "other"]
    ),
    fields,
)
def test_no_field_of_an_event_is_taken_for_granted(kind: str, given_fields: dict[str, Any]) -> None:
    record = decode_record(json.dumps({"k": kind, "t": 0, "wall": 0, **given_fields}).encode(), 2)
    if isinstance(record, Event):
        assert event_words(record)
        is_trouble(record)
    else:
        assert isinstance(record, Damaged)
