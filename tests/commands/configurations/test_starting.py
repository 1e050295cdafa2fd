"""`mcptap doctor --start`: whom it starts, whom only after a yes, and what it says of them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from mcptap.commands import main, terminal
from mcptap.commands.configurations import starting
from mcptap.play.probe.client_report import ClientOutcome
from mcptap.recording.library import search

SCALES = str(Path(__file__).parents[2] / "servers" / "scales.py")
SERVER = {"command": sys.executable, "args": [SCALES]}
TOKEN = "sk_live_FAKE1234567890"  # noqa: S105


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path.resolve()
    (home / "shop").mkdir()
    for name, value in {"HOME": home, "XDG_STATE_HOME": home / "state"}.items():
        monkeypatch.setenv(name, str(value))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "OPENCODE_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(home / "shop")
    monkeypatch.setattr(terminal, "TERMINAL", str(home / "no-terminal"))
    return home


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The servers that were started, without starting any: they all list a tool."""
    names: list[str] = []

    async def play(trial, settings, observer):
        names.append(trial.server)
        trial.report.outcome, trial.report.tools = ClientOutcome.LISTED, ["echo"]

    monkeypatch.setattr(starting, "play", play)
    return names


def write(path: Path, servers: dict[str, object]) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"mcpServers": servers}))
    path.chmod(0o600)


def doctor(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    capsys.readouterr()
    status = main(["doctor", "--start", *arguments])
    return status, capsys.readouterr().out


def test_a_server_that_answers_and_one_that_is_not_there_are_told_and_recorded_as_a_probe_s(home, capsys):
    write(home / ".claude.json", {"good": SERVER, "gone": {"command": "no-such-program"}})
    status, out = doctor(capsys, "--client", "claude-code")
    assert status == 1
    assert "  good (Claude Code) answers: " in out
    assert "  gone (Claude Code) does not answer: could not be started" in out
    recorded = search([str(home / "state" / "mcptap" / "recordings")]).paths
    assert len(recorded) == 2
    headers = [json.loads(Path(path).read_bytes().splitlines()[0]) for path in recorded]
    assert all(header["probe"] for header in headers)


def test_a_project_s_servers_are_listed_and_not_started_without_a_yes(home, capsys, played):
    write(home / ".claude.json", {"mine": SERVER})
    write(home / "shop" / ".mcp.json", {"strange": {**SERVER, "env": {"API_KEY": TOKEN, "LEVEL": "1"}}})
    _, out = doctor(capsys)
    assert played == ["mine"]
    assert "  strange (Claude Code): not started, since it is a project's" in out
    assert f"    in         {home / 'shop'}" in out
    assert "    variable   LEVEL=1" in out
    assert "    variable   API_KEY=‹masked:" in out
    assert TOKEN not in out


@pytest.mark.parametrize("arguments", [["--yes"], ["--config", ".mcp.json"]])
def test_yes_or_the_name_of_the_file_starts_them(home, capsys, played, arguments):
    write(home / "shop" / ".mcp.json", {"strange": SERVER})
    doctor(capsys, *arguments)
    assert played == ["strange"]


@pytest.mark.parametrize(("answer", "expected"), [("y", ["strange"]), ("", [])])
def test_on_a_terminal_it_is_asked_with_the_commands_in_sight(
    home, capsys, played, monkeypatch, answer, expected
):
    write(home / "shop" / ".mcp.json", {"strange": SERVER})
    asked: list[str] = []
    monkeypatch.setattr(terminal, "ask", lambda lines, question, without: asked.extend(lines) or answer)
    doctor(capsys)
    assert played == expected
    assert f"    command    {sys.executable} {SCALES}" in asked


def test_what_no_client_starts_is_not_started(home, capsys, played):
    off = {**SERVER, "disabled": True}
    write(home / ".cline" / "mcp.json", {"off": off, "web": {"url": "https://x.example"}, "on": SERVER})
    _, out = doctor(capsys, "--client", "cline")
    assert played == ["on"]
    assert "  off (Cline): not started: disabled" in out
    assert "web" not in out.partition("started as")[2]


def test_of_two_entries_of_one_name_that_which_is_used_is_started(home, capsys, played):
    local = {"projects": {os.getcwd(): {"mcpServers": {"one": SERVER}}}, "mcpServers": {"one": SERVER}}
    (home / ".claude.json").write_text(json.dumps(local))
    doctor(capsys)
    assert played == ["one"]


def test_mcptap_in_front_of_a_server_is_left_out_so_that_the_session_is_a_probe_s(
    home, capsys, played, monkeypatch
):
    commands = []

    async def play(trial, settings, observer):
        commands.append(list(trial.launch.argv))
        trial.report.outcome = ClientOutcome.NO_TOOLS

    monkeypatch.setattr(starting, "play", play)
    wrapped = {"command": "/x/mcptap", "args": ["run", "--", *SERVER["args"], "x"]}
    write(home / ".claude.json", {"one": wrapped})
    doctor(capsys, "--client", "claude-code")
    assert commands == [[SCALES, "x"]]


def test_the_result_for_programs_says_who_answers_and_why_others_were_not_started(home, capsys, played):
    write(home / ".claude.json", {"mine": SERVER})
    write(home / "shop" / ".mcp.json", {"strange": SERVER})
    _, out = doctor(capsys, "--json")
    mine, strange = json.loads(out)["started"]
    assert (mine["server"], mine["answers"], mine["tools"]) == ("mine", True, ["echo"])
    assert (strange["started"], strange["cwd"]) == (False, str(home / "shop"))


def test_names_of_tools_are_looked_at_once_they_are_known(home, capsys, monkeypatch):
    async def play(trial, settings, observer):
        trial.report.outcome, trial.report.tools = ClientOutcome.LISTED, ["t" * 70]

    monkeypatch.setattr(starting, "play", play)
    (home / ".codex").mkdir()
    args = json.dumps(SERVER["args"])
    (home / ".codex" / "config.toml").write_text(
        f'[mcp_servers.one]\ncommand = "{sys.executable}"\nargs = {args}\n'
    )
    status, out = doctor(capsys, "--client", "codex", "--json")
    assert status == 1
    assert "tool-names-long" in [one["check"] for one in json.loads(out)["findings"]]
