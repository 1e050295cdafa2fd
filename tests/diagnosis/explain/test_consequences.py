"""What a finding says about the client at hand, and the verdict above all findings."""

import json

import pytest

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import reactions
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.diagnosis.engine.kept import MAX_RECORDS, MAX_SUBJECTS
from mcptap.diagnosis.engine.registry import RULES
from mcptap.recording.format.model import Header
from tests.diagnosis.sessions import event, judged, line, message


def opening(client: str, version: str = "1.0", **server: object) -> list[bytes]:
    info = {"name": client, "version": version}
    asked = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    answer = {
        "protocolVersion": "2025-11-25",
        "capabilities": server,
        "serverInfo": {"name": "s", "version": "1"},
    }
    return [
        message(id=0, method="initialize", params=asked),
        message(id=0, result=answer),
        message(method="notifications/initialized"),
    ]


def diagnosed(lines: list[bytes], header: Header | None = None) -> Diagnosis:
    diagnosis = Diagnosis(header)
    for number, data in enumerate(lines, 2):
        value = json.loads(data) if data.startswith(b"{") else {}
        from_client = "method" in value
        diagnosis.feed(line(number, "c2s" if from_client else "s2c", data, number * 1000))
    diagnosis.feed(event(len(lines) + 2, "eof", 3_000_000, ch="c2s"))
    diagnosis.feed(event(len(lines) + 3, "exit", 3_001_000, code=0))
    diagnosis.finish()
    return diagnosis


def effect(lines: list[bytes], rule: str, header: Header | None = None) -> str:
    return next(f.consequence for f in diagnosed(lines, header).findings() if f.rule == rule)


def test_a_known_client_is_told_what_it_does_and_which_others_suffer():
    said = effect([*opening("claude-code", "2.1.332", tools={}), b"Server ready"], "stdout-not-json")
    assert said.startswith("Claude Code ignores it")
    assert "2.1.332" in said
    assert "Cline" in said


def test_a_client_built_on_an_sdk_does_as_the_sdk():
    said = effect([*opening("codex-mcp-client", tools={}), b"\xe9"], "invalid-utf8")
    assert said.startswith("Codex uses the Rust SDK, which fails to parse the line (read in its source).")
    assert "ends the session (Python SDK 1.30.0)" in said


def test_a_client_that_runs_on_an_interpreter_may_use_its_sdk():
    header = Header({"parent": {"name": "node", "pid": 1}})
    lines = opening("my-client", tools={})
    lines[1] = lines[1][:-1] + b',"error":null}'
    said = effect(lines, "response-null-member", header)
    assert "my-client runs on Node; if it uses the TypeScript SDK" in said
    assert "No harm seen in Python SDK" in said


def test_text_in_utf_16_is_told_from_a_few_broken_letters():
    lines = [*opening("agent", tools={}), "Server ready".encode("utf-16")]
    found = next(f for f in diagnosed(lines).findings() if f.rule == "invalid-utf8")
    assert found.message.endswith("as PowerShell writes it; no client can read it.")
    assert found.consequence == ""


def test_others_are_told_in_few_words():
    said = effect([*opening("agent", tools={}), b"Server ready"], "stdout-not-json")
    assert said.startswith("What agent does about it is not known. Harmful in Cline, Cline CLI, ")
    assert said.endswith(" No harm seen in TypeScript SDK, Python SDK, C# SDK and Rust SDK.")
    header = Header({"parent": {"name": "python3", "pid": 1}})
    said = effect([*opening("agent", tools={}), b'x {"jsonrpc":"2.0"}'], "stdout-glued", header)
    assert said == (
        "agent runs on Python; if it uses the Python SDK, it waits until its time limit (seen in 1.30.0 and "
        "2.3.0). The same in TypeScript SDK, C# SDK and Rust SDK."
    )


def test_a_version_is_named_where_another_one_behaves_differently():
    said = effect(
        [*opening("agent"), message(id=1, method="ping"), message(id=1, result={})], "capability-none"
    )
    assert "returns an empty list without asking (TypeScript SDK 2.4.0, Claude Code" in said


def test_what_is_not_known_is_said_to_be_unknown():
    said = effect([*opening("windsurf", tools={}), b"Server ready"], "stdout-not-json")
    assert "What Windsurf does about it is not known." in said


def test_a_null_capability_is_told_from_an_array():
    null = effect(opening("mcp", "0.1.0", tools=None), "capability-shape")
    array = effect(opening("mcp", "0.1.0", tools=[]), "capability-shape")
    assert "accepts it" in null
    assert "fails to initialize" in array


@pytest.mark.parametrize("fault", Fault)
def test_a_fault_that_clients_are_known_to_meet_is_reported_by_a_rule(fault):
    variants = {Fault.CAPABILITY_NULL, Fault.UTF16}  # a hit says so
    played_only = {Fault.RESULT_AND_ERROR}
    if reactions(fault) and fault not in variants | played_only:
        assert any(rule.fault is fault for rule in RULES.values())


def test_an_unexpanded_variable_is_named_in_a_sentence():
    header = Header({"argv": ["s"], "env": {"names": ["KEY"], "placeholders": {"KEY": "${KEY}"}}})
    said = next(f for f in diagnosed(opening("agent"), header).findings() if f.rule == "launch-unexpanded")
    assert said.message.startswith('The variable KEY reached the server unexpanded: "${KEY}"')


def test_the_verdict_on_the_silent_case_names_client_and_cause():
    lines = [*opening("agent"), message(id=1, method="ping"), message(id=1, result={})]
    said = diagnosed(lines).verdict()
    assert (
        said == "The server declares nothing that an agent can use; agent never asked. Nothing else is wrong."
    )


def test_the_verdict_on_a_healthy_session_says_what_that_leaves():
    tool = {"name": "a", "description": "A.", "inputSchema": {"type": "object"}}
    lines = [
        *opening("agent", tools={}),
        message(id=1, method="tools/list"),
        message(id=1, result={"tools": [tool]}),
    ]
    said = diagnosed(lines).verdict()
    assert said.startswith("Nothing is wrong on the wire. One tool was listed, and none was called.")
    assert "the model did not choose it" in said


def test_the_verdict_on_nothing_says_that_nothing_was_said():
    assert Diagnosis(None).verdict() == "Nothing was said so far."


def test_the_verdict_counts_causes_and_leaves_consequences_out():
    lines = [*opening("agent", tools={}), b"one", b"two", message(id=1, method="tools/list")]
    lines += [message(id=1, result={"tools": []})]
    said = diagnosed(lines).verdict()
    assert "(2 times)" in said
    assert "Besides: tools/list is empty (record " in said


def test_many_subjects_and_records_take_no_more_room_than_a_few():
    items = [
        line(n, "s2c", message(id=f"odd {n}", result={}) if n % 2 else b'{"x":%d}' % n, n)
        for n in range(2, 4 * MAX_RECORDS)
    ]
    items += [
        line(n, "c2s", message(id=n, method="tools/call", params={"name": f"t{n}"}), n)
        for n in range(1000, 1000 + 2 * MAX_SUBJECTS)
    ]
    items.append(event(5000, "eof", 10**7, ch="c2s"))
    found = judged(items)
    assert all(len(f.records) <= MAX_RECORDS for f in found)
    waiting = [f for f in found if f.rule == "request-unanswered"]
    assert len(waiting) == MAX_SUBJECTS + 1
    assert sum(f.count for f in waiting) == 2 * MAX_SUBJECTS


def test_a_recording_that_starts_in_the_middle_accuses_nobody_of_what_is_missing():
    items = [
        line(2, "s2c", message(id=7, result={"tools": []})),
        line(3, "c2s", message(id=8, method="tools/list")),
        line(4, "s2c", message(id=8, result={"tools": []})),
        line(5, "s2c", message(method="notifications/progress", params={"progressToken": 1, "progress": 1})),
    ]
    assert {f.rule for f in judged(items)} & {"response-unknown-id", "initialize-not-first"}
    assert [f.rule for f in judged(items, partial=True)] == []


def test_a_probe_whose_session_follows_is_no_failure():
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    items = [
        line(2, "c2s", message(id=1, method="server/discover", params={"_meta": meta})),
        line(3, "s2c", message(id=1, error={"code": -32601, "message": "Method not found"})),
        event(4, "eof", 10**6, ch="c2s"),
        event(5, "exit", 10**6, code=0),
    ]
    assert [f.rule for f in judged(items, sibling=False)] == ["era-no-fallback"]
    assert [f.rule for f in judged(items)] == ["era-no-fallback"]
    assert judged(items, sibling=True) == []
