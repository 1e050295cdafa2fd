"""Why entries are left as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.clients.configs.find import Surroundings
from mcptap.clients.table import CLIENTS
from mcptap.setup.opened import open_found
from mcptap.setup.reasons import (
    is_command_line,
    why_not_unwrapped,
    why_not_wrapped,
    why_shared,
    why_uncertain,
)
from tests.setup.test_edits import read

ZED = b'{"context_servers": {"e": {"settings": {}}, "r": {"url": "https://h"}, "p": {"command": "x"}}}'


def test_what_has_no_command_in_the_file_is_left() -> None:
    _, entries = read("zed", ZED)
    assert "extension of Zed" in why_not_wrapped(entries["e"], "/")
    assert "reached by a URL" in why_not_wrapped(entries["r"], "/")
    assert why_not_wrapped(entries["p"], "/") == ""


def test_in_an_array_spaces_are_part_of_the_program() -> None:
    _, entries = read("opencode", b'{"mcp": {"x": {"type": "local", "command": ["my server", "-y"]}}}')
    assert why_not_wrapped(entries["x"], "/") == ""


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npx", False),
        ("npx -y x", True),
        ("my server", False),
        ("./my server", False),
        ("$PLACE/my server", False),
        ("no server", True),
        (r"C:\Program Files\x.exe", False),
        (r"C:\Program Files\x.exe --port 1", True),
    ],
)
def test_spaces_are_told_from_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, expected: bool
) -> None:
    (tmp_path / "my server").write_text("")
    monkeypatch.setenv("PLACE", str(tmp_path))
    assert is_command_line(command, str(tmp_path)) is expected


def test_another_mcptap_is_told_from_none() -> None:
    data = b'{"mcpServers": {"o": {"command": "/x/mcptap", "args": ["serve"]}, "n": {"command": "n"}}}'
    _, entries = read("cursor", data)
    assert "it may be another tool of this name" in why_not_unwrapped(entries["o"])
    assert why_not_unwrapped(entries["n"]) == "is not behind mcptap"


def test_without_the_separator_it_is_neither_wrapped_again_nor_taken_out() -> None:
    data = b'{"mcpServers": {"o": {"command": "/x/mcptap", "args": ["run", "--quiet", "node", "x.js"]}}}'
    entry = read("cursor", data)[1]["o"]
    assert why_not_wrapped(entry, "/") == why_not_unwrapped(entry)
    assert "without a -- before the server's command" in why_not_wrapped(entry, "/")


@pytest.mark.parametrize(
    ("data", "reasons"),
    [
        (
            b'{"projects": {"/p": {"mcpServers": {"x": {"command": "a"}}},'
            b' "/p": {"mcpServers": {"x": {"command": "b"}}}}}',
            ["stands where a key stands twice", ""],
        ),
        (b'{"mcpServers": {"x": {"command": "a", "command": "b"}}}', ["has the key 'command' twice"]),
        (b'{"mcpServers": {"x": {"args": [], "command": "a", "args": []}}}', ["has the key 'args' twice"]),
        (b'{"mcpServers": {"x": {"command": "a", "env": {}, "env": {}}}}', [""]),
    ],
)
def test_what_stands_twice_is_uncertain(tmp_path: Path, data: bytes, reasons: list[str]) -> None:
    (tmp_path / ".claude.json").write_bytes(data)
    (opened,) = open_found(CLIENTS["claude-code"], Surroundings(tmp_path, tmp_path, {})).opened
    found = [why_uncertain(opened.document, entry) for entry in opened.contents.entries]
    assert [why.partition(",")[0] for why in found] == reasons


def test_a_file_that_git_tracks_is_shared(tmp_path: Path) -> None:
    _, entries = read("cursor", b'{"mcpServers": {"n": {"command": "n"}}}')
    assert why_shared(str(tmp_path / "mcp.json"), entries["n"]) == ""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_bytes(b"DIRC\0\0\0\2 \0\x08mcp.json\0")
    assert f"git tracks in {tmp_path}" in why_shared(str(tmp_path / "mcp.json"), entries["n"])
