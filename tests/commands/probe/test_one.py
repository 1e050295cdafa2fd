"""One server, probed: the forms of the report. What is asked is tested beside the questions."""

from __future__ import annotations

import json
import tempfile
from xml.etree import ElementTree

import pytest

from mcptap.clients.table import CLIENTS
from mcptap.commands.probe import one as module
from mcptap.commands.probe.one import OneProbe, masker_for, run
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.result import ProbeResult
from mcptap.play.probe.verdict import Grade
from mcptap.play.server.launch import Launch
from mcptap.play.side_by_side.start import Start
from tests.play.probing import SMALL
from tests.play.side_by_side.trials import SECRET

START = Start(Launch(["server", "--token", SECRET], "/", {}))


@pytest.fixture
def probe(monkeypatch):
    """A probe that starts nothing: `ping` is not answered."""

    async def probed(*_: object) -> ProbeResult:
        result = ProbeResult()
        result.add("start", "ping", Grade.BAD, f"no answer, {SECRET}")
        return result

    monkeypatch.setattr(module, "probe", probed)
    return OneProbe(START, None, ConnectionSettings(START.own, tell=pytest.fail))


@pytest.mark.parametrize("form", ["text", "json", "junit", "sarif", "github"])
def test_every_form_tells_what_is_wrong_and_no_secret(probe, capsys, form):
    assert run(probe, form, masker_for([START.own], unmasked=False)) == 1
    out = capsys.readouterr().out
    assert "no answer" in out
    assert SECRET not in out
    if form == "junit":
        assert ElementTree.fromstring(out).get("failures") == "1"
    if form in ("json", "sarif"):
        json.loads(out)


def test_secrets_are_shown_where_that_is_wanted(probe, capsys):
    run(probe, "junit", masker_for([START.own], unmasked=True))
    assert f"server --token {SECRET}" in capsys.readouterr().out


def test_a_server_that_the_client_can_not_start_is_asked_nothing(monkeypatch, tmp_path, capsys):
    start = Start(Launch(["no-such-program-3f9a"], str(tmp_path)))
    settings = ConnectionSettings(start.own, record=f"{tmp_path}/r/", tell=pytest.fail)
    assert run(OneProbe(start, CLIENTS["codex"], settings), "json", None) == 1
    told = json.loads(capsys.readouterr().out)
    assert {verdict["grade"] for verdict in told["verdicts"]} == {"not tried"}
    assert told["client"]["cause"] == "the server fails under your own conditions as well"


@pytest.mark.parametrize("form", ["text", "json"])
def test_without_recordings_nothing_is_left_and_none_is_named(monkeypatch, tmp_path, capsys, form):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    start = Start(Launch([*SMALL, "greets"]))
    settings = ConnectionSettings(start.own, record=f"{tmp_path}/r/", tell=pytest.fail)
    assert run(OneProbe(start, None, settings, is_kept=False), form, None) == 1
    out = capsys.readouterr().out
    assert "stdout-not-json" in out
    assert str(tmp_path) not in out
    assert list(tmp_path.iterdir()) == []
