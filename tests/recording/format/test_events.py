"""Events: what an encoder is told is what the reader gives."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcptap.recording.format import events
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.events import Event
from mcptap.recording.format.model import Damaged


def read(encoded: events.Encoded) -> Event:
    event = decode_record(events.encode_event(5, (17, 18), encoded), 5)
    assert isinstance(event, Event)
    assert (event.number, event.t_us, event.wall_us) == (5, 17, 18)
    return event


@pytest.mark.parametrize(
    ("encoded", "kind", "fields", "ends"),
    [
        (events.spawn(7), "spawn", {"pid": 7}, False),
        (
            events.failed_spawn(2, 'no "x"\n', 127),
            "spawn",
            {"errno": 2, "error": 'no "x"\n', "status": 127},
            True,
        ),
        (events.eof("c2s"), "eof", {"ch": "c2s"}, False),
        (events.eof("s2c", "receiver closed"), "eof", {"ch": "s2c", "why": "receiver closed"}, False),
        (
            events.signal("SIGINT", 9, forwarded=True),
            "signal",
            {"signal": "SIGINT", "sender": 9, "forwarded": True},
            False,
        ),
        (events.blocked("stderr", 2_000_000), "blocked", {"ch": "stderr", "us": 2_000_000}, False),
        (events.gap(1, 2, 3, "full"), "gap", {"records": 1, "bytes": 2, "since": 3, "why": "full"}, False),
        (
            events.gap(0, 0, 3, "x", rest=True),
            "gap",
            {"records": 0, "bytes": 0, "since": 3, "why": "x", "rest": True},
            True,
        ),
        (events.question("a blank line"), "question", {"what": "a blank line"}, False),
        (events.question(), "question", {}, False),
        (events.log("Client closed", "error"), "log", {"level": "error", "text": "Client closed"}, False),
        (events.log(""), "log", {"text": ""}, False),
        (events.exited(0, None, 5), "exit", {"code": 0, "us": 5}, True),
        (
            events.exited(None, "SIGKILL", 5, [1, 2]),
            "exit",
            {"signal": "SIGKILL", "us": 5, "left": [1, 2]},
            True,
        ),
    ],
)
def test_an_event_is_read_as_it_was_written(
    encoded: events.Encoded, kind: str, fields: dict[str, Any], ends: bool
) -> None:
    event = read(encoded)
    assert event.kind == kind
    assert event.fields == {"n": 5, "k": kind, "t": 17, "wall": 18, **fields}
    assert event.ends_session is ends


def test_a_path_that_is_not_utf8_can_stand_in_a_sentence() -> None:
    event = read(events.gap(1, 2, 3, "cannot write to \udcff"))
    assert event.fields["why"] == "cannot write to \udcff"


ODD: list[Any] = [None, True, -1, 1.5, 1 << 70, "getsignal", "x" * 10_000, [], [[-1]], {}, {"b64": "eA=="}]
VALID: dict[str, dict[str, Any]] = {
    "spawn": {"pid": 7, "errno": 2, "error": "x", "status": 127},
    "eof": {"ch": "c2s", "why": "receiver closed"},
    "signal": {"signal": "SIGTERM", "sender": 7, "forwarded": True},
    "blocked": {"ch": "s2c", "us": 9},
    "gap": {"records": 1, "bytes": 2, "since": 3, "why": "full", "rest": True},
    "exit": {"code": 1, "signal": "SIGKILL", "us": 3, "left": [1]},
}


def fits(name: str, value: Any) -> bool:
    """Whether an odd value is one that a field may have all the same."""
    if name in ("code", "errno", "status"):
        return type(value) is int
    if name in ("why", "error"):
        return isinstance(value, str)
    return (name == "left" and value == []) or (name in ("forwarded", "rest") and value is True)


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (kind, name, value)
        for kind, fields in VALID.items()
        for name in fields
        for value in ODD
        if not fits(name, value)
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_field_of_another_type_is_damage(kind: str, name: str, value: Any) -> None:
    fields = {"n": 2, "k": kind, "t": 1, "wall": 1, **VALID[kind]}
    assert isinstance(decode_record(json.dumps(fields).encode(), 2), Event)
    assert isinstance(decode_record(json.dumps({**fields, name: value}).encode(), 2), Damaged)


@pytest.mark.parametrize("kind", [*VALID, "later"])
def test_only_the_field_that_says_it_all_may_not_be_missing(kind: str) -> None:
    record = decode_record(json.dumps({"k": kind, "t": 1, "wall": 1}).encode(), 2)
    assert isinstance(record, Damaged if kind in ("eof", "signal", "blocked") else Event)
