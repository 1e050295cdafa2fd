"""Sessions of which a log knows less than what passed: nothing more is said than it shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mcptap.captures.evidence import Evidence
from mcptap.captures.lines import begun_line, log_event, message_line, outline_line, process_event, told_line
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.diagnosis.explain.verdict import AS_FAR
from mcptap.recording.format.model import Item, Line
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

LOG = Evidence(origin="a log", framing=False, launch=False, process=False, status=False, whole=False)
INITIALIZE = {
    "jsonrpc": "2.0", "id": 0, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"},
    },
}  # fmt: skip
ANSWER = {
    "jsonrpc": "2.0", "id": 0,
    "result": {
        "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
        "serverInfo": {"name": "s", "version": "1"},
    },
}  # fmt: skip
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def judged(*lines: Item, evidence: Evidence = LOG) -> Diagnosis:
    diagnosis = Diagnosis(evidence=evidence)
    for line in lines:
        diagnosis.feed(line)
    diagnosis.finish()
    return diagnosis


def rules(diagnosis: Diagnosis) -> list[str]:
    return [finding.rule for finding in diagnosis.findings()]


def call(key: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": key, "method": "tools/call", "params": {"name": "tides", "arguments": {}}}


def handshake(make: Any = message_line) -> list[Line]:
    return [
        make(1, CLIENT_TO_SERVER, INITIALIZE),
        make(2, SERVER_TO_CLIENT, ANSWER),
        make(3, CLIENT_TO_SERVER, READY),
    ]


def test_what_an_outline_leaves_out_is_missed_by_nobody():
    empty = [
        outline_line(1, CLIENT_TO_SERVER, {"id": 0, "method": "initialize", "params": {}}),
        outline_line(2, SERVER_TO_CLIENT, {"id": 0, "result": {}}),
        outline_line(3, CLIENT_TO_SERVER, {"id": 1, "method": "tools/call", "params": {}}),
        outline_line(4, SERVER_TO_CLIENT, {"id": 1, "error": {"code": -32603}}),
    ]
    diagnosis = judged(*empty, evidence=replace(LOG, contents=False))
    assert rules(diagnosis) == []
    assert "too large" not in diagnosis.verdict().limits
    assert "what messages said" in diagnosis.verdict().limits


def test_a_line_of_which_the_beginning_is_known_was_rejected_by_the_client():
    diagnosis = judged(*handshake(), begun_line(4, SERVER_TO_CLIENT, "harbour da"))
    (finding,) = [f for f in diagnosis.findings() if f.rule == "stdout-not-json"]
    assert 'the client rejected a line that began "harbour da"' in finding.message
    assert diagnosis.verdict().words.startswith(
        f'{AS_FAR}The client rejected a line that began "harbour da" on stdout'
    )


def test_the_beginning_of_a_message_is_no_broken_message():
    diagnosis = judged(*handshake(), begun_line(4, SERVER_TO_CLIENT, '{"jsonrpc"'))
    assert rules(diagnosis) == ["stdout-not-json"]


def test_a_call_that_a_log_tells_of_and_whose_answer_it_does_not_is_open():
    told = told_line(4, CLIENT_TO_SERVER, {**call("log-1"), "params": {"name": "moorings"}})
    diagnosis = judged(*handshake(), told)
    (request,) = diagnosis.session.requests.unanswered()
    assert request.tool == "moorings"
    assert "moorings" in diagnosis.verdict().words


def test_ids_of_two_processes_in_one_log_accuse_nobody():
    twice = [*handshake(), message_line(4, CLIENT_TO_SERVER, call(7))]
    twice.append(message_line(5, CLIENT_TO_SERVER, call(7)))
    assert judged(*twice).findings() != []
    diagnosis = judged(*twice, evidence=replace(LOG, one_process=False))
    assert diagnosis.findings() == []
    assert diagnosis.verdict().outcome is Outcome.UNCLEAR
    assert "several processes" in diagnosis.verdict().words


def test_a_list_of_which_only_the_outline_is_known_is_not_an_empty_one():
    asked = message_line(5, CLIENT_TO_SERVER, {"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    listed = outline_line(6, SERVER_TO_CLIENT, {"jsonrpc": "2.0", "id": 1, "result": {}})
    called = message_line(7, CLIENT_TO_SERVER, call(2))
    failed = {"jsonrpc": "2.0", "id": 2, "error": {"code": -32603, "message": "store unreachable"}}
    answered = message_line(8, SERVER_TO_CLIENT, failed)
    assert rules(judged(*handshake(), asked, listed, called, answered)) == []


def test_a_log_without_messages_tells_the_failure_that_it_has():
    evidence = replace(LOG, messages=False, client=False)
    events = [
        log_event(1, "starting harbour", level="info"),
        log_event(2, "harbour is slow", level="warn"),
        log_event(3, "harbour failed to start", level="error"),
        log_event(4, "moorings failed to start", level="error"),
    ]
    diagnosis = judged(*events, evidence=evidence)
    assert diagnosis.verdict().outcome is Outcome.UNCLEAR
    assert diagnosis.verdict().words.endswith('an error that it tells: "harbour failed to start".')
    assert "tells no error" in judged(events[0], evidence=evidence).verdict().words


def test_of_a_channel_that_a_log_does_not_hold_no_silence_is_told():
    end = process_event(2, "eof", 5_000_000, 5_000_000, ch=SERVER_TO_CLIENT)
    opening = told_line(1, CLIENT_TO_SERVER, {"id": "log-1", "method": "initialize", "params": {}})
    told = replace(LOG, process=True, whole=True, contents=False)
    for evidence, words in (
        (told, "neither to stdout nor to stderr"),
        (replace(told, messages=False), "it wrote nothing to stderr"),
        (replace(told, stderr=False), "it wrote nothing to stdout"),
        (replace(told, messages=False, stderr=False), "before it answered anything; the agent"),
    ):
        diagnosis = Diagnosis(evidence=evidence)
        for item in (opening, end):
            diagnosis.feed(item)
        (finding,) = [f for f in diagnosis.finish() if f.rule == "server-exited-early"]
        assert words in finding.message
        assert ("not one byte" in finding.message) == (evidence is told)
        assert '"?"' not in finding.message


def test_a_request_without_answer_is_told_though_contents_are_unknown():
    told = replace(LOG, process=True, whole=True, contents=False)
    lines = [
        outline_line(1, CLIENT_TO_SERVER, {"id": 0, "method": "initialize", "params": {}}),
        outline_line(2, SERVER_TO_CLIENT, {"id": 0, "result": {}}),
        outline_line(3, CLIENT_TO_SERVER, {"id": 1, "method": "tools/call", "params": {}}),
        outline_line(4, CLIENT_TO_SERVER, {"id": 2, "method": "tools/call", "params": {}}, 90_000_000),
        outline_line(5, SERVER_TO_CLIENT, {"id": 2, "result": {}}, 90_000_000),
    ]
    assert rules(judged(*lines, evidence=told)) == ["request-unanswered"]
