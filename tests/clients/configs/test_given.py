"""Whose a file is that somebody names."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.clients.configs.find import Surroundings
from mcptap.clients.configs.given import given, named_client
from mcptap.clients.table import CLIENTS
from mcptap.errors import UserError

SERVERS = '{"mcpServers": {"a": {"command": "a"}}}'


@pytest.fixture
def around(tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return Surroundings(tmp_path / "home", tmp_path / "work", {}, "linux")


def file(around: Surroundings, name: str, text: str = SERVERS) -> Path:
    path = around.cwd.parent / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("name", "text", "client", "scope"),
    [
        ("home/.cursor/mcp.json", SERVERS, "cursor", "user"),
        ("work/.cursor/mcp.json", SERVERS, "cursor", "project"),
        ("else/.cursor/mcp.json", SERVERS, "cursor", "project"),
        ("home/.claude.json", SERVERS, "claude-code", "user and local"),
        ("copy/.claude.json", SERVERS, "claude-code", "user and local"),
        ("work/.mcp.json", SERVERS, "claude-code", "project"),
        ("else/.mcp.json", SERVERS, "claude-code", "project"),
        ("else/.mcp.json", '{"servers": {"a": {"command": "a"}}}', "claude-code", "project"),
        ("else/.warp/.mcp.json", SERVERS, "warp", "project"),
        ("else/.github/mcp.json", SERVERS, "copilot-cli", "repository"),
        ("else/mcp.json", '{"servers": {"a": {"command": "a"}}}', "vscode", "user"),
        ("Code/User/profiles/1a/mcp.json", '{"servers": {"a": {"command": "a"}}}', "vscode", "profile"),
        ("else/settings.json", '{"context_servers": {}}', "zed", "user"),
        ("else/settings.json", '{"amp.mcpServers": {}}', "amp", "user"),
        ("else/.gemini/settings.json", '{"servers": {}}', "gemini-cli", "project"),
        ("else/opencode.json", "{}", "opencode", "project"),
        ("else/.continue/mcpServers/any.json", SERVERS, "continue", "project"),
        ("Library/Application Support/Claude/claude_desktop_config.json", "{}", "claude-desktop", "user"),
    ],
)
def test_name_folder_and_keys_tell_the_client(around, name, text, client, scope):
    found = given(file(around, name, text), None, around)
    assert (found.client.id, found.scope) == (client, scope)
    assert found.exists


def test_a_relative_path_is_taken_from_the_folder(around):
    file(around, "work/.mcp.json")
    assert given(Path(".mcp.json"), None, around).path == around.cwd / ".mcp.json"


def test_a_file_that_may_be_several_clients_is_refused_and_the_client_may_be_said(around):
    path = file(around, "else/mcp.json")
    with pytest.raises(UserError, match=r"may be that of .*Cursor.* or .*; say which by --client \("):
        given(path, None, around)
    assert given(path, CLIENTS["cursor"], around).client.id == "cursor"


def test_a_name_that_nobody_has_needs_the_client(around):
    path = file(around, "else/mine.json")
    with pytest.raises(UserError, match=r"no client that mcptap knows has a configuration called mine.json"):
        given(path, None, around)
    found = given(path, CLIENTS["claude-code"], around)
    assert [one.at for one in found.files] == [("mcpServers",), ("projects.*.mcpServers",)]


def test_a_borrowed_file_is_the_borrowers_if_that_is_said(around):
    path = file(around, "work/.mcp.json")
    assert given(path, CLIENTS["copilot-cli"], around).scope == "repository"
    assert given(path, CLIENTS["visual-studio"], around).scope == "solution"


def test_a_file_that_is_not_there_is_said(around):
    with pytest.raises(UserError, match=r"there is no file .*none\.json; name a client's configuration"):
        given(Path("none.json"), None, around)
    with pytest.raises(UserError, match="there is no file"):
        given(around.cwd, None, around)


def test_a_client_is_named_by_its_id():
    assert named_client("cursor") is CLIENTS["cursor"]
    assert named_client(None) is None


@pytest.mark.parametrize("name", ["emacs", "Cursor", "typescript-2"])
def test_of_another_id_the_known_ones_are_told(name):
    with pytest.raises(UserError, match=r"is no client whose configuration is known; known: amp, .*cursor"):
        named_client(name)


def test_what_the_environment_names_is_that_clients(around):
    path = file(around, "else/mine.json")
    moved = Surroundings(around.home, around.cwd, {"CLINE_MCP_SETTINGS_PATH": str(path)}, "linux")
    assert given(path, None, moved).client.id == "cline"
