"""A home with configurations of clients in it, and mcptap's commands run there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcptap.commands import main, terminal

CLAUDE = b"""{
  "tips": {"mcpServers": 9},
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "files-mcp"], "env": {"KEY": "hunter2-FAKE"}},
    "web": {"type": "http", "url": "https://h/?token=FAKETOKEN123456"}
  },
  "projects": {"/shop": {"mcpServers": {"files": {"command": "shop"}}}}
}"""
CODEX = b"[mcp_servers.clock]\r\ncommand = 'clock' # now\r\nenabled = false\r\n"
PROJECT = b'{"mcpServers": {"notes": {"command": "notes-mcp"}}}\n'


@dataclass
class Home:
    """The folder, with `.claude.json` and `.codex/config.toml` in it, and a project's `.mcp.json`."""

    folder: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def claude(self) -> Path:
        return self.folder / ".claude.json"

    @property
    def codex(self) -> Path:
        return self.folder / ".codex" / "config.toml"

    @property
    def project(self) -> Path:
        return self.folder / "project" / ".mcp.json"

    @property
    def state(self) -> Path:
        return self.folder / "state" / "mcptap" / "setup"

    @property
    def mcptap(self) -> str:
        return str(self.folder / "bin" / "mcptap")

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """Exit status, stdout and stderr of a command."""
        self.capsys.readouterr()
        status = main(list(arguments))
        return status, *self.capsys.readouterr()

    def wrap(self, *arguments: str) -> tuple[int, str, str]:
        """The same of `mcptap wrap`, which writes the path of this home's mcptap."""
        return self.run("wrap", "--mcptap", self.mcptap, *arguments)

    def files(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in (self.claude, self.codex, self.project)}


def make_home(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    home = Home(folder, capsys)
    for path, data in ((home.claude, CLAUDE), (home.codex, CODEX), (home.project, PROJECT)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    program = folder / "bin" / "mcptap"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "state"))
    monkeypatch.setenv("PATH", os.environ["PATH"])
    monkeypatch.chdir(home.project.parent)
    monkeypatch.setattr(terminal, "TERMINAL", "/no/such/terminal")
    return home
