"""Each command's parser, help and examples."""

from __future__ import annotations

import contextlib
import shlex

import pytest

from mcptap.commands import SUMMARIES, main
from mcptap.commands.manual.parsers import parser_of, run_parser
from mcptap.shim.options import FLAGS, VALUES, Options
from mcptap.text.columns import text_width


@pytest.mark.parametrize("name", SUMMARIES)
def test_each_command_has_a_parser_of_its_name(name: str) -> None:
    assert parser_of(name).prog == f"mcptap {name}"


def test_asking_for_a_parser_leaves_the_next_parsing_alone() -> None:
    parser_of("ls")
    with pytest.raises(SystemExit):
        main(["rules", "--help"])


def test_the_help_of_run_names_the_options_that_it_takes() -> None:
    actions = run_parser()._actions
    assert {flag for action in actions for flag in action.option_strings} == {*FLAGS, *VALUES}
    assert {action.option_strings[-1] for action in actions if action.nargs != 0} == set(VALUES)
    assert all(action.help for action in actions)


@pytest.mark.parametrize("name", SUMMARIES)
def test_help_fits_a_terminal_of_80_columns_and_ends_in_examples(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with contextlib.suppress(SystemExit):
        main(["help", name])
    said = capsys.readouterr().out
    assert [line for line in said.splitlines() if text_width(line) > 80] == []
    assert said.count("\nexamples:\n  mcptap ") == 1


def test_the_options_of_run_in_its_examples_are_taken() -> None:
    examples = run_parser().examples
    assert [Options(shlex.split(line)[2:]).command[-1] for line, _ in examples] == [
        "some-weather-server",
        "server.py",
        "server.py",
    ]
    assert examples[0][1] == "what a client's configuration names"


def test_help_of_no_command_is_that_of_mcptap(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    assert "stand in front of servers:\n  run " in capsys.readouterr().out
    assert main(["help", "none"]) == 2
