"""`mcptap logs` as a user runs it, in a home folder of the test's own."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mcptap.clients.configs import find
from mcptap.commands import main
from mcptap.commands.captures import logs

INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("GEMINI_DEBUG_LOG_FILE", raising=False)
    here = find.Surroundings(tmp_path, tmp_path, {}, "linux")
    monkeypatch.setattr(logs, "surroundings", lambda: here)
    return tmp_path


def keep(home: Path, name: str, text: str, second: int = 0) -> Path:
    path = home / ".config" / "Claude" / "logs" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_790_000_000 + second,) * 2)
    return path


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    assert main(["logs", "--json", *arguments]) == 0
    found: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_logs_come_newest_first_each_with_what_it_shows(home, capsys):
    old = keep(home, "mcp-server-old.log", f"{INITIALIZE}\n")
    new = keep(home, "mcp-server-new.log", "nothing of a session\n", second=9)
    found = listed(capsys)
    assert [one["path"] for one in found] == [str(new), str(old)]
    assert found[0]["outcome"] is None
    assert found[1]["client"] == "claude-desktop"
    assert "initialize" in str(found[1]["verdict"])
    assert [one["path"] for one in listed(capsys, "-n", "1")] == [str(new)]
    assert main(["logs", "-n", "1"]) == 0
    assert "1 older log not shown" in capsys.readouterr().out


def test_a_large_log_is_left_to_check(home, capsys, monkeypatch):
    keep(home, "mcp.log", f"{INITIALIZE}\n")
    monkeypatch.setattr(logs, "LARGE", 10)
    assert "check it by itself" in str(listed(capsys)[0]["verdict"])


def test_where_there_is_no_log_it_says_where_it_looked(home, capsys):
    assert main(["logs"]) == 0
    out = capsys.readouterr().out
    assert f"Claude Desktop: {home}/.config/Claude/logs/mcp*.log" in out
    assert "mcptap check FILE" in out


def test_a_client_whose_logs_are_not_known_is_refused(home, capsys):
    assert main(["logs", "--client", "nobody"]) == 2
    assert "there are claude-code" in capsys.readouterr().err


def test_links_of_one_file_are_listed_once_and_folders_never(home, capsys):
    path = keep(home, "mcp-server-a.log", f"{INITIALIZE}\n")
    (path.parent / "mcp-latest.log").symlink_to(path)
    (path.parent / "mcp-folder.log").mkdir()
    assert len(listed(capsys)) == 1
