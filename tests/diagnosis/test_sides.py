"""A fault of the client is told in words for clients, and nothing that the session shows to be otherwise."""

from __future__ import annotations

import pytest

from mcptap.diagnosis.engine.finding import Finding
from tests.diagnosis.sessions import diagnosed, event, judged, line, message, opening

LINES = {
    "a bare value": b"42",
    "a log line": b'{"level":"info","msg":"x"}',
    "text": b"Content-Length: 40\r",
    "text in front": b'x {"jsonrpc":"2.0","id":5,"method":"ping"}',
    "UTF-16": '{"jsonrpc":"2.0","id":5,"method":"ping"}'.encode("utf-16"),
    "Latin-1": b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"\xe9"}}',
    "a batch": b'[{"jsonrpc":"2.0","id":5,"method":"ping"}]',
    "a byte-order mark": b'\xef\xbb\xbf{"jsonrpc":"2.0","id":5,"method":"ping"}',
    "params in an array": b'{"jsonrpc":"2.0","id":5,"method":"ping","params":[]}',
    "no jsonrpc": b'{"id":5,"method":"ping"}',
}


@pytest.mark.parametrize("data", LINES.values(), ids=LINES)
def test_a_client_is_not_told_to_mend_its_stdout_or_stderr(data):
    channels = ("c2s", "s2c", "c2s", "c2s")
    lines = [*opening("agent"), data]
    items = [line(number, *each) for number, each in enumerate(zip(channels, lines, strict=True), 2)]
    found = [each for each in judged([*items, event(6, "eof", 1_000, ch="c2s")]) if each.side == "client"]
    assert found
    for finding in found:
        assert "stdout" not in finding.remedy + finding.message
        assert "stderr" not in finding.remedy + finding.message
        assert finding.consequence == ""


def mismatch(answered: str, *more: bytes) -> Finding:
    asked, _, ready = opening("agent")
    result = {"protocolVersion": answered, "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
    lines = [asked, message(id=0, result=result), *([ready] if more else []), *more]
    return next(f for f in diagnosed(lines).findings() if f.rule == "version-mismatch")


def test_of_a_client_that_went_on_it_is_not_said_that_it_left():
    went_on = mismatch("1.0", message(id=1, method="ping"), message(id=1, result={}))
    assert went_on.message.endswith('the client asked for "2025-11-25" and went on all the same.')
    assert "agent" not in went_on.consequence
    left = mismatch("1.0")
    assert left.message.endswith('the client asked for "2025-11-25" and left.')
    assert left.consequence.startswith("Harmful if agent uses the TypeScript SDK, ")


def test_a_revision_that_the_known_clients_know_has_none_of_the_effects_of_an_unknown_one():
    assert mismatch("2024-11-05").consequence == ""


@pytest.mark.parametrize("ids", [{}, {"id": None}], ids=["without an id", "with id null"])
def test_a_client_that_asked_for_the_tools_in_a_wrong_way_is_not_said_never_to_have_asked(ids):
    lines = [*opening("agent", tools={}), message(method="tools/list", **ids)]
    rules = {finding.rule for finding in diagnosed(lines).findings()}
    assert rules & {"request-without-id", "id-null"}
    assert "tools-never-listed" not in rules


def test_a_reply_may_go_astray_only_where_the_first_request_with_that_id_still_waits():
    ask, answer = message(id=1, method="ping"), message(id=1, result={})
    both = diagnosed([*opening("agent"), ask, ask, answer]).findings()
    assert any("may reach the wrong call" in f.message for f in both)
    after = diagnosed([*opening("agent"), ask, answer, ask, answer]).findings()
    assert "id-reused" in {f.rule for f in after}
    assert not any("may reach the wrong call" in f.message for f in after)
