"""Which of a client's conditions a server fails under, found with real processes."""

import os
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from mcptap.clients.table import CLIENTS
from mcptap.play.client.connection import ConnectionSettings
from mcptap.play.probe.cause import find_cause, find_difference
from mcptap.play.probe.client_launch import launch_as_client
from mcptap.play.probe.observation import Call, Observer
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


def serving(results):
    """In place of what runs a server: one that answers as `results(cwd, env)` says."""

    @asynccontextmanager
    async def started(launch, *hearers):
        answer = answering(results(launch.cwd, launch.environment))
        async with running(answer)(launch, *hearers) as server:
            yield server

    return started


def cause_of(works, own_env, client_env, *, own_cwd="/own", client_cwd="/client") -> str:
    """What is found of a server that answers wherever `works(cwd, env)` holds."""

    started = serving(lambda cwd, env: {"initialize": {} if works(cwd, env) else GONE, "tools/list": {}})
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
        (lambda cwd, env: "EXTRA" not in env, "without the variable EXTRA, which you do not have, it works"),
        (
            lambda cwd, env: "EXTRA" not in env and len(env) != 1,
            "with your environment it works: the client's environment is what it fails under",
        ),
    ],
    ids=["nothing", "everything", "folder", "both", "variable", "what the client adds", "all of it"],
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
    assert cause == "with your value of the variable PATH it works; the entry or the client sets another"


def test_where_two_variables_are_missed_no_single_one_is_named():
    cause = cause_of(lambda _, env: {"A", "D"} <= set(env), dict.fromkeys("ABCD", "x"), {})
    assert cause.endswith("; more than one variable of A, B, C, D is needed")


def test_a_program_that_is_another_one_on_the_client_s_path_is_told(tmp_path):
    paths = []
    for name in ("mine", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "server").touch(0o755)
        paths.append(str(tmp_path / name))
    cause = cause_of(lambda _, env: env["PATH"] == paths[0], {"PATH": paths[0]}, {"PATH": paths[1]})
    mine, theirs = (f"{path}/server" for path in paths)
    assert cause.endswith(f"; server is {mine} on your PATH, and {theirs} on the one it gets from the client")


READ, ACT = (
    {"name": name, "annotations": {"readOnlyHint": hint}} for name, hint in (("read", True), ("act", False))
)


def difference(results, own_env, client_env, calls=(), **options):
    """What is found of a server that answers as `results(cwd, env)` says."""
    own, client = Launch(["server"], "/own", own_env), Launch(["server"], "/client", client_env)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mcptap.play.client.connection.running", serving(results))
        with Observer(ConnectionSettings(client, tell=pytest.fail), calls, **options) as observer:
            return run(find_difference, observer, own, client)


def offering(*tools, call=None, **lists):
    capabilities = {"tools": {}, **{name: {} for name in lists}}
    others = {f"{name}/list": {name: items} for name, items in lists.items()}
    return {
        "initialize": {"capabilities": capabilities},
        "tools/list": {"tools": tools},
        "tools/call": call,
        **others,
    }


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def test_a_server_that_works_and_lists_less_is_compared_with_how_it_is_at_home():
    found = difference(lambda cwd, _: offering(*([READ, ACT] if cwd == "/own" else [])), {}, {})
    assert found.less == "it lists no tools, and lacks read and act"
    assert (
        found.cause
        == "started in /own it gives all of it: the working directory /client makes the difference"
    )
    found = difference(
        lambda _, env: offering(READ, prompts=[{"name": p} for p in env]), {"A": "1"}, {"B": "2"}
    )
    assert found.less == "it lists 0 of 1 prompts, and lacks A"
    assert found.cause.startswith("with the variable A it gives all of it, ")


def test_a_tool_that_returns_nothing_is_compared_with_what_it_returns_at_home():
    calls = [Call("read", {})]
    at_home = lambda cwd, _: offering(READ, ACT, call=text("3 notes" if cwd == "/own" else ""))  # noqa: E731
    found = difference(at_home, {}, {}, calls)
    assert found.less == 'read returns nothing, and returns "3 notes" under yours'
    assert "working directory /client makes the difference" in found.cause
    failing = lambda cwd, _: offering(READ, call=text("no folder", isError=cwd != "/own"))  # noqa: E731
    assert difference(failing, {}, {}, calls).less.startswith("read fails (no folder), and returns ")


def test_a_tool_that_may_act_is_called_again_only_if_that_was_asked_for():
    at_home = lambda cwd, _: offering(READ, ACT, call=text(cwd))  # noqa: E731
    assert difference(at_home, {}, {}, [Call("act", {})]) is None
    assert difference(at_home, {}, {}, [Call("act", {})], all_calls=True) is not None


def test_what_is_never_the_same_twice_is_no_difference():
    numbers = count()
    assert (
        difference(lambda *_: offering(READ, call=text(f"{next(numbers)}")), {}, {}, [Call("read", {})])
        is None
    )


def test_alike_conditions_start_nothing():
    own = Launch(["server"], "/x", {})
    with Observer(ConnectionSettings(own, tell=pytest.fail)) as observer:
        assert trio.run(find_difference, observer, own, own) is None


def test_a_server_of_the_stateless_era_works_too():
    refusing = {
        "initialize": -32022,
        "server/discover": {"supportedVersions": ["2026-07-28"], "capabilities": {}},
    }
    found = difference(
        lambda cwd, _: {**refusing, "tools/list": {"tools": [READ] if cwd == "/own" else []}}, {}, {}
    )
    assert found.less == "it lists no tools, and lacks read"
