"""The parts of a client's record: what they do, and what they say of the client."""

from __future__ import annotations

import math

import pytest

from mcptap.clients.client import (
    Environment,
    Folder,
    RequestLimit,
    Since,
    StartLimit,
    StopStep,
    WorkingDirectory,
    stop_words,
)
from mcptap.clients.configuration import Unset, Variables
from mcptap.clients.table import CLIENTS


def test_a_short_list_of_variables_lets_nothing_else_pass():
    environment = Environment(("PATH", "HOME"))
    assert environment.of({"PATH": "/bin", "SECRET": "x"}, "/") == {"PATH": "/bin"}


def test_names_that_look_like_secrets_are_held_back_whatever_their_case():
    environment = Environment(without=("TOKEN", "KEY"))
    assert environment.of({"my_api_key": "x", "GITHUB_TOKEN": "x", "LANG": "C"}, "/") == {"LANG": "C"}


def test_what_a_client_sets_may_name_the_working_directory():
    added = CLIENTS["claude-code"].environment.value
    assert added is not None
    assert added.of({}, "/project")["CLAUDE_PROJECT_DIR"] == "/project"


@pytest.mark.parametrize(
    ("stop", "words"),
    [
        ((StopStep("SIGKILL", 0),), "kills it at once"),
        ((StopStep("close", 3),), "kills it after 3 s"),
        (
            (StopStep("close", 2), StopStep("SIGTERM", 2)),
            "sends SIGTERM after 2 s and SIGKILL after 2 s more",
        ),
        (
            (StopStep("SIGINT", 0.1), StopStep("SIGTERM", 0.4)),
            "sends SIGINT at once, SIGTERM after 100 ms and SIGKILL after 400 ms more",
        ),
        ((StopStep("SIGTERM", 0),), "sends SIGTERM at once"),
    ],
)
def test_a_way_of_stopping_is_told_step_by_step(stop, words):
    assert stop_words(stop) == words


def test_limits_habits_and_variables_are_phrases_that_follow_a_name():
    assert StartLimit(math.inf, Since.SPAWN).words == "waits for ever unless a limit was set"
    limit = StartLimit(30, Since.SPAWN, setting="LIMIT", older_s=10)
    assert limit.words == "gives up after 30 s (LIMIT; older versions: 10 s)"
    assert RequestLimit(600).words == "gives up after 10 minutes"
    cwd = WorkingDirectory(Folder.START, uses_entry=False)
    assert cwd.words == "starts servers in the folder it was started in, and ignores cwd"
    assert Variables(()).words == "expands nothing"
    variables = Variables(("$A", "${A}"), never=("~",), unset=Unset.EMPTY)
    assert variables.words == "expands $A and ${A}, never ~; what is unset becomes empty"
