"""`mcptap doctor`: what it looks at, what it says, and with which status it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.commands import main

SERVER = {"command": "a-server", "args": ["x"], "env": {"TOKEN": "sk_live_FAKE1234567890"}}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a program on the PATH, in whose project we stand."""
    home = tmp_path.resolve() / "home"
    project = home / "shop"
    (home / "bin").mkdir(parents=True)
    project.mkdir()
    program = home / "bin" / "a-server"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for name, value in {"HOME": home, "PATH": home / "bin", "XDG_STATE_HOME": home / "state"}.items():
        monkeypatch.setenv(name, str(value))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(project)
    return home


def write(path: Path, server: dict[str, object], mode: int = 0o600) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mcpServers": {"one": server}}, indent=1))
    path.chmod(mode)
    return path


def test_a_healthy_configuration_ends_with_0_and_shows_no_secret(home, capsys):
    write(home / ".claude.json", SERVER)
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert f"{home}/.claude.json  (Claude Code, user and local)" in out
    assert "nothing is wrong with its 1 server" in out
    assert "FAKE" not in out


def test_a_program_that_is_not_there_ends_with_1_and_is_told_with_its_place(home, capsys):
    write(home / ".claude.json", {**SERVER, "command": "gone"})
    assert main(["doctor", "--json"]) == 1
    whole = json.loads(capsys.readouterr().out)
    (found,) = [one for one in whole["findings"] if one["check"] == "program-not-found"]
    assert (found["line"], found["column"], found["server"]) == (4, 15, "one")
    assert "FAKE" not in json.dumps(whole)


def test_files_of_the_project_in_this_folder_are_looked_at_too_and_one_alone_if_it_is_named(home, capsys):
    write(home / ".claude.json", SERVER)
    project = write(home / "shop" / ".mcp.json", {"command": "a-server"})
    main(["doctor", "--json"])
    assert len(json.loads(capsys.readouterr().out)["files"]) == 2
    assert main(["doctor", "--config", ".mcp.json", "--json"]) == 0
    (only,) = json.loads(capsys.readouterr().out)["files"]
    assert (only["file"], only["client"]) == (str(project), "claude-code")


def test_notes_can_be_left_out(home, capsys):
    write(home / ".claude.json", SERVER)
    assert main(["doctor", "--min-level", "warning", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"] == []


def test_what_is_left_out_still_counts(home, capsys):
    write(home / ".claude.json", {**SERVER, "cwd": "/x"})
    assert main(["doctor", "--min-level", "error", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["findings"]) == (False, [])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--client", "nobody"], "'nobody' is no client"),
        (["--config", "none.json"], "there is no file"),
    ],
)
def test_what_can_not_be_done_ends_with_2_and_a_sentence(home, capsys, arguments, words):
    assert main(["doctor", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_named_file_that_can_not_be_looked_at_ends_with_2(home, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    (home / "shop" / "config.yaml").write_text("extensions: {}")
    assert main(["doctor", "--client", "goose", "--config", "config.yaml"]) == 2
    assert "pip install" in capsys.readouterr().err


def test_the_checks_are_listed(home, capsys):
    assert main(["doctor", "--checks"]) == 0
    assert "program-not-found" in capsys.readouterr().out


def test_without_any_configuration_that_is_said(home, capsys):
    assert main(["doctor"]) == 0
    assert capsys.readouterr().out == "no configuration of a client is here\n"
