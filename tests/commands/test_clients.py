"""`mcptap clients`: what is configured here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.commands import main
from tests.helpers import END, START_WALL_US, handshake, record

NOTES = {"command": "uv", "args": ["run", "notes", "${ROOM}"]}
SERVERS = {"mcpServers": {"notes": NOTES, "web": {"url": "u"}}}


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, below a home folder of the test's own."""
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG", "ROOM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path / "temp"))
    work = tmp_path / "home" / "work"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    return work


def test_files_and_servers_are_listed_with_their_last_session(work, tmp_path, capsys):
    (work / ".mcp.json").write_text(json.dumps(SERVERS))
    file = tmp_path / "state" / "mcptap" / "recordings" / "notes" / "20261129T211701.000000Z-1.jsonl"
    record(file, [*handshake(), *END], argv=["uv", "run", "notes", "7"], wall=START_WALL_US)
    assert main(["clients", "--client", "claude-code"]) == 0
    text = capsys.readouterr().out
    assert "Claude Code, project: ~/work/.mcp.json" in text
    row = next(line for line in text.splitlines() if line.startswith("  notes"))
    assert row.split()[1:3] == ["not", "wrapped"]
    assert row.endswith("none")
    assert main(["clients", "--json", "--client", "claude-code"]) == 0
    (config,) = json.loads(capsys.readouterr().out)
    notes, web = config["servers"]
    assert notes["recording"]["path"] == str(file)
    assert notes["recording"]["outcome"] == "healthy"
    assert (web["state"], web["url"], web["recording"]) == ("remote", "u", None)


def test_one_file_may_be_named(work, capsys):
    (work / "mine.json").write_text(json.dumps(SERVERS))
    assert main(["clients", "--config", "mine.json"]) == 2
    assert "say --client" in capsys.readouterr().err
    assert main(["clients", "--config", "mine.json", "--client", "cursor"]) == 0
    assert "Cursor, given: ~/work/mine.json" in capsys.readouterr().out


def test_what_can_not_be_read_is_told_and_stops_nothing(work, capsys):
    (work / ".mcp.json").write_bytes(b"\xff\xfe{\x00}\x00")
    (work / ".cursor").mkdir()
    (work / ".cursor" / "mcp.json").write_text(json.dumps(SERVERS))
    assert main(["clients"]) == 0
    text = capsys.readouterr().out
    assert "it is UTF-16; save it as UTF-8" in text
    assert "Cursor, project: ~/work/.cursor/mcp.json" in text


def test_without_any_it_is_said_what_to_do(work, capsys):
    assert main(["clients", "--client", "codex"]) == 0
    assert "there is no configuration of Codex for" in capsys.readouterr().err
    assert main(["clients", "--client", "none"]) == 2
    told = capsys.readouterr().err
    assert "--client 'none' is no client whose configuration is known; known: amp, " in told
