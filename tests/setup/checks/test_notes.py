from __future__ import annotations

from mcptap.diagnosis.engine.finding import Level
from tests.setup.machines import findings, found_in, worse

SERVER = {"command": "npx", "args": ["-y", "x"]}


def test_approval_logs_and_what_comes_after_a_change_are_worth_a_note():
    found = found_in("claude-code", SERVER)
    assert {"not-approved", "own-log", "own-editor", "after-change"} <= found.keys()
    assert worse(found) == []
    assert "not-approved" not in found_in("claude-code", SERVER, shared=False)


def test_a_server_that_is_switched_off_is_told():
    assert "disabled" in found_in("cline", {**SERVER, "disabled": True}, shared=False)


def test_a_bridge_is_told():
    server = {"command": "npx", "args": ["-y", "mcp-remote@latest", "https://x.example"]}
    assert found_in("claude-code", server)["bridge"].level is Level.INFO


def test_a_setting_that_brings_in_servers_is_told():
    key = "chat.mcp.discovery.enabled"
    data = {"servers": {}, key: True}
    assert "imports" in {one.check for one in findings("vscode", data)}
    assert "imports" not in {one.check for one in findings("vscode", {**data, key: False})}


def test_a_file_that_running_clients_write_is_a_warning_if_there_is_something_to_mend():
    path = "/home/sam/.claude.json"
    healthy = found_in("claude-code", SERVER, shared=False, path=path)
    assert healthy["rewritten"].level is Level.INFO
    ill = found_in("claude-code", {"command": "no-such"}, shared=False, path=path)
    assert ill["rewritten"].level is Level.WARNING
    assert "rewritten" not in found_in("claude-code", SERVER)
