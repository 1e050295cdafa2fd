"""Servers and clients side by side, as a command."""

from __future__ import annotations

import json

import pytest
import trio

from mcptap.clients.table import CLIENTS
from mcptap.commands import main
from mcptap.commands.probe import many
from mcptap.play.server.launch import Launch
from mcptap.play.side_by_side.start import Start
from tests.play.probing import SMALL


@pytest.fixture
def two_clients(monkeypatch):
    """So many clients suffice."""
    monkeypatch.setattr(
        many, "CLIENTS", {name: CLIENTS[name] for name in ("codex", "claude-desktop", "goose")}
    )


def test_every_client_starts_the_server_or_says_why_it_is_not_tried(
    tmp_path, capsys, monkeypatch, two_clients
):
    (tmp_path / "small_data.txt").write_text("here")
    monkeypatch.chdir(tmp_path)
    arguments = ["probe", "--as", "all", "--json", "--record", f"{tmp_path}/r/", "--", *SMALL, "needs-file"]
    assert main(arguments) == 1
    codex, desktop, goose = json.loads(capsys.readouterr().out)["sessions"]
    assert (codex["ok"], codex["tools"]) == (True, ["act"])
    assert (desktop["ok"], desktop["connects"]) == (False, False)
    assert "working directory / is what it fails in" in desktop["cause"]
    assert goose["skipped"] == many.UNKNOWN


def test_clients_of_which_nothing_is_known_are_not_played():
    trials = many.as_all(Start(Launch(["server"], "/", {})))
    skipped = {trial.client.id for trial in trials if trial.skipped}
    assert "windsurf" in skipped
    assert not {"claude-code", "codex", "zed"} & skipped


@pytest.mark.parametrize("option", [["--cancel", "x", "{}"], ["--call-read-only"]])
def test_what_asks_one_client_alone_is_refused(capsys, option):
    assert main(["probe", "--as", "all", *option, "--", "server"]) == 2
    assert "name one" in capsys.readouterr().err


def test_an_interrupted_table_is_said_in_a_sentence(capsys, monkeypatch, two_clients):
    async def interrupted(*_: object) -> tuple[None, int]:
        await trio.lowlevel.checkpoint()
        return None, 2

    monkeypatch.setattr(many, "unless_interrupted", interrupted)
    assert main(["probe", "--as", "all", "--", "server"]) == 130
    assert capsys.readouterr().err == "mcptap: the probe was interrupted; the server is stopped\n"


def test_what_the_settings_expect_is_said_to_be_left_out(tmp_path, capsys, monkeypatch, two_clients):
    async def interrupted(*_: object) -> tuple[None, int]:
        await trio.lowlevel.checkpoint()
        return None, 2

    (tmp_path / ".mcptap.toml").write_text('[check]\nexpect-tool = ["act"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(many, "unless_interrupted", interrupted)
    assert main(["probe", "--as", "all", "--", "server"]) == 130
    assert "what the settings file expects is not judged" in capsys.readouterr().err
