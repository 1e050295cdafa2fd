"""Which client is at the other end."""

from __future__ import annotations

import re

import pytest

from mcptap.clients.recognition import Recognised, may_have_stopped, recognise
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.diagnosis import Diagnosis
from mcptap.recording.format.model import Header
from tests.diagnosis.sessions import event, line, message

NAMES = {
    "claude-code": "claude-code",
    "Claude Code": "claude-code",
    "claude-ai": "claude-desktop",
    "claude.exe": "claude-desktop",
    "codex-mcp-client": "codex",
    "goose": "goose",
    "gemini-cli-mcp-client-files": "gemini-cli",
    "opencode": "opencode",
    "Cline": "cline",
    "Roo Code": "roo",
    "cursor-vscode": "cursor",
    "Visual Studio Code": "vscode",
    "code": "vscode",
    "windsurf-client": "windsurf",
    "Zed": "zed",
    "continue-client": "continue",
    "github-copilot-developer": "copilot-cli",
    "mcp-inspector": "inspector",
}


def recognised(name: str, version: str = "1.0", process: str = "", method: str = "initialize") -> Recognised:
    params = {"protocolVersion": "2025-11-25", "capabilities": {}}
    info = {"name": name, "version": version} if name else {}
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": info,
    }
    asked = {"_meta": meta} if method == "server/discover" else {**params, "clientInfo": info}
    diagnosis = Diagnosis(Header({"parent": {"name": process, "pid": 1}}))
    diagnosis.feed(line(2, "c2s", message(id=0, method=method, params=asked), 1000))
    return recognise(diagnosis.session)


@pytest.mark.parametrize(("name", "client"), NAMES.items())
def test_a_client_is_known_by_the_name_it_gives(name, client):
    assert [row.id for row in CLIENTS.values() if row.names and re.search(row.names, name, re.I)] == [client]
    found = recognised(name, "7.1", process="python3")
    assert found.client is CLIENTS[client]
    assert (found.name, found.version) == (CLIENTS[client].name, "7.1")


@pytest.mark.parametrize(
    "name",
    [
        *("root-agent", "zedtool", "gooseberry", "lsp-inspector", "cursory", "continuous", "codexify"),
        *("not-gemini-cli", "my-claude-code-fork", "copilotage", "clinebot", "opencoder", "rooster"),
    ],
)
def test_a_name_that_only_resembles_that_of_a_client_is_unknown(name):
    assert recognised(name).client is None


def test_a_client_without_a_name_is_known_by_its_process():
    found = recognised("", process="/usr/bin/codex")
    assert found.client is CLIENTS["codex"]
    assert found.libraries == (CLIENTS["rust-sdk"],)


def test_a_name_that_is_not_known_stays_and_its_interpreter_speaks_for_libraries():
    found = recognised("my-agent", "3", process="python3.12")
    assert (found.name, found.version, found.client, found.interpreter) == ("my-agent", "3", None, "Python")
    assert [library.id for library in found.libraries] == ["python-sdk-1", "python-sdk-2"]
    assert recognised("my-agent", process="fish").libraries == ()


def test_a_library_that_names_itself_is_told_by_its_opening():
    found = recognised("mcp", "0.1.0")
    assert (found.name, found.client) == ("the Python SDK", None)
    assert len(found.libraries) == 2
    assert recognised("mcp", "0.1.0", method="server/discover").client is CLIENTS["python-sdk-2"]
    assert recognised("mcp", "2.0").name == "mcp"


@pytest.mark.parametrize(
    ("client", "signal", "expected"),
    [("opencode", "SIGTERM", True), ("opencode", "SIGSEGV", False), ("cursor", "SIGTERM", False)],
)
def test_a_signal_past_the_tap_may_be_that_of_a_client_that_sends_such(client, signal, expected):
    diagnosis = Diagnosis(None)
    diagnosis.feed(event(2, "exit", 1000, signal=signal))
    assert may_have_stopped(CLIENTS[client], diagnosis.session) is expected
    assert not may_have_stopped(None, diagnosis.session)
