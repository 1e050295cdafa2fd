"""`mcptap wrap`: what it changes, what it leaves and says, and when it writes nothing."""

from __future__ import annotations

import json
import os
import pty
import threading
from pathlib import Path

import pytest

from mcptap.commands import terminal
from mcptap.setup import own_command
from tests.commands.configurations.homes import CLAUDE, CODEX, PROJECT, Home, make_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    return make_home(tmp_path.resolve(), monkeypatch, capsys)


def test_all_are_those_of_the_user_and_local_scope(home: Home) -> None:
    status, out, err = home.wrap("--all", "--yes")
    assert (status, err) == (0, "")
    claude = json.loads(home.claude.read_bytes())
    assert claude["mcpServers"]["files"] == {
        "command": home.mcptap,
        "args": ["run", "--name", "files", "--", "npx", "-y", "files-mcp"],
        "env": {"KEY": "hunter2-FAKE"},
    }
    assert claude["projects"]["/shop"]["mcpServers"]["files"]["args"] == [
        "run",
        "--name",
        "files",
        "--",
        "shop",
    ]
    assert home.codex.read_bytes() == (
        b"[mcp_servers.clock]\r\n"
        b'command = "%s" # now\r\n'
        b'args = ["run", "--name", "clock", "--", \'clock\']\r\n'
        b"enabled = false\r\n" % home.mcptap.encode()
    )
    assert home.project.read_bytes() == PROJECT
    assert "notes (Claude Code, project) stands in a project's file, which others share" in out
    assert f"--config {home.project} names it" in out
    assert "web (Claude Code, user) is reached by a URL" in out
    assert "FAKE" not in out


def test_the_diff_shows_the_command_line_and_its_line_and_a_dry_run_writes_nothing(home: Home) -> None:
    status, out, err = home.wrap("clock", "--dry-run")
    assert status == 0
    assert out == (
        f"{home.codex}\n"
        "  clock (Codex, user), line 2\n"
        "    - command = 'clock'\n"
        f'    + command = "{home.mcptap}"\n'
        '    + args = ["run", "--name", "clock", "--", \'clock\']\n'
    )
    assert err == "mcptap: nothing is written: this was a dry run\n"
    assert home.files() == {str(home.claude): CLAUDE, str(home.codex): CODEX, str(home.project): PROJECT}
    assert not home.state.exists()


def test_without_a_terminal_nothing_is_written(home: Home) -> None:
    status, _, err = home.wrap("clock")
    assert status == 2
    assert "--yes says yes" in err
    assert home.codex.read_bytes() == CODEX


@pytest.mark.parametrize(("answer", "writes"), [("y\n", True), ("\n", False), ("no\n", False)])
def test_on_a_terminal_it_is_asked_there(
    home: Home, monkeypatch: pytest.MonkeyPatch, answer: str, writes: bool
) -> None:
    ours, theirs = pty.openpty()
    try:
        monkeypatch.setattr(terminal, "TERMINAL", os.ttyname(theirs))
        os.write(ours, answer.encode())
        status, _, err = home.wrap("clock")
        assert (home.codex.read_bytes() != CODEX) is writes
        assert (status, err) == ((0, "") if writes else (2, "mcptap: nothing was changed\n"))
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_file_that_changes_while_it_is_asked_is_left(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(*words: object) -> str:
        home.codex.write_bytes(CODEX + b"# theirs\r\n")
        return "y"

    monkeypatch.setattr(terminal, "ask", answer)
    status, _, err = home.wrap("clock")
    assert status == 2
    assert "was changed by another program meanwhile; nothing is changed" in err
    assert home.codex.read_bytes() == CODEX + b"# theirs\r\n"
    assert not list((home.state / "wrapped").iterdir())


def test_a_name_that_stands_in_two_scopes_needs_a_choice(home: Home) -> None:
    status, _, err = home.wrap("files", "--yes")
    assert status == 2
    assert "'files' stands in 2 places" in err
    assert "--scope user" in err
    assert "--scope /shop" in err
    assert home.claude.read_bytes() == CLAUDE
    assert home.wrap("files", "--yes", "--scope", "/shop")[0] == 0
    claude = json.loads(home.claude.read_bytes())
    assert claude["mcpServers"]["files"]["command"] == "npx"
    assert claude["projects"]["/shop"]["mcpServers"]["files"]["command"] == home.mcptap


def test_what_is_behind_mcptap_stays_as_it_is(home: Home) -> None:
    assert home.wrap("clock", "--yes")[0] == 0
    written = home.codex.read_bytes()
    status, _, err = home.wrap("clock", "--yes")
    assert (status, home.codex.read_bytes()) == (2, written)
    assert "clock (Codex, user) is behind mcptap already; nothing is changed" in err
    assert home.wrap("--all", "--client", "codex", "--yes")[0] == 0
    assert home.codex.read_bytes() == written


def test_of_all_what_is_not_certain_is_left_and_the_others_are_done(home: Home) -> None:
    odd = b'[mcp_servers.odd]\n"comm\\u0061nd" = "x"\n'
    home.codex.write_bytes(CODEX + odd)
    os.link(home.claude, home.claude.with_name("second"))
    before = home.claude.read_bytes()
    status, _, err = home.wrap("--all", "--yes")
    assert status == 1
    assert "odd (Codex, user) is left as it is, since it can't be changed for certain" in err
    assert "hard links" in err
    assert home.claude.read_bytes() == before
    assert home.codex.read_bytes().endswith(odd)
    assert b"mcptap" in home.codex.read_bytes()
    home.claude.with_name("second").unlink()
    assert home.wrap("odd", "--yes")[0] == 2


def test_a_shared_file_has_to_be_named_and_is_warned_of(home: Home) -> None:
    status, _, err = home.wrap("notes", "--yes")
    assert (status, home.project.read_bytes()) == (2, PROJECT)
    assert "which others share" in err
    status, _, err = home.wrap("notes", "--config", ".mcp.json", "--client", "claude-code", "--yes")
    assert status == 0
    assert f"others do not have {home.mcptap}; --portable" in err
    assert "with a copy there, mcptap wrap --scope local leaves the shared file as it is" in err


def test_the_portable_form_is_the_bare_name(home: Home) -> None:
    status, _, err = home.run("wrap", "--portable", "--config", ".mcp.json", "--all", "--yes")
    assert status == 0
    assert json.loads(home.project.read_bytes())["mcpServers"]["notes"] == {
        "command": "mcptap",
        "args": ["run", "--name", "notes", "--", "notes-mcp"],
    }
    assert "needs mcptap on the PATH that their client gives" in err


def test_a_bare_name_is_warned_of_where_the_entry_sets_path(home: Home) -> None:
    home.project.write_bytes(b'{"mcpServers": {"notes": {"command": "n", "env": {"PATH": "/x"}}}}')
    _, _, err = home.run("wrap", "--portable", "--config", ".mcp.json", "--all", "--dry-run")
    assert "notes: the entry's env sets PATH" in err


def test_an_own_path_that_does_not_last_is_refused(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_command, "_program", lambda environ: "/home/a/.cache/uv/archive-v0/x/bin/mcptap")
    status, _, err = home.run("wrap", "--all", "--yes")
    assert (status, home.codex.read_bytes()) == (2, CODEX)
    assert "which will be cleaned up" in err


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (b'{"command": "s --token=x"}', "has a command with spaces, and there is no such file"),
        (b'{"command": ["npx"]}', "can't be used as it stands"),
        (b'{"command": "npx", "args": null}', "can't be used as it stands"),
        (b'{"command": "npx", "args": "-y"}', "can't be used as it stands"),
        (b'{"args": ["-y"]}', "can't be used as it stands"),
        (b'{"command": "x"}, "notes": {"command": "y"}', "the name 'notes' stands more than once"),
        (b'{"type": "local", "command": "x"}', "can't be used as it stands"),
    ],
)
def test_what_is_not_certain_is_refused(home: Home, entry: bytes, words: str) -> None:
    data = b'{"mcpServers": {"notes": %s}}' % entry
    home.project.write_bytes(data)
    named = ["--config", ".mcp.json", "--client", "claude-code", "--yes"]
    status, _, err = home.wrap("notes", *named)
    assert (status, home.project.read_bytes()) == (2, data)
    assert words in err or "stands in 2 places" in err
    status, out, _ = home.wrap("--all", *named)
    assert (status, home.project.read_bytes()) == (0, data)
    assert words in out


def test_a_command_with_spaces_that_is_a_file_is_none_of_a_shell(home: Home) -> None:
    (home.project.parent / "my server").write_text("")
    home.project.write_bytes(b'{"mcpServers": {"notes": {"command": "./my server"}}}')
    assert home.wrap("--all", "--config", ".mcp.json", "--client", "claude-code", "--yes")[0] == 0
    assert b'"--", "./my server"]' in home.project.read_bytes()


@pytest.mark.parametrize(
    ("data", "words"), [(b"\xff\xfe{\0}\0", "UTF-16"), (b'{"a": ', "no JSON"), (b"\xff{}", "UTF-8")]
)
def test_a_file_that_cannot_be_read_is_said_and_the_others_are_done(
    home: Home, data: bytes, words: str
) -> None:
    home.claude.write_bytes(data)
    status, _, err = home.wrap("--all", "--yes")
    assert status == 1
    assert words in err
    assert home.claude.read_bytes() == data
    assert home.codex.read_bytes() != CODEX


def test_names_and_all_and_neither_are_told_apart(home: Home) -> None:
    assert "leave one of them out" in home.wrap("a", "--all")[2]
    assert "needs the names of servers, or --all" in home.wrap()[2]
    assert "no server is called 'nothing'" in home.wrap("nothing")[2]
    assert "no client whose configuration is known" in home.wrap("--all", "--client", "emacs")[2]


def test_a_link_stays_one_and_what_it_leads_to_is_changed(home: Home) -> None:
    real = home.folder / "dotfiles.toml"
    home.codex.rename(real)
    home.codex.symlink_to(real)
    status, out, _ = home.wrap("clock", "--yes")
    assert (status, out.count(f"config.toml (which leads to {real})")) == (0, 2)
    assert home.codex.is_symlink()
    assert b"mcptap" in real.read_bytes()


def test_two_at_once_both_come_through(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.claude.write_bytes(b'{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}')
    statuses = []
    threads = [
        threading.Thread(target=lambda name=name: statuses.append(home.wrap(name, "--yes")[0]))
        for name in "ab"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [0, 0]
    servers = json.loads(home.claude.read_bytes())["mcpServers"]
    assert {name: entry["command"] for name, entry in servers.items()} == {"a": home.mcptap, "b": home.mcptap}


def test_backup_and_record_hold_the_exact_bytes_and_are_the_user_s_alone(home: Home) -> None:
    home.wrap("--all", "--yes")
    kept = [path for path in home.state.rglob("*") if path.is_file()]
    assert len(kept) == 5
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    backups = [path.read_bytes() for path in kept if path.parent.parent.name == "backups"]
    assert sorted(backups) == sorted([CLAUDE, CODEX])
