from __future__ import annotations

import pytest

from mcptap.diagnosis.engine.finding import Level
from tests.setup.machines import Disk, findings, found_in, machine, worse

RELATIVE = {"command": "node", "args": ["server/x.js"]}


def test_a_cwd_that_is_ignored_is_a_warning():
    server = {"command": "npx", "args": ["-y", "x"], "cwd": "/home/sam"}
    found = found_in("claude-code", server)["cwd-ignored"]
    assert (found.level, found.effect.sentence) == (
        Level.WARNING,
        "It starts the server in the folder it was started in (seen in 2.1.332)",
    )
    assert "not known" in found_in("claude-desktop", server)["cwd-ignored"].effect.words
    assert worse(found_in("gemini-cli", server)) == []


def test_a_relative_script_depends_on_the_folder_that_the_client_was_started_in():
    found = found_in("claude-code", RELATIVE)["relative-path"]
    assert (found.level, found.message) == (Level.WARNING, "The script server/x.js is relative.")
    assert "not from that of this file" in found.effect.words


def test_it_is_fine_where_the_folder_is_always_the_same():
    assert worse(found_in("vscode", RELATIVE)) == []
    assert "relative-path" in found_in("vscode", RELATIVE, shared=False)
    assert worse(found_in("gemini-cli", {**RELATIVE, "cwd": "/home/sam"})) == []


@pytest.mark.parametrize(
    "argv",
    [
        ["npx", "-y", "@scope/package"],
        ["node", "/opt/x.js"],
        ["node", "${CLAUDE_PROJECT_DIR:-.}/x.js"],
        ["python", "-m", "pkg.server"],
        ["uvx", "pkg", "--repo", "owner/repo"],
        ["docker", "run", "-i", "ghcr.io/a/b", "./inside"],
        ["python", "-c", "print()"],
    ],
)
def test_what_only_looks_like_a_path_is_none(argv):
    found = found_in("claude-code", {"command": argv[0], "args": argv[1:]})
    assert "relative-path" not in found


@pytest.mark.parametrize(
    "argv",
    [
        ["node", "--require", "x", "s.mjs"],
        ["python3", "-u", "tools/s.py"],
        ["npx", "-y", "x", "./app.db"],
        ["dotnet", "bin/Learn.dll"],
    ],
)
def test_scripts_and_dotted_paths_are_found_behind_options(argv):
    assert "relative-path" in found_in("claude-code", {"command": argv[0], "args": argv[1:]})


def test_a_relative_program_is_a_warning_where_it_is_found_and_an_error_as_well_where_it_is_not():
    on = machine(Disk(files=["/home/sam/shop/bin/x"]))
    assert worse(found_in("claude-code", {"command": "./bin/x"}, on=on)) == ["relative-program"]
    found = found_in("claude-code", {"command": "./bin/none"}, on=on)
    assert worse(found) == ["program-not-found", "relative-program"] or set(worse(found)) == {
        "program-not-found",
        "relative-program",
    }
    assert found["program-not-found"].message == "There is no program ./bin/none in /home/sam/shop."


def test_a_path_of_one_machine_does_not_belong_into_a_file_that_others_share():
    on = machine(Disk(files=["/home/sam/bin/x"]))
    assert worse(found_in("claude-code", {"command": "/home/sam/bin/x"}, on=on)) == ["personal-path"]
    assert worse(found_in("claude-code", {"command": "/home/sam/bin/x"}, on=on, shared=False)) == []


def test_that_others_share_a_file_is_worth_a_note():
    data = {"mcpServers": {"one": {"command": "npx", "args": ["-y", "x"]}}}
    assert "shared-file" in {one.check for one in findings("claude-code", data)}
    assert "shared-file" not in {one.check for one in findings("claude-code", data, shared=False)}


def test_a_relative_path_below_a_relative_cwd_is_taken_from_there():
    found = found_in("gemini-cli", {"command": "python3", "args": ["s.py"], "cwd": "./srv"})["relative-path"]
    assert found.effect.words.startswith("The server takes it from its cwd, and Gemini CLI that from ")
