"""`mcptap doctor --fix`: what is shown, asked and written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.commands import main, terminal

TEXT = """{
  "mcpServers": {
    "one": {"command": "a-server", "args": ["~/x"], "env": {"API_TOKEN": 1234567890123}}
  }
}"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path.resolve()
    program = home / "bin" / "a-server"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (home / "shop").mkdir()
    for name, value in {"HOME": home, "PATH": home / "bin", "XDG_STATE_HOME": home / "state"}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.chdir(home / "shop")
    config = home / ".claude.json"
    config.write_text(TEXT)
    config.chmod(0o600)
    return home


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> list[str]:
    asked: list[str] = []
    monkeypatch.setattr(terminal, "ask", lambda lines, question, without: asked.append(question) or text)
    return asked


def test_after_a_yes_the_file_is_repaired_and_what_stood_there_is_kept(home, monkeypatch, capsys):
    asked = answer(monkeypatch, "y")
    assert main(["doctor", "--client", "claude-code", "--fix"]) == 0
    out, err = capsys.readouterr()
    assert asked == ["Make 2 repairs? [y/N] "]
    server = json.loads((home / ".claude.json").read_text())["mcpServers"]["one"]
    assert server == {"command": "a-server", "args": [f"{home}/x"], "env": {"API_TOKEN": "1234567890123"}}
    assert "    - ~" in out
    assert f"    + {home}" in out
    assert "nothing is wrong with its 1 server" in out
    assert "1234567890123" not in out + err
    backup = Path(err.rpartition("as it was: ")[2].strip())
    assert backup.read_text() == TEXT


def test_without_a_yes_nothing_is_written(home, monkeypatch, capsys):
    answer(monkeypatch, "")
    assert main(["doctor", "--fix"]) == 2
    assert (home / ".claude.json").read_text() == TEXT
    assert "nothing was changed" in capsys.readouterr().err


def test_yes_asks_nothing_and_the_result_for_programs_stands_alone_on_stdout(home, capsys):
    assert main(["doctor", "--fix", "--yes", "--json"]) == 0
    assert sorted(json.loads(capsys.readouterr().out)["repaired"]) == ["env-value", "tilde"]


def test_a_file_that_others_share_is_repaired_only_if_it_is_named(home, capsys):
    shared = home / "shop" / ".mcp.json"
    shared.write_text('{"mcpServers": {"two": {"command": ["a-server"]}}}')
    main(["doctor", "--fix", "--yes"])
    assert f"{shared} is a project's file, which others share" in capsys.readouterr().err
    assert "[" in shared.read_text()
    assert main(["doctor", "--fix", "--yes", "--config", ".mcp.json"]) == 0
    assert json.loads(shared.read_text())["mcpServers"]["two"] == {"command": "a-server", "args": []}


def test_where_nothing_has_one_certain_repair_that_is_said(home, capsys):
    (home / ".claude.json").write_text('{"mcpServers": {"one": {"command": "gone"}}}')
    assert main(["doctor", "--fix", "--yes"]) == 1
    assert "there is nothing that has one certain repair" in capsys.readouterr().err
