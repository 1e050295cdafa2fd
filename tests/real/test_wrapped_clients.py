"""Real clients, offline, in an empty home: they load a wrapped configuration and start the server in it.

They are large, so nothing is installed for them: `npm install --prefix ~/.cache/mcptap-tests/clients` with
the packages named below, or have them on the PATH.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from mcptap.captures.summary import summarise
from mcptap.commands import main
from mcptap.recording.library import search
from tests.real.environments import FOLDER

PROGRAMS = FOLDER / "clients" / "node_modules" / ".bin"
MCPTAP = Path(sys.executable).with_name("mcptap")
SERVER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    method, id = message.get("method"), message.get("id")
    if method == "initialize":
        version = message["params"]["protocolVersion"]
        info = {"name": "clock", "version": "1"}
        result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    elif method == "tools/list":
        result = {"tools": [{"name": "now", "description": "The time.", "inputSchema": {"type": "object"}}]}
    elif method == "ping":
        result = {}
    elif id is None:
        continue
    else:
        error = {"code": -32601, "message": "Method not found"}
        print(json.dumps({"jsonrpc": "2.0", "id": id, "error": error}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": id, "result": result}), flush=True)
"""


@dataclass(frozen=True)
class Wrapped:
    """A client: its package, program and configuration, what lists servers, and what it calls itself."""

    package: str
    program: str
    config: str
    content: str
    """`%s` stands for the command line as JSON strings, parted by a comma; the first is the program."""
    recorded: str = ""
    """Empty: it does not start servers for that."""
    keeps_file: bool = True


CLIENTS = {
    "claude-code": Wrapped(
        "@anthropic-ai/claude-code",
        "claude",
        ".claude.json",
        '{"mcpServers": {"clock": {"command": %s, "args": [%s]}}}',
        recorded="claude-code",
        keeps_file=False,
    ),
    "codex": Wrapped(
        "@openai/codex",
        "codex",
        ".codex/config.toml",
        "[mcp_servers.clock] # mine\r\ncommand = %s\r\nargs = [%s]\r\n",
    ),
    "gemini-cli": Wrapped(
        "@google/gemini-cli",
        "gemini",
        ".gemini/settings.json",
        '{ // mine\n "mcpServers": {"clock": {"command": %s, "args": [%s]}}}',
        recorded="mcp-test-client",
    ),
    "opencode": Wrapped(
        "opencode-ai",
        "opencode",
        ".config/opencode/opencode.jsonc",
        '{"$schema": "https://opencode.ai/config.json", // mine\n'
        '"mcp": {"clock": {"type": "local", "command": [%s, %s],},},}',
        recorded="opencode",
    ),
}


def program_of(client: Wrapped) -> str:
    inside = PROGRAMS / client.program
    found = str(inside) if inside.exists() else shutil.which(client.program)
    if not found or not shutil.which("node"):
        pytest.skip(f"not available here: npm install --prefix {PROGRAMS.parents[1]} {client.package}")
    return found


@pytest.mark.parametrize("name", CLIENTS)
def test_a_wrapped_configuration_is_loaded_and_the_server_recorded(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = CLIENTS[name]
    program = program_of(client)
    if not MCPTAP.exists():
        pytest.skip("mcptap is not installed as a command beside this Python")
    home, project = tmp_path / "home", tmp_path / "home" / "project"
    project.mkdir(parents=True)
    (tmp_path / "server.py").write_text(SERVER)
    config = home / client.config
    config.parent.mkdir(parents=True, exist_ok=True)
    before = client.content % (json.dumps(sys.executable), json.dumps(str(tmp_path / "server.py")))
    config.write_bytes(before.encode())
    (home / ".gemini").mkdir(exist_ok=True)
    (home / ".gemini" / "trustedFolders.json").write_text(json.dumps({str(project): "TRUST_FOLDER"}))
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(project)

    options = ["--client", name, "--yes", "clock"]
    assert main(["wrap", "--mcptap", str(MCPTAP), *options]) == 0
    done = subprocess.run(
        [program, "mcp", "list"], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=90,
        env={**os.environ, "DISABLE_AUTOUPDATER": "1"}, check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert f"{MCPTAP}" in said
    sessions = [summarise(path) for path in search().paths]
    assert {session.client_name.removesuffix("-client") for session in sessions} == (
        {client.recorded.removesuffix("-client")} if client.recorded else set()
    )
    if client.recorded:
        assert "connected" in said.lower()
        assert all(session.name == "clock" and session.messages >= 3 for session in sessions)

    assert main(["unwrap", *options]) == 0
    if client.keeps_file:
        assert config.read_bytes() == before.encode()
    else:
        servers = json.loads(config.read_bytes())["mcpServers"]
        assert servers == json.loads(before)["mcpServers"]
