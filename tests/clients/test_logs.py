"""Where clients keep their logs."""

from __future__ import annotations

from pathlib import Path, PureWindowsPath

import pytest

from mcptap.clients.configs.find import Surroundings
from mcptap.clients.logs import find_logs, patterns
from mcptap.clients.table import CLIENTS

HOME = Path("/home/you")


def of(client: str, platform: str, environ: dict[str, str] | None = None) -> list[str]:
    return patterns(CLIENTS[client], Surroundings(HOME, HOME / "sea", environ or {}, platform))


def test_each_system_has_its_own_places():
    assert of("claude-desktop", "linux") == ["/home/you/.config/Claude/logs/mcp*.log"]
    assert of("claude-desktop", "darwin") == ["/home/you/Library/Logs/Claude/mcp*.log"]
    windows = of("claude-desktop", "win32")
    assert [PureWindowsPath(path).name for path in windows] == ["mcp*.log", "mcp*.log"]
    assert "AppData/Roaming/Claude" in windows[0]


def test_a_variable_names_the_file_where_it_is_set():
    assert of("gemini-cli", "linux") == []
    named = of("gemini-cli", "linux", {"GEMINI_DEBUG_LOG_FILE": "debug.log"})
    assert named == ["/home/you/sea/debug.log"]


@pytest.mark.parametrize("client", [client for client in CLIENTS.values() if client.habits.log_files.value])
def test_known_places_are_absolute_on_each_system(client):
    for platform in ("linux", "darwin", "win32"):
        for pattern in patterns(client, Surroundings(HOME, HOME, {}, platform)):
            assert pattern.startswith("/home/you/")


def test_files_are_found_below_hidden_folders_by_pattern(tmp_path):
    folder = tmp_path / ".cache" / "claude-cli-nodejs" / "-home-you-sea" / "mcp-logs-harbour"
    folder.mkdir(parents=True)
    (folder / "2026-03-14T09-26-53-589Z.jsonl").write_text("{}\n")
    (tmp_path / ".cache" / "claude-cli-nodejs" / "-home-you-sea" / "other.jsonl").write_text("{}\n")
    (found,) = find_logs(Surroundings(tmp_path, tmp_path, {}, "linux"), "claude-code")
    assert found.path.endswith("mcp-logs-harbour/2026-03-14T09-26-53-589Z.jsonl")
    assert found.size == 3
