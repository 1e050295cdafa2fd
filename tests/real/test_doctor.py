"""What doctor says of a configuration, and what the real client does with it: offline, in an empty home."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from mcptap.commands import main
from tests.real.test_wrapped_clients import CLIENTS, program_of

SERVERS = {
    "spaces": {"command": "python3 server.py"},
    "array": {"command": ["npx", "-y", "x"]},
    "text": {"command": "npx", "args": "-y"},
    "number": {"command": "npx", "args": ["-y", "x"], "env": {"PORT": 1}},
    "tilde": {"command": "~/bin/x"},
    "local": {"type": "local", "command": "npx"},
    "remote": {"url": "https://mcp.example.com/x"},
    "path": {"command": "python3", "args": ["-c", "1"], "env": {"PATH": "/none"}},
    "gone": {"command": "no-such-program"},
}
"""Each of them is an error, and none can be started."""

LOADED = [
    ("codex", '[mcp_servers.a]\ncommand = "true"\n', True),
    ("codex", '[mcp_servers.a]\nargs = ["x"]\n', False),
    ("codex", '[mcp_servers.a]\ncommand = "true"\nurl = "https://mcp.example.com"\n', False),
    ("gemini-cli", '{"mcpServers": {}} // mine', True),
    ("gemini-cli", '{"mcpServers": {},}', False),
    ("opencode", '{"mcp": {"servers": {"a": {"type": "local", "command": ["true"]}},},}', True),
    (
        "opencode",
        '{"mcp": {"timeout": 9000, "servers": {"a": {"type": "local", "command": ["true"]}}}}',
        False,
    ),
    ("opencode", '{"mcp": {"a": {"type": "local", "command": "true"}}}', False),
]
"""A configuration, and whether the client starts with it."""


def at_home(client: str, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DISABLE_AUTOUPDATER", "1")
    config = tmp_path / CLIENTS[client].config
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(content)
    config.chmod(0o600)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")


def listed(program: str) -> tuple[int, str]:
    done = subprocess.run(
        [program, "mcp", "list"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90,
        env=os.environ, check=False,
    )  # fmt: skip
    return done.returncode, re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


def errors(client: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    """The servers about which there are errors; an empty name is the file."""
    capsys.readouterr()
    main(["doctor", "--client", client, "--json", "--min-level", "error"])
    return {one["server"] or "" for one in json.loads(capsys.readouterr().out)["findings"]}


def test_what_is_an_error_is_what_the_client_skips_or_can_not_start(tmp_path, monkeypatch, capsys):
    program = program_of(CLIENTS["claude-code"])
    at_home("claude-code", json.dumps({"mcpServers": SERVERS}), tmp_path, monkeypatch)
    assert errors("claude-code", capsys) == set(SERVERS)
    _, said = listed(program)
    failed = set(re.findall(r"^(\w+): .*✘ Failed to connect", said, re.M))
    skipped = set(re.findall(r"mcpServers\.(\w+): Skipped", said))
    assert failed | skipped == set(SERVERS), said


@pytest.mark.parametrize(("client", "content", "starts"), LOADED)
def test_what_stops_the_client_is_an_error(client, content, starts, tmp_path, monkeypatch, capsys):
    program = program_of(CLIENTS[client])
    at_home(client, content, tmp_path, monkeypatch)
    assert (errors(client, capsys) == set()) is starts
    status, said = listed(program)
    assert (status == 0) is starts, said
