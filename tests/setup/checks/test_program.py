from __future__ import annotations

import json

import pytest

from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.edits import applied
from tests.setup.machines import Disk, entry, findings, found_in, machine, worse


def test_a_command_line_in_the_place_of_a_program_is_an_error_that_says_how_to_part_it():
    found = found_in("claude-code", {"command": "python s.py --token=sk_live_abcdefgh12345678"})
    one = found["command-with-spaces"]
    assert "command-with-spaces" in worse(found)
    assert one.level is Level.ERROR
    assert one.effect.known == "seen in 2.1.332"
    assert '"python" and ["s.py", "--token=' in one.remedy
    assert "sk_live" not in one.remedy


def test_a_program_with_a_space_in_its_path_is_no_command_line():
    on = machine(Disk(files=["/opt/My Server/run"]))
    assert worse(found_in("claude-code", {"command": "/opt/My Server/run"}, on=on)) == []
    assert worse(found_in("claude-code", {"command": "/opt/My Other/run"}, on=on)) == ["program-not-found"]
    known = machine(Disk(files=["/usr/bin/python"]))
    assert worse(found_in("claude-code", {"command": "/usr/bin/python s.py"}, on=known)) == [
        "command-with-spaces"
    ]


def test_where_a_shell_may_be_used_that_is_said():
    found = found_in("cursor", {"command": "python s.py"})["command-with-spaces"]
    assert found.effect.sentence.startswith("Whether Cursor uses a shell is not known")


def test_a_program_that_is_not_on_the_path_is_an_error():
    found = found_in("claude-code", {"command": "no-such"})["program-not-found"]
    assert found.level is Level.ERROR
    assert found.message == (
        "There is no program no-such on the PATH that Claude Code has if it is started from here (1 folder)."
    )


@pytest.mark.parametrize(
    ("client", "in_entry", "missing"),
    [("claude-code", "/opt/bin", False), ("claude-code", "/opt/none", True), ("vscode", "/opt/bin", False)],
)
def test_the_path_of_the_entry_decides_or_is_appended(client, in_entry, missing):
    on = machine(Disk(files=["/opt/bin/tool", "/usr/bin/npx"]))
    found = found_in(client, {"command": "tool", "env": {"PATH": in_entry}}, on=on)
    assert ("program-not-found" in found) is missing


def test_where_the_path_of_the_entry_is_appended_the_client_s_own_still_counts():
    server = {"command": "npx", "args": ["-y", "x"], "env": {"PATH": "/opt/bin"}}
    assert "program-not-found" not in found_in("vscode", server)
    found = found_in("claude-code", server)["program-not-found"]
    assert "on the PATH that the entry sets" in found.message


def test_a_path_that_goose_drops_decides_nothing():
    text = "extensions:\n  a: {type: stdio, cmd: npx, args: [-y, x], envs: {PATH: /opt/none}}\n"
    found = {one.check for one in findings("goose", text)}
    assert "program-not-found" not in found


def test_a_program_that_is_a_folder_or_may_not_be_executed_is_an_error():
    on = machine(Disk(files=[], folders=["/opt/server"], barred=["/opt/run", "/usr/bin/tool"]))
    assert worse(found_in("claude-code", {"command": "/opt/server"}, on=on)) == ["program-is-folder"]
    assert worse(found_in("claude-code", {"command": "/opt/run"}, on=on)) == ["program-not-executable"]
    found = found_in("claude-code", {"command": "tool"}, on=on)["program-not-executable"]
    assert "chmod +x /usr/bin/tool" in found.remedy


def test_a_tilde_is_expanded_by_one_client_left_by_another_and_not_known_of_a_third():
    on = machine(Disk(files=["/home/sam/bin/x"]))
    server = {"command": "~/bin/x"}
    assert worse(found_in("vscode", server, on=on)) == []
    assert found_in("claude-code", server, on=on)["tilde"].level is Level.ERROR
    assert found_in("windsurf", server, on=on)["tilde"].level is Level.WARNING
    assert worse(found_in("vscode", {"command": "~/bin/none"}, on=on)) == ["program-not-found"]


def test_a_tilde_is_spelled_out_in_a_file_of_the_user_and_not_in_one_that_others_share():
    data = entry("claude-code", {"command": "~/bin/x"})
    text = json.dumps(data)
    own = {one.check: one for one in findings("claude-code", text, shared=False)}["tilde"]
    assert own.fix is not None
    assert json.loads(applied(text.encode(), own.fix.edits)) == entry(
        "claude-code", {"command": "/home/sam/bin/x"}
    )
    shared = {one.check: one for one in findings("claude-code", text)}["tilde"]
    assert shared.fix is None


def test_a_tilde_in_an_argument_is_a_warning():
    found = found_in("claude-code", {"command": "npx", "args": ["-y", "x", "~/notes"]})["tilde"]
    assert (found.level, found.message) == (
        Level.WARNING,
        "The argument begins with ~, which only a shell expands.",
    )


def test_a_variable_in_the_program_is_replaced_or_nothing_is_said_of_the_program():
    on = machine(Disk(files=["/home/sam/bin/git-mcp"]))
    assert worse(found_in("gemini-cli", {"command": "$HOME/bin/git-mcp"}, on=on)) == []
    assert worse(found_in("gemini-cli", {"command": "$HOME/bin/none"}, on=on)) == ["program-not-found"]
    assert worse(found_in("gemini-cli", {"command": "$UNKNOWN/bin/none"}, on=on)) == ["variable-unset"]


def test_a_program_of_a_server_that_is_switched_off_is_worth_a_note():
    found = found_in("gemini-cli", {"command": "no-such"}, name="off") | {}
    assert found["program-not-found"].level is Level.ERROR
    off = {"mcpServers": {"off": {"command": "no-such"}}, "mcp": {"excluded": ["off"]}}
    assert {one.check: one.level for one in findings("gemini-cli", off)}["program-not-found"] is Level.INFO


def test_a_working_directory_that_is_no_folder_is_an_error_where_it_is_used():
    server = {"command": "npx", "args": ["-y", "x"], "cwd": "/no/such"}
    assert found_in("gemini-cli", server)["working-directory-missing"].level is Level.ERROR
    assert "working-directory-missing" not in found_in("claude-code", server)
    assert worse(found_in("gemini-cli", {**server, "cwd": "/home/sam"})) == []


def test_a_program_behind_mcptap_is_looked_for_as_well():
    server = {"command": "/usr/bin/mcptap", "args": ["run", "--", "no-such"]}
    assert worse(found_in("claude-code", server)) == ["program-not-found"]


def test_windows_finds_programs_by_their_suffixes():
    on = machine(Disk(files=["C:\\bin\\tool.exe"]), {"PATH": "C:\\bin"}, platform="win32")
    assert worse(found_in("claude-desktop", {"command": "tool"}, on=on)) == []
    assert worse(found_in("claude-desktop", {"command": "none"}, on=on)) == ["program-not-found"]


def test_a_path_of_windows_is_not_looked_for_on_the_path_of_another_system():
    found = found_in("cline", {"command": "C:\\\\node\\\\node.exe", "args": []})["program-not-found"]
    assert "is a path of Windows, and this is another system" in found.message
