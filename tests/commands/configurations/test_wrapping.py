"""What `wrap` and `setup` write for mcptap, and what they warn of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.configurations.homes import Home, make_home


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    return make_home(tmp_path.resolve(), monkeypatch, capsys)


def test_diverting_is_an_option_of_what_is_written(home: Home) -> None:
    assert home.wrap("clock", "--divert", "--yes")[0] == 0
    assert b'"--name", "clock", "--divert", "--"' in home.codex.read_bytes()


def test_what_the_client_needs_then_is_said(home: Home) -> None:
    _, out, _ = home.wrap("--all", "--yes")
    assert "Claude Code: reconnect the server in /mcp, or start it anew" in out
    assert "Codex: start it anew" in out
