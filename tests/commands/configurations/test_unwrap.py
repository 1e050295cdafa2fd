"""`mcptap unwrap`: the very bytes come back, edits stay, and what is left is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.setup.records import all_records
from tests.commands.configurations.homes import CLAUDE, CODEX, PROJECT, Home, make_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    return make_home(tmp_path.resolve(), monkeypatch, capsys)


def forget(home: Home) -> None:
    for path in (home.state / "wrapped").iterdir():
        path.unlink()


def test_all_come_back_in_their_very_bytes_and_go_off_the_record(home: Home) -> None:
    before = home.files()
    home.wrap("--all", "--yes")
    home.wrap("--all", "--yes", "--config", ".mcp.json", "--client", "claude-code")
    assert all(home.files()[path] != data for path, data in before.items())
    status, out, err = home.run("unwrap", "--all", "--yes")
    assert (status, err) == (0, "")
    assert home.files() == before
    assert list(all_records()) == []
    assert "recordings stay in" in out
    assert str(home.state / "backups") in out
    assert "FAKE" not in out


def test_without_a_record_the_command_line_comes_back(home: Home) -> None:
    home.wrap("--all", "--yes")
    forget(home)
    assert home.run("unwrap", "--all", "--yes")[0] == 0
    assert b'"files": {"command": "npx", "args": ["-y", "files-mcp"], "env"' in home.claude.read_bytes()
    assert json.loads(home.claude.read_bytes())["projects"]["/shop"]["mcpServers"]["files"] == {
        "command": "shop",
        "args": [],
    }
    assert home.codex.read_bytes() == CODEX.replace(b"# now\r\n", b"# now\r\nargs = []\r\n")


def test_edits_by_hand_stay(home: Home) -> None:
    home.wrap("--all", "--yes")
    edited = (
        home.claude.read_bytes()
        .replace(b'"files-mcp"', b'"files-mcp@2", "--more"')
        .replace(b"hunter2", b"h3")
    )
    home.claude.write_bytes(edited)
    home.codex.write_bytes(home.codex.read_bytes().replace(b"enabled = false", b"enabled = true"))
    status, out, _ = home.run("unwrap", "--all", "--yes")
    assert status == 0
    assert home.claude.read_bytes() == CLAUDE.replace(b'"files-mcp"', b'"files-mcp@2", "--more"').replace(
        b"hunter2", b"h3"
    )
    assert home.codex.read_bytes() == CODEX.replace(b"enabled = false", b"enabled = true")
    assert "was changed since, so it is rebuilt as it stands now" in out


def test_a_client_that_wrote_the_file_anew_changes_nothing(home: Home) -> None:
    home.wrap("--all", "--yes")
    written = json.dumps(json.loads(home.claude.read_bytes()), indent=4).encode()
    home.claude.write_bytes(written)
    home.run("unwrap", "--all", "--yes")
    assert home.claude.read_bytes() == json.dumps(json.loads(CLAUDE), indent=4).encode()


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (CLAUDE, "does not stand behind it any more"),
        (b'{"mcpServers": {}}', "is not there any more"),
        (None, "is gone: nothing to take out"),
    ],
)
def test_what_is_no_longer_behind_mcptap_is_said_once(home: Home, now: bytes | None, words: str) -> None:
    home.wrap("files", "--scope", "user", "--yes")
    if now is None:
        home.claude.unlink()
    else:
        home.claude.write_bytes(now)
    status, _, err = home.run("unwrap", "--all", "--yes")
    assert (status, err.count(words)) == (0, 1)
    assert words not in home.run("unwrap", "--all", "--yes")[2]
    assert now is None or home.claude.read_bytes() == now


def test_of_a_renamed_entry_the_record_goes(home: Home) -> None:
    home.wrap("files", "--scope", "user", "--yes")
    home.claude.write_bytes(home.claude.read_bytes().replace(b'"files": {', b'"other": {', 1))
    assert "was put in front of files, which is not there" in home.run("unwrap", "--all", "--yes")[2]
    assert list((home.state / "wrapped").iterdir()) == []


def test_a_project_elsewhere_is_found_by_its_record(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.wrap("--all", "--yes", "--config", ".mcp.json", "--client", "claude-code")
    monkeypatch.chdir(home.folder)
    assert home.run("unwrap", "--all", "--yes")[0] == 0
    assert home.project.read_bytes() == PROJECT


def test_another_tool_of_the_name_is_left_alone_and_said(home: Home) -> None:
    data = b'{"mcpServers": {"notes": {"command": "mcptap", "args": ["serve", "--", "x"]}}}'
    home.project.write_bytes(data)
    status, out, _ = home.run("unwrap", "--all", "--yes")
    assert (status, home.project.read_bytes()) == (0, data)
    assert "notes (Claude Code, project) starts a 'mcptap', but not as mcptap run … --" in out


def test_as_written_it_comes_back_though_this_mcptap_does_not_know_the_option(home: Home) -> None:
    home.wrap("notes", "--yes", "--config", ".mcp.json", "--client", "claude-code")
    (record,) = (home.state / "wrapped").iterdir()
    for path in (record, home.project):
        path.write_bytes(path.read_bytes().replace(b"--name", b"--NAME"))
    assert home.run("unwrap", "notes", "--yes")[0] == 0
    assert home.project.read_bytes() == PROJECT


def test_all_layers_go(home: Home) -> None:
    home.project.write_bytes(
        b'{"mcpServers": {"notes": {"command": "mcptap", "args": ["run", "--", "mcptap", "--", "n", "--"]}}}'
    )
    _, out, _ = home.run("unwrap", "notes", "--yes")
    assert home.project.read_bytes() == b'{"mcpServers": {"notes": {"command": "n", "args": ["--"]}}}'
    assert "had mcptap in front 2 times" in out


def test_a_name_that_is_behind_mcptap_in_one_place_means_that_one(home: Home) -> None:
    home.wrap("files", "--scope", "/shop", "--yes")
    assert home.run("unwrap", "files", "--yes")[0] == 0
    assert home.claude.read_bytes() == CLAUDE
    assert "is not behind mcptap; nothing is changed" in home.run("unwrap", "clock", "--yes")[2]


def test_a_dry_run_writes_nothing(home: Home) -> None:
    home.wrap("--all", "--yes")
    files, records = home.files(), list(all_records())
    status, out, _ = home.run("unwrap", "--all", "--dry-run")
    assert status == 0
    assert '+ "command": "npx"' in out
    assert (home.files(), list(all_records())) == (files, records)


def test_names_and_all_and_neither_are_told_apart(home: Home) -> None:
    assert "leave one of them out" in home.run("unwrap", "a", "--all")[2]
    assert "needs the names of servers, or --all" in home.run("unwrap")[2]
    assert home.run("unwrap", "--all")[2] == "mcptap: no server here is behind mcptap\n"
