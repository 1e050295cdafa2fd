"""How a client would start a server: by what is known of it, else by what is assumed and said."""

import os

import pytest

from mcptap.clients.client import Client, Environment, Folder, WorkingDirectory
from mcptap.clients.facts import Fact, Origin, Source
from mcptap.play.probe.client_launch import launch_as_client
from mcptap.play.server.launch import Launch

SEEN = Source(Origin.RUN, "a run", "1.0")
ENVIRON = {"PATH": "/bin", "API_KEY": "x", "OTHER": "y"}


def started(folder=None, entry_env=None, entry_cwd="", **facts):
    known = {name: Fact(value, SEEN) for name, value in facts.items()}
    base = Launch(["server"], folder, ENVIRON)
    return launch_as_client(Client("x", "X", **known), base, entry_env or {}, entry_cwd)


@pytest.mark.parametrize(
    ("where", "cwd"),
    [
        (Folder.START, "/work"),
        (Folder.WORKSPACE, "/work"),
        (Folder.HOME, os.path.expanduser("~")),
        (Folder.ROOT, "/"),
    ],
)
def test_a_server_starts_where_the_client_starts_servers(where, cwd):
    launch, report = started("/work", cwd=WorkingDirectory(where))
    assert launch.cwd == cwd
    assert report.conditions == [("working directory", f"{cwd} (seen by running that version)")]
    assert report.remarks == ([] if cwd == "/work" else ["X would not have started it in /work"])


@pytest.mark.parametrize(
    ("heeds", "condition"),
    [(True, "/work, unless the entry has a cwd"), (False, "/work, whatever cwd the entry has")],
)
def test_what_the_entry_can_do_about_the_folder_is_told(heeds, condition):
    _, report = started("/work", cwd=WorkingDirectory(Folder.START, heeds))
    assert report.conditions == [("working directory", f"{condition} (seen by running that version)")]


def test_where_no_folder_was_named_none_is_missed():
    _, report = started(cwd=WorkingDirectory(Folder.ROOT))
    assert report.remarks == []


def test_what_is_not_known_is_assumed_and_said():
    launch, report = started("/work")
    assert (launch.cwd, launch.environment) == ("/work", ENVIRON)
    assert report.conditions == []
    assert report.assumptions == [
        "working directory: not known; /work was taken",
        "environment: not known; all of yours was passed on",
    ]


@pytest.mark.parametrize(
    ("environment", "names", "words"),
    [
        (Environment(only=("PATH",)), {"PATH"}, "only PATH"),
        (Environment(without=("KEY",)), {"PATH", "OTHER"}, "all of yours, without names that hold KEY"),
        (Environment(adds={"PWD": "{cwd}"}), {*ENVIRON, "PWD"}, "all of yours, with PWD"),
    ],
)
def test_the_server_gets_what_the_client_hands_over(environment, names, words):
    launch, report = started("/work", environment=environment)
    assert set(launch.environment) == names
    assert dict(report.conditions)["environment"].startswith(f"{words} (")


def test_a_variable_of_the_entry_passes_any_list():
    launch, _ = started("/work", {"API_KEY": "entry"}, environment=Environment(only=("PATH",)))
    assert launch.environment == {"PATH": "/bin", "API_KEY": "entry"}


@pytest.mark.parametrize(
    ("uses_entry", "cwd", "told"),
    [
        (True, "/work/sub", "/work/sub, the entry's cwd (seen by running that version)"),
        (None, "/work/sub", "whether it uses the entry's cwd is not known; /work/sub was taken"),
        (False, "/work", "X ignores the entry's cwd ./sub"),
    ],
)
def test_the_entry_s_folder_is_used_by_clients_that_use_it(uses_entry, cwd, told):
    launch, report = started("/work", entry_cwd="./sub", cwd=WorkingDirectory(Folder.START, uses_entry))
    assert launch.cwd == cwd
    assert told in [*report.assumptions, *report.remarks, *(text for _, text in report.conditions)]


def test_the_entry_s_folder_of_a_client_of_which_nothing_is_known_is_an_assumption():
    launch, report = started("/work", entry_cwd="/elsewhere")
    assert launch.cwd == "/elsewhere"
    assert report.assumptions[0].startswith("whether it uses the entry's cwd is not known")
