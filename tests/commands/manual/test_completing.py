"""What may come next on a command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mcptap.commands import SUMMARIES
from mcptap.commands.manual.completing import COMMANDS_TOO, FILES, complete
from mcptap.commands.manual.parsers import parser_of
from tests.helpers import END, record


def offered(*words: str) -> list[str]:
    return [word for word, _ in complete(list(words))]


def test_first_a_command() -> None:
    assert offered("") == [*SUMMARIES, "help", "--help", "--version"]
    assert offered("se") == ["setup", "send"]
    assert offered("help", "se") == ["setup", "send"]
    assert offered("none", "") == []
    assert complete([]) == complete([""])


@pytest.mark.parametrize("name", SUMMARIES)
def test_each_option_of_each_command_is_offered(name: str) -> None:
    options = {
        flag
        for action in parser_of(name)._actions
        if action.help != "==SUPPRESS=="
        for flag in action.option_strings
        if flag.startswith("--")
    }
    assert options <= set(offered(name, "--"))
    assert all(said for word, said in complete([name, "--"]) if word in options)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("show", "x", "--raw", ""), ["c2s", "s2c", "stderr", "delivered"]),
        (("show", "x", "--raw", "=", "s"), ["s2c", "stderr"]),
        (("check", "--fail-on", "e"), ["error"]),
        (("check", "--only", "stdout-g"), ["stdout-glued"]),
        (("check", "--ignore", "stdout-g"), ["stdout-glued"]),
        (("diff", "--ignore", ""), [FILES]),
        (("rules", "stdout-g"), ["stdout-glued"]),
        (("mock", "x", "--fault", "delayed"), ["delayed-answer"]),
        (("probe", "--as", "claude-d"), ["claude-desktop"]),
        (("probe", "--as", "al"), ["all"]),
        (("clients", "--client", "claude-d"), ["claude-desktop"]),
        (("completion", ""), ["bash", "zsh", "fish"]),
        (("man", "ru"), ["run", "rules"]),
        (("run", "--name", ""), []),
        (("run", "--record", ""), [FILES]),
        (("run", "--", ""), [COMMANDS_TOO]),
        (("send", "x", "--", "python", ""), [FILES]),
        (("replay", "x", ""), []),
    ],
)
def test_values(words: tuple[str, ...], expected: list[str]) -> None:
    assert offered(*words) == expected


def test_recordings_and_servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("TMPDIR", "TEMP", "TMP"):
        monkeypatch.setenv(name, str(tmp_path / "temp"))
    for server in ("files", "weather"):
        record(tmp_path / "mcptap" / "recordings" / server / "20261129T211701.000000Z-1.jsonl", END)
    assert offered("show", "") == ["latest", "latest~1", FILES]
    assert offered("diff", "latest~1", "") == ["latest", "latest~1", FILES]
    assert offered("probe", "--like", "latest~") == ["latest~1", FILES]
    assert offered("ls", "") == ["files", "weather", FILES]
    assert offered("prune", "--server", "w") == ["weather"]


def test_servers_of_configurations_whose_names_no_shell_takes_for_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "USERPROFILE", "APPDATA", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    names = ["weather", "@ann/notes", "a b", "$(touch x)", "`x`", "-x", "x;y", "ü", "a\nb"]
    (tmp_path / ".mcp.json").write_text(
        json.dumps({"mcpServers": {name: {"command": "x"} for name in names}})
    )
    for words in (("wrap", ""), ("unwrap", "x", ""), ("probe", "--config", "x", "--server", "")):
        assert offered(*words) == ["@ann/notes", "weather"]
