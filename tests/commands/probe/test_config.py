"""The servers of a configuration, probed."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from mcptap.clients.table import CLIENTS
from mcptap.commands import main, terminal
from mcptap.commands.probe.config import Found, Wanted, find_servers, require_consent
from mcptap.errors import UserError
from mcptap.play.probe.result import ProbeResult
from tests.play.probing import SMALL
from tests.play.side_by_side.trials import SECRET

FINE = {"command": SMALL[0], "args": SMALL[1:]}


def configuration(folder: Path, servers: Any, name: str = ".mcp.json", key: str = "mcpServers") -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({key: servers}, indent=1))
    return str(path)


def one(folder: Path, entry: Any, **wanted: Any) -> Found:
    file = configuration(
        folder, {"it": entry}, wanted.pop("name", ".mcp.json"), wanted.pop("key", "mcpServers")
    )
    [found] = find_servers(Wanted([file], **wanted))
    return found


def test_a_configuration_is_probed_entry_by_entry_with_one_exit_status(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    servers = {
        "fine": FINE,
        "homeless": {**FINE, "cwd": str(tmp_path / "gone")},
        "remote": {"type": "http", "url": "https://example.com/mcp"},
    }
    file = configuration(tmp_path, servers)
    probe = ["probe", "--config", file, "--yes", "--record", f"{tmp_path}/r/"]
    assert main([*probe, "--as", "codex", "--client", "claude-code", "--junit"]) == 1
    fine, homeless, remote = ElementTree.fromstring(capsys.readouterr().out)
    assert [suite.get("failures") for suite in (fine, homeless, remote)] == ["0", "1", "0"]
    assert "working directory" in ElementTree.tostring(homeless, "unicode")
    assert remote.get("skipped") == "1"
    assert {case.get("file") for case in homeless} == {".mcp.json"}


def test_one_entry_is_asked_all_the_questions(tmp_path, capsys, monkeypatch):
    asked = []

    async def probe(settings: Any, *_: object) -> ProbeResult:
        asked.append(settings.launch.environment["A"])
        return ProbeResult()

    monkeypatch.setattr("mcptap.commands.probe.one.probe", probe)
    servers = {"fine": {**FINE, "env": {"A": "1"}}, "other": {"command": "no-such-program"}}
    file = configuration(tmp_path, servers)
    arguments = ["--server", "fine", "--yes", "--json", "--record", f"{tmp_path}/r/"]
    assert main(["probe", "--config", file, *arguments]) == 0
    assert json.loads(capsys.readouterr().out)["client"]["id"] == "claude-code"
    assert asked == ["1"]


def test_the_entry_has_its_variables_and_the_client_is_in_the_project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOST", "example.com")
    entry = {"command": "server", "args": ["${HOST}", "${NO_SUCH_1:-here}"], "env": {"URL": "http://${HOST}"}}
    found = one(tmp_path, entry)
    assert found.client.id == "claude-code"
    assert found.start.own.argv == ["server", "example.com", "here"]
    assert found.start.own.environment["URL"] == "http://example.com"
    assert found.start.own.cwd == str(tmp_path)
    assert found.line == 3


def test_the_workspace_of_a_file_in_a_folder_of_its_own_is_the_folder_above(tmp_path):
    found = one(tmp_path, {"command": "${workspaceFolder}/run"}, name=".vscode/mcp.json", key="servers")
    assert found.client.id == "vscode"
    assert found.start.own.argv == [f"{tmp_path}/run"]
    assert found.start.own.cwd == str(tmp_path)


def test_what_is_unset_is_remarked(tmp_path, monkeypatch):
    monkeypatch.delenv("NO_SUCH_2", raising=False)
    trial = one(tmp_path, {"command": "server", "args": ["${NO_SUCH_2}"]}).trial()
    assert any("${NO_SUCH_2} in args[0] has no value" in remark for remark in trial.report.remarks)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ({"type": "sse", "url": "https://example.com"}, "reached by SSE"),
        ({"url": "https://example.com"}, ""),
        ({"command": 7}, "command is a number"),
        ({}, ""),
    ],
)
def test_what_can_not_be_started_says_why(tmp_path, entry, why):
    found = one(tmp_path, entry)
    assert found.why_not
    assert why in found.why_not
    assert found.trial().skipped == found.why_not


@pytest.mark.parametrize("form", ["--json", "--junit", "--github", "--sarif"])
def test_an_entry_that_no_client_can_start_fails_the_gate(tmp_path, capsys, monkeypatch, form):
    monkeypatch.chdir(tmp_path)
    file = configuration(tmp_path, {"typo": {"comand": "x"}, "gone": {"type": "http", "url": "https://x/"}})
    assert main(["probe", "--config", file, "--yes", form]) == 1
    assert "there is neither command nor url" in capsys.readouterr().out


def test_a_malformed_entry_that_is_switched_off_fails_nothing(tmp_path):
    file = configuration(tmp_path, {"it": {"command": 7, "disabled": True}}, "cline_mcp_settings.json")
    [found] = find_servers(Wanted([file], owner=CLIENTS["cline"]))
    assert found.trial().ok


def test_of_two_of_one_name_the_one_that_counts_is_started(tmp_path):
    path = tmp_path / ".mcp.json"
    path.write_text('{"mcpServers": {"it": {"command": "a"}, "it": {"command": "b"}}}')
    first, last = find_servers(Wanted([str(path)]))
    assert (first.why_not, last.why_not) == ("another entry of this name is used (project)", "")
    assert last.start.own.argv == ["b"]


def test_a_file_that_its_client_does_not_read_is_refused(tmp_path):
    path = tmp_path / ".mcp.json"
    path.write_text('{"mcpServers": {"it": {"command": "a"},}}')
    with pytest.raises(UserError, match="behind the last value"):
        find_servers(Wanted([str(path)]))


def test_servers_of_which_no_record_could_be_made_fail_the_gate(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    probe = ["probe", "--config", configuration(tmp_path, {"it": FINE}), "--yes", "--record", "file/"]
    assert main([*probe, "--json"]) == 1
    [session] = json.loads(capsys.readouterr().out)["sessions"]
    assert (session["ok"], session["connects"], session["recorded"]) == (False, True, False)


def test_a_disabled_entry_is_started_only_by_its_name(tmp_path):
    file = configuration(tmp_path, {"it": {"command": "server", "disabled": True}}, "cline_mcp_settings.json")
    cline = Wanted([file], owner=CLIENTS["cline"])
    assert find_servers(cline)[0].why_not.startswith("disabled")
    [found] = find_servers(Wanted([file], "it", owner=CLIENTS["cline"]))
    assert found.why_not == ""
    assert any("disabled" in remark for remark in found.trial().report.remarks)


def test_another_client_can_be_asked_how_it_would_start_them(tmp_path):
    found = one(tmp_path, {"command": "server", "args": ["${HOME}"]}, clients=[CLIENTS["codex"]])
    assert found.client.id == "codex"


@pytest.mark.parametrize(
    ("text", "wanted", "words"),
    [
        (None, {}, "there is no file"),
        ("{", {}, "line 1"),
        ('{"mcpServers": {}}', {}, "has no servers for Claude Code"),
        ('{"mcpServers": {"a": {"command": "x"}}}', {"server": "b"}, "has no server 'b'; it has a"),
    ],
)
def test_a_file_that_can_not_be_used_is_said(tmp_path, text, wanted, words):
    path = tmp_path / ".mcp.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=words):
        find_servers(Wanted([str(path)], **wanted))


def test_a_name_is_looked_for_in_all_files(tmp_path):
    files = [configuration(tmp_path / name, {name: {"command": "x"}}) for name in ("a", "b")]
    assert [found.entry.name for found in find_servers(Wanted(files))] == ["a", "b"]
    assert [found.entry.name for found in find_servers(Wanted(files, "b"))] == ["b"]
    with pytest.raises(UserError, match="no server 'c' in"):
        find_servers(Wanted(files, "c"))


def test_what_a_configuration_says_is_shown_without_secrets_and_asked_before_it_is_run(tmp_path, monkeypatch):
    shown: list[str] = []

    def ask(lines: list[str], question: str, without: str) -> str:
        shown.extend([*lines, question, without])
        return answer

    monkeypatch.setattr(terminal, "ask", ask)
    entry = {
        "command": "server",
        "args": ["--token", SECRET],
        "env": {"API_KEY": "hunter2hunter2", "LEVEL": "2"},
    }
    found = [one(tmp_path, entry)] * 2
    answer = "n"
    with pytest.raises(UserError, match="nothing was started"):
        require_consent(found, yes=False)
    text = "\n".join(shown)
    assert text.startswith(f"mcptap: 1 command of {tmp_path}/.mcp.json\n  it: server --token '‹masked:")
    assert f"    in {tmp_path}\n    with API_KEY=‹masked:" in text
    assert "    with LEVEL=2\n" in text
    assert SECRET not in text
    assert "hunter2" not in text
    answer = "y"
    require_consent(found, yes=False)
    shown.clear()
    require_consent(found, yes=True)
    assert shown == []


def test_without_a_terminal_and_without_a_yes_nothing_is_run(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("mcptap.commands.terminal.TERMINAL", str(tmp_path / "no-terminal"))
    mark = tmp_path / "ran"
    entry = {"command": sys.executable, "args": ["-c", f"open({str(mark)!r}, 'w')"]}
    assert main(["probe", "--config", configuration(tmp_path, {"it": entry})]) == 2
    assert "--yes says yes" in capsys.readouterr().err
    assert not os.path.exists(mark)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--config", "x", "--", "server"], "leave out the command"),
        (["--config", "x", "--like", "latest"], "leave out --like"),
        (["--server", "x", "--", "server"], "--config"),
        (["--config", "FILE", "--watch", "."], "--server"),
        (["--config", "FILE", "--yes", "--call", "x", "{}"], "--server"),
        (["--config", "FILE", "--yes", "--server", "remote"], "reached by HTTP"),
        (["--config", "FILE", "--client", "nobody"], "--as list"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(tmp_path, capsys, arguments, words):
    entries = {"one": {"command": "x"}, "remote": {"type": "http", "url": "https://example.com"}}
    file = configuration(tmp_path, entries)
    assert main(["probe", *(file if word == "FILE" else word for word in arguments)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words in err
