"""The options of `run`, and what stands behind `--`."""

from __future__ import annotations

import pytest

from mcptap.errors import UserError
from mcptap.shim.options import Options


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["--", "server"], ["server"]),
        (["--", "server", "--", "x"], ["server", "--", "x"]),
        (["--", "server", "--help", "--quiet", ""], ["server", "--help", "--quiet", ""]),
        (["--", "--", "x"], ["--", "x"]),
        (["--", "--help"], ["--help"]),
        (["--quiet", "server", "--name", "x"], ["server", "--name", "x"]),
        (["server", "--", "x"], ["server", "--", "x"]),
        (["--", ""], [""]),
    ],
)
def test_everything_behind_the_dashes_belongs_to_the_server(words: list[str], command: list[str]) -> None:
    options = Options(words)
    assert options.command == command
    assert not options.name
    assert not options.help


@pytest.mark.parametrize("words", [["--name", "x"], ["--name=x"]])
def test_values_may_be_given_in_two_ways(words: list[str]) -> None:
    assert Options([*words, "--", "server"]).name == "x"


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--"],
        ["--quiet", "--"],
        ["--name", "--", "x"],
        ["--name=", "--", "x"],
        ["--record"],
        ["--verbose", "--", "x"],
        ["--quiet=yes", "--", "x"],
        ["--record", "a", "--no-record", "--", "x"],
    ],
    ids=str,
)
def test_a_mistake_is_refused(words: list[str]) -> None:
    with pytest.raises(UserError):
        Options(words)


def test_a_terminal_is_recorded_only_if_that_is_asked_for() -> None:
    assert not Options(["--", "server"]).record_terminal
    assert Options(["--record-terminal", "--", "server"]).record_terminal
