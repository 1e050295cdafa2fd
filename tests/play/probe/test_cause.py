"""Which of a client's conditions a server fails under, found with real processes."""

import os
from pathlib import Path

import pytest
import trio

from mcptap.clients.table import CLIENTS
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.cause import find_cause
from mcptap.play.probe.client_launch import launch_as_client
from mcptap.play.server.launch import Launch
from tests.play.probing import SMALL


def blamed(tmp_path: Path, client: str, *oddities: str) -> str:
    argv = [*SMALL, *oddities]
    environ = {**os.environ, "MY_API_KEY": "x"}
    own = Launch(argv, str(tmp_path), environ)
    launch, _ = launch_as_client(CLIENTS[client], argv, str(tmp_path), {}, environ)
    return trio.run(find_cause, ConnectionSettings(launch, tell=pytest.fail), own, launch)


def test_the_condition_that_makes_the_difference_is_named(tmp_path):
    (tmp_path / "small_data.txt").write_text("here")
    assert "working directory /" in blamed(tmp_path, "claude-desktop", "needs-file")
    assert "variable MY_API_KEY" in blamed(tmp_path, "codex", "needs-key")
    both = blamed(tmp_path, "claude-desktop", "needs-key", "needs-file")
    assert "both the working directory and the environment" in both
    assert blamed(tmp_path, "claude-code", "needs-key", "needs-file") == ""


def test_a_server_that_fails_everywhere_is_not_blamed_on_the_client(tmp_path):
    assert "your own conditions as well" in blamed(tmp_path, "codex", "needs-file")


def test_a_server_that_is_only_slow_is_told_to_be_late(tmp_path):
    argv = [*SMALL, "slow"]
    launch, _ = launch_as_client(CLIENTS["cline-cli"], argv, str(tmp_path), {}, os.environ)
    settings = ConnectionSettings(launch, start_s=30, tell=pytest.fail)
    cause = trio.run(find_cause, settings, Launch(argv, str(tmp_path)), launch, 0.1)
    assert cause.startswith("it answers initialize after ")
    assert cause.endswith("the client waits 0.1 s for its start")


def test_a_server_that_is_silent_everywhere_is_said_to_be_silent(tmp_path):
    argv = [*SMALL, "silent"]
    settings = ConnectionSettings(Launch(argv, "/"), start_s=0.5, tell=pytest.fail)
    cause = trio.run(find_cause, settings, Launch(argv, str(tmp_path)), settings.launch, 0.5)
    assert cause == "under your own conditions it does not answer within 0.5 s either"
