"""What a finding says about the client at hand."""

import pytest

from mcptap.clients.faults import Fault
from mcptap.clients.reactions import reactions
from mcptap.diagnosis.engine.registry import RULES
from mcptap.recording.format.model import Header
from tests.diagnosis.sessions import diagnosed, message, opening


def effect(lines: list[bytes], rule: str, header: Header | None = None) -> str:
    return next(f.consequence for f in diagnosed(lines, header).findings() if f.rule == rule)


def test_a_known_client_is_told_what_it_does_and_which_others_suffer():
    said = effect([*opening("claude-code", "2.1.332", tools={}), b"Server ready"], "stdout-not-json")
    assert said.startswith("Claude Code ignores it")
    assert "2.1.332" in said
    assert "Cline" in said


def test_a_client_built_on_an_sdk_does_as_the_sdk():
    said = effect([*opening("codex-mcp-client", tools={}), b"\xe9"], "invalid-utf8")
    assert said.startswith("Codex waits as if nothing had come (seen in 0.171.0). Others: harmful in ")
    said = effect([*opening("goose", tools={}), b"\xe9"], "invalid-utf8")
    assert said.startswith(
        "Goose uses the Rust SDK, which fails to parse the line (read in the source of commit 4a738b9d)."
    )


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
    assert found.consequence.startswith(
        "If agent uses the TypeScript SDK or Python SDK, it waits as if nothing had come."
    )


def test_others_are_told_in_few_words():
    said = effect([*opening("agent", tools={}), b"Server ready"], "stdout-not-json")
    assert said.startswith("Other clients: harmful in Cline, Cline CLI, ")
    assert " No harm seen in TypeScript SDK, Python SDK, C# SDK and Rust SDK" in said
    header = Header({"parent": {"name": "python3", "pid": 1}})
    said = effect([*opening("agent", tools={}), b'x {"jsonrpc":"2.0"}'], "stdout-glued", header)
    assert said == (
        "agent runs on Python; if it uses the Python SDK, it waits as if nothing had come (seen in 1.30.0 "
        "and 2.3.0). The same in TypeScript SDK, C# SDK, Rust SDK, Claude Code, Codex and opencode."
    )


def test_what_others_do_is_never_told_as_if_an_unknown_client_did_it():
    tool = {"name": "a b", "inputSchema": {"type": "object"}}
    asked = [*opening("agent", tools={}), message(id=1, method="tools/list")]
    said = effect([*asked, message(id=1, result={"tools": [tool]})], "tool-name-invalid")
    assert said == "Other clients: Claude Code turns other characters into _."
    said = effect([*opening("agent", tools={}), b'x {"jsonrpc":"2.0"}'], "stdout-glued")
    assert said == (
        "If agent uses the TypeScript SDK, Python SDK, C# SDK or Rust SDK, it waits as if nothing had come. "
        "The same in Claude Code, Codex and opencode."
    )


def test_a_version_is_named_where_another_one_behaves_differently():
    said = effect(
        [*opening("agent"), message(id=1, method="ping"), message(id=1, result={})], "capability-none"
    )
    assert said == (
        "If agent uses the TypeScript SDK 2.4.0, it returns an empty list without asking. "
        "The same in Claude Code, Gemini CLI, MCP Inspector and opencode. "
        "No harm seen in TypeScript SDK 1.32.2, Python SDK and C# SDK."
    )


def test_of_a_client_whose_ways_are_not_known_nothing_is_said():
    said = effect([*opening("windsurf", tools={}), b"Server ready"], "stdout-not-json")
    assert "Windsurf" not in said
    assert "not known" not in said


def test_what_this_client_evidently_did_not_do_is_not_said_of_it():
    lines = opening("claude-code", "1.0", tools=[])
    assert effect(lines[:2], "capability-shape").startswith(
        "Claude Code fails to initialize (seen in 2.1.332)"
    )
    assert "Claude Code" not in effect(lines, "capability-shape"), "it says that it is ready"
    tool = {"name": "a", "inputSchema": {"type": "string"}}
    asked = [*opening("claude-code", "1.0", tools={}), message(id=1, method="tools/list")]
    listed = [*asked, message(id=1, result={"tools": [tool]})]
    assert effect(listed, "input-schema-invalid").startswith("Claude Code rejects the whole tool list")
    called = [*listed, message(id=2, method="tools/call", params={"name": "a", "arguments": {}})]
    assert "Claude Code" not in effect(called, "input-schema-invalid"), "it has a tool to call"


def test_what_was_seen_in_one_form_alone_is_told_with_that_form():
    tool = {"name": "a", "title": None, "inputSchema": {"type": "object"}}
    asked = [*opening("opencode", "1.0", tools={}), message(id=1, method="tools/list")]
    said = effect([*asked, message(id=1, result={"tools": [tool]})], "null-optional-field")
    assert said.startswith("opencode rejects the whole tool list (not for outputSchema) (seen in 1.18.33).")


def test_a_null_capability_is_told_from_an_array():
    null = effect(opening("mcp", "0.1.0", tools=None), "capability-shape")
    array = effect(opening("mcp", "0.1.0", tools=[]), "capability-shape")
    assert "accepts it" in null
    assert "fails to initialize" in array


@pytest.mark.parametrize("fault", Fault)
def test_a_fault_that_clients_are_known_to_meet_is_reported_by_a_rule(fault):
    variants = {
        Fault.CAPABILITY_NULL,
        Fault.UTF16,
        Fault.INPUT_SCHEMA,
        Fault.NO_INPUT_SCHEMA,
        Fault.TOOLS_SHAPE,
        Fault.OPENING_SHAPE,
        Fault.PAGE_ERROR,  # which a probe tells: the error may be right
    }  # a hit says so
    if reactions(fault) and fault not in variants:
        assert any(rule.fault is fault for rule in RULES.values())


def test_an_unexpanded_variable_is_named_in_a_sentence():
    header = Header({"argv": ["s"], "env": {"names": ["KEY"], "placeholders": {"KEY": "${KEY}"}}})
    said = next(f for f in diagnosed(opening("agent"), header).findings() if f.rule == "launch-unexpanded")
    assert said.message.startswith('The variable KEY reached the server unexpanded: "${KEY}"')
