"""Real clients, offline, in an empty home: which of several configurations they use is what mcptap says."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mcptap.clients.configs.contents import entries_of, hidden_by
from mcptap.clients.configs.find import config_files
from mcptap.clients.table import CLIENTS
from tests.real.test_wrapped_clients import CLIENTS as PACKAGES
from tests.real.test_wrapped_clients import program_of

Write = Callable[[str, object], None]


def plain(name: str) -> dict[str, object]:
    return {"same": {"command": "/bin/false", "args": [f"of-{name}"]}}


def opencode(name: str) -> dict[str, object]:
    return {"mcp": {"same": {"type": "local", "command": ["/bin/false", f"of-{name}"], "enabled": False}}}


def codex(name: str, more: str = "") -> str:
    return f'[mcp_servers.same]\ncommand = "/bin/false"\nargs = ["of-{name}"]\n{more}'


def claude_user(top: Path) -> object:
    names = {"repo/sub": "sub", "repo": "repo", "lone": "lone", "lone/a": "a"}
    folders = {str(top / folder): {"mcpServers": plain(name)} for folder, name in names.items()}
    return {"mcpServers": plain("user"), "projects": folders}


TRUSTED = (
    '[projects."{top}/repo"]\ntrust_level = "trusted"\n[projects."{top}/lone"]\ntrust_level = "trusted"\n'
)
LAYOUTS: dict[str, Callable[[Path], dict[str, object]]] = {
    "claude-code": lambda top: {"home/.claude.json": claude_user(top)},
    "codex": lambda top: {
        "home/.codex/config.toml": codex("user", TRUSTED.format(top=top)),
        "repo/.codex/config.toml": codex("repo"),
        "lone/.codex/config.toml": codex("lone"),
    },
    "gemini-cli": lambda top: {
        "home/.gemini/settings.json": {"mcpServers": plain("user")},
        "home/.gemini/trustedFolders.json": {str(top): "TRUST_FOLDER"},
        "repo/.gemini/settings.json": {"mcpServers": plain("repo")},
        "lone/a/.gemini/settings.json": {"mcpServers": plain("lone-a")},
    },
    "opencode": lambda top: {
        "home/.config/opencode/opencode.json": opencode("user"),
        "home/.config/opencode/opencode.jsonc": opencode("user-c"),
        "repo/opencode.jsonc": opencode("repo-c"),
        "repo/sub/opencode.json": opencode("sub"),
        "lone/.opencode/opencode.json": opencode("lone-dot"),
        "lone/a/.opencode/opencode.jsonc": opencode("a-dot"),
    },
}


@pytest.mark.parametrize("folder", ["repo/sub", "lone/a"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_the_server_that_counts_is_the_one_that_the_client_takes(
    name: str, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = program_of(PACKAGES[name])
    for file, content in LAYOUTS[name](tmp_path).items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    cwd = tmp_path / folder
    cwd.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "init", "-q", str(tmp_path / "repo")], check=True)
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG"):
        monkeypatch.delenv(variable, raising=False)
    environ = {**os.environ, "HOME": str(tmp_path / "home"), "DISABLE_AUTOUPDATER": "1"}

    every = config_files(CLIENTS[name], tmp_path / "home", cwd, environ, "linux")
    entries = [entry for found in every for entry in entries_of(found).entries]
    hidden = hidden_by(entries, str(cwd))
    counting = [
        entry.args[-1]
        for entry in entries
        if entry not in hidden and (not entry.project or entry in set(hidden.values()))
    ]
    done = subprocess.run(
        [program, "mcp", "list"], cwd=cwd, env=environ, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, timeout=90, check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    taken = re.findall(r"^\W*same\b.*?\n?.*?(of-[\w-]+)", said, re.MULTILINE)
    assert taken == counting, said
