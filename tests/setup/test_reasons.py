"""Why entries are left as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcptap.setup.reasons import is_command_line, why_not_unwrapped, why_not_wrapped, why_shared
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
    assert "that is not this tool" in why_not_unwrapped(entries["o"])
    assert why_not_unwrapped(entries["n"]) == "is not behind mcptap"


def test_a_file_that_git_tracks_is_shared(tmp_path: Path) -> None:
    _, entries = read("cursor", b'{"mcpServers": {"n": {"command": "n"}}}')
    assert why_shared(str(tmp_path / "mcp.json"), entries["n"]) == ""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").write_bytes(b"DIRC\0\0\0\2 \0\x08mcp.json\0")
    assert f"git tracks in {tmp_path}" in why_shared(str(tmp_path / "mcp.json"), entries["n"])
