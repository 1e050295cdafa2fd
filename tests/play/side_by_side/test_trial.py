"""A client's session with a server, and what is different from how it is at home."""

from __future__ import annotations

from contextlib import asynccontextmanager
from itertools import count

import pytest

from mcptap.clients.table import CLIENTS
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.cause import AT_TIMES
from mcptap.play.probe.client_launch import launch_as_client
from mcptap.play.probe.client_report import ClientOutcome
from mcptap.play.probe.observation import Observer
from mcptap.play.server.launch import Launch
from mcptap.play.side_by_side.trial import Trial, play
from tests.play.function_server import GONE, answering, run, running

ACT = {"name": "act", "description": "Acts.", "inputSchema": {"type": "object"}}


def played(monkeypatch, tmp_path, results, client="claude-desktop"):
    """A trial of a server that answers as `results(cwd)` says."""

    @asynccontextmanager
    async def started(launch, *hearers):
        async with running(answering(results(launch.cwd)))(launch, *hearers) as server:
            yield server

    monkeypatch.setattr("mcptap.play.client.connection.running", started)
    own = Launch(["server"], str(tmp_path), {})
    launch, report = launch_as_client(CLIENTS[client], own, {})
    trial = Trial("server", CLIENTS[client], own, launch, report)
    settings = ConnectionSettings(own, record=f"{tmp_path}/records/", tell=pytest.fail)
    with Observer(settings) as observer:
        run(play, trial, settings, observer)
    return trial


def server(tools):
    result = {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "x", "version": "1"},
    }
    return {"initialize": result, "tools/list": {"tools": tools}, "ping": {}}


def test_a_server_that_is_the_same_everywhere_is_fine(monkeypatch, tmp_path):
    trial = played(monkeypatch, tmp_path, lambda _: server([ACT]))
    assert (trial.ok, trial.report.tools, trial.report.less) == (True, ["act"], "")


def test_a_server_that_lists_less_than_at_home_is_not_and_the_folder_is_the_cause(monkeypatch, tmp_path):
    trial = played(monkeypatch, tmp_path, lambda cwd: server([ACT] if cwd == str(tmp_path) else []))
    assert trial.report.outcome is ClientOutcome.NO_TOOLS
    assert not trial.ok
    assert trial.report.less == "it lists no tools, and lacks act"
    assert trial.report.cause.endswith("the working directory / makes the difference")


def test_a_server_that_fails_under_the_client_alone_has_a_cause_too(monkeypatch, tmp_path):
    trial = played(
        monkeypatch, tmp_path, lambda cwd: server([ACT]) if cwd == str(tmp_path) else {"initialize": GONE}
    )
    assert trial.report.outcome is ClientOutcome.DISCONNECTED
    assert "the working directory / is what it fails in" in trial.report.cause
    assert not trial.ok


def test_what_was_not_played_fails_nothing(monkeypatch, tmp_path):
    trial = played(monkeypatch, tmp_path, lambda _: server([]))
    assert trial.ok
    trial.report.outcome = ClientOutcome.FAILED
    assert not trial.ok
    trial.skipped = "disabled"
    assert trial.ok


def test_a_server_that_refuses_the_client_alone_has_a_cause_too(monkeypatch, tmp_path):
    trial = played(
        monkeypatch, tmp_path, lambda cwd: server([ACT]) if cwd == str(tmp_path) else {"initialize": -32000}
    )
    assert trial.report.outcome is ClientOutcome.DISCONNECTED
    assert "the working directory / is what it fails in" in trial.report.cause


def test_of_a_server_that_fails_at_times_no_condition_is_blamed(monkeypatch, tmp_path):
    times = count()
    working = {"initialize": server([ACT])["initialize"]}
    trial = played(
        monkeypatch, tmp_path, lambda _: {"initialize": GONE} if next(times) in (0, 1, 5) else working
    )
    assert trial.report.outcome is ClientOutcome.DISCONNECTED
    assert trial.report.cause == AT_TIMES
