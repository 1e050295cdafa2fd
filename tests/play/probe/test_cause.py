"""Which of a client's conditions a server fails under, found with real processes."""

import os
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from mcptap.clients.table import CLIENTS
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.cause import find_cause
from mcptap.play.probe.client_launch import launch_as_client
from mcptap.play.server.launch import Launch
from tests.play.function_server import GONE, answering, run, running
from tests.play.probing import SMALL


def cause_for(tmp_path: Path, client: str, *oddities: str) -> str:
    argv = [*SMALL, *oddities]
    environ = {**os.environ, "MY_API_KEY": "x"}
    own = Launch(argv, str(tmp_path), environ)
    launch, _ = launch_as_client(CLIENTS[client], Launch(argv, str(tmp_path), environ), {})
    return trio.run(find_cause, ConnectionSettings(launch, tell=pytest.fail), own, launch)


def test_the_condition_that_makes_the_difference_is_named(tmp_path):
    (tmp_path / "small_data.txt").write_text("here")
    assert "working directory /" in cause_for(tmp_path, "claude-desktop", "needs-file")
    assert "variable MY_API_KEY" in cause_for(tmp_path, "codex", "needs-key")
    both = cause_for(tmp_path, "claude-desktop", "needs-key", "needs-file")
    assert "both the working directory and the environment" in both
    assert cause_for(tmp_path, "claude-code", "needs-key", "needs-file") == ""


def test_a_server_that_fails_everywhere_is_not_blamed_on_the_client(tmp_path):
    assert "your own conditions as well" in cause_for(tmp_path, "codex", "needs-file")


def test_a_server_that_is_only_slow_is_told_to_be_late(tmp_path):
    argv = [*SMALL, "slow"]
    launch, _ = launch_as_client(CLIENTS["cline-cli"], Launch(argv, str(tmp_path)), {})
    settings = ConnectionSettings(launch, start_s=30, tell=pytest.fail)
    cause = trio.run(find_cause, settings, Launch(argv, str(tmp_path)), launch, 0.1)
    assert cause.startswith("it answers initialize after ")
    assert cause.endswith("the client waits 0.1 s for its start")


def test_a_server_that_is_silent_everywhere_is_said_to_be_silent(tmp_path):
    argv = [*SMALL, "silent"]
    settings = ConnectionSettings(Launch(argv, "/"), start_s=0.5, tell=pytest.fail)
    cause = trio.run(find_cause, settings, Launch(argv, str(tmp_path)), settings.launch, 0.5)
    assert cause == "under your own conditions it does not answer within 0.5 s either"


def cause_of(works, own_env, client_env, *, own_cwd="/own", client_cwd="/client") -> str:
    """What is found of a server that answers wherever `works(cwd, env)` holds."""

    @asynccontextmanager
    async def started(launch, *hearers):
        answer = answering({"initialize": {} if works(launch.cwd, launch.environment) else GONE})
        async with running(answer)(launch, *hearers) as server:
            yield server

    own, client = Launch(["server"], own_cwd, own_env), Launch(["server"], client_cwd, client_env)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mcptap.play.client.connection.running", started)
        return run(find_cause, ConnectionSettings(client, tell=pytest.fail), own, client)


@pytest.mark.parametrize(
    ("works", "words"),
    [
        (lambda cwd, env: True, ""),
        (lambda cwd, env: False, "the server fails under your own conditions as well"),
        (lambda cwd, env: cwd == "/own", "started in /own it works: the working directory /client is what"),
        (lambda cwd, env: cwd == "/own" and "A" in env, "both the working directory and the environment are"),
        (lambda cwd, env: "A" in env, "with the variable A it works"),
        (lambda cwd, env: "EXTRA" not in env, "with your environment it works: the client's environment is"),
    ],
    ids=["nothing", "everything", "folder", "both", "variable", "what the client adds"],
)
def test_what_makes_the_difference_is_told_apart(works, words):
    assert cause_of(works, {"A": "1", "B": "2"}, {"EXTRA": "3"}).startswith(words)
    assert bool(words) is bool(cause_of(works, {"A": "1", "B": "2"}, {"EXTRA": "3"}))


@given(st.sets(st.sampled_from("ABCDEFGHIJ"), min_size=1), st.data())
def test_of_any_number_of_variables_the_one_that_is_missed_is_found(names, data):
    needed = data.draw(st.sampled_from(sorted(names)))
    cause = cause_of(lambda _, env: needed in env, dict.fromkeys(names, "x"), {})
    assert cause.startswith(f"with the variable {needed} it works, ")


def test_a_variable_with_another_value_is_found_as_well():
    cause = cause_of(
        lambda _, env: env["PATH"] == "/mine", {"PATH": "/mine", "A": "1"}, {"PATH": "/bin", "A": "1"}
    )
    assert cause.startswith("with the variable PATH it works, ")


def test_where_two_variables_are_missed_no_single_one_is_named():
    cause = cause_of(lambda _, env: {"A", "D"} <= set(env), dict.fromkeys("ABCD", "x"), {})
    assert cause.endswith("; more than one variable of A, B, C, D is needed")
