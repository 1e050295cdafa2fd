from __future__ import annotations

import json

import pytest

from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.checks.variables import references, replaced
from mcptap.setup.edits import applied
from tests.setup.machines import entry, findings, found_in, machine, worse


@pytest.mark.parametrize(
    ("client", "text", "names"),
    [
        ("claude-code", "a ${A} ${B:-b} $C", ["A"]),
        ("gemini-cli", "$A ${B} ${C:-c}", ["A", "B"]),
        ("opencode", "{env:A} $B", ["A"]),
        ("cursor", "${env:A} ${userHome} ${B}", ["A"]),
        ("continue", "${{ secrets.A }}", []),
        ("codex", "${A}", []),
    ],
)
def test_each_client_has_its_own_forms(client, text, names):
    variables = CLIENTS[client].configuration.variables.value
    assert [name for _, name in references(text, variables)] == names


def test_forms_of_a_client_become_one_that_no_masker_takes_for_a_secret():
    assert replaced("x {env:TOKEN}", CLIENTS["opencode"].configuration.variables.value) == "x ${TOKEN}"


def unset(client, text, **where):
    server = {"command": "npx", "args": ["-y", "x"], "env": {"A": text}}
    if client == "opencode":
        server = {"type": "local", "command": ["npx", "-y", "x"], "environment": {"A": text}}
    return found_in(client, server, **where).get("variable-unset")


@pytest.mark.parametrize(
    ("client", "text", "level", "words"),
    [
        ("claude-code", "${NOTES}", Level.WARNING, "it stays as text"),
        ("opencode", "{env:NOTES}", Level.INFO, "it becomes empty"),
        ("gemini-cli", "$NOTES", Level.INFO, "it becomes empty"),
        ("cursor", "${env:NOTES}", Level.INFO, "is not known"),
    ],
)
def test_a_variable_that_is_not_set_is_told_with_what_becomes_of_it(client, text, level, words):
    found = unset(client, text)
    assert (found.level, words in found.effect.words) == (level, True)


def test_a_variable_that_is_set_or_has_a_default_is_fine():
    assert unset("claude-code", "${NOTES}", on=machine(environ={"NOTES": "1"})) is None
    assert unset("claude-code", "${NOTES:-x}") is None


def test_a_variable_of_a_remote_server_is_looked_at_too():
    server = {"type": "http", "url": "https://x.example", "headers": {"Authorization": "Bearer ${NONE}"}}
    assert worse(found_in("claude-code", server)) == ["variable-unset"]


SCHEMA = {"command": "node", "args": ["${CLAUDE_PROJECT_DIR}/é/x.js", "${CLAUDE_PROJECT_DIR:-.}/docs"]}


def test_a_variable_that_is_set_for_the_server_alone_needs_a_default_and_gets_it():
    text = json.dumps(entry("claude-code", SCHEMA), ensure_ascii=False)
    found = {one.check: one for one in findings("claude-code", text)}["variable-of-server"]
    assert found.level is Level.ERROR
    assert found.fix is not None
    fixed = json.loads(applied(text.encode(), found.fix.edits))
    assert fixed["mcpServers"]["one"]["args"] == [
        "${CLAUDE_PROJECT_DIR:-.}/é/x.js",
        "${CLAUDE_PROJECT_DIR:-.}/docs",
    ]


def test_a_variable_that_the_user_sets_is_there_for_the_client_too():
    assert "variable-of-server" not in found_in(
        "claude-code", SCHEMA, on=machine(environ={"CLAUDE_PROJECT_DIR": "/x"})
    )
    inside = machine(environ={"CLAUDE_PROJECT_DIR": "/x", "CLAUDECODE": "1"})
    assert "variable-of-server" in found_in("claude-code", SCHEMA, on=inside)


def test_a_form_that_the_client_does_not_expand_is_a_warning():
    server = {"command": "npx", "args": ["-y", "x", "$HOME/notes"]}
    found = found_in("claude-code", server)["variable-not-expanded"]
    assert (found.level, found.message) == (
        Level.WARNING,
        "$HOME is no form of a variable that Claude Code knows.",
    )
    text = '[mcp_servers.a]\ncommand = "npx"\nargs = ["-y", "x", "${HOME}/notes"]\n'
    assert "variable-not-expanded" in {one.check for one in findings("codex", text)}
    assert "variable-not-expanded" not in found_in(
        "claude-code", {**server, "args": ["-y", "x", "${HOME}/n"]}
    )


def test_an_input_is_defined_or_a_warning():
    server = {"command": "npx", "args": ["-y", "x", "--url=${input:pg}"]}
    data = {"inputs": [{"type": "promptString", "id": "pg"}], "servers": {"one": server}}
    assert [one.level for one in findings("vscode", data) if one.check == "input"] == [Level.INFO]
    assert found_in("vscode", server)["input"].level is Level.WARNING


def test_variables_that_goose_drops_are_a_warning_if_they_stand_there():
    text = "extensions:\n  a: {type: stdio, cmd: npx, args: [-y, x], envs: {PYTHONPATH: /x}}\n"
    (found,) = [one for one in findings("goose", text) if one.check == "variable-dropped"]
    assert (found.level, found.message) == (Level.WARNING, "Goose does not hand on PYTHONPATH.")
    empty = text.replace("PYTHONPATH: /x", "")
    (found,) = [one for one in findings("goose", empty) if one.check == "variable-dropped"]
    assert found.level is Level.INFO


def test_a_client_that_hands_on_few_variables_is_worth_a_note():
    server = {"type": "local", "command": "npx", "args": ["-y", "x"]}
    found = found_in("copilot-cli", server)["environment-short"]
    assert found.message == "Of its environment GitHub Copilot CLI hands on PATH alone."
    assert "environment-short" not in found_in("claude-code", {"command": "npx", "args": ["-y", "x"]})


def test_of_a_short_list_that_is_not_known_whole_none_is_said_to_be_all():
    found = found_in("claude-desktop", {"command": "a-server", "args": []})["environment-short"]
    assert "few variables (such as HOME, PATH and USER;" in found.message
