"""Each command's parser, help and examples."""

from __future__ import annotations

import contextlib
import shlex

import pytest

from mcptap.commands import COMMANDS, main
from mcptap.commands.manual.parsers import names, parser_of, run_parser, summary_of
from mcptap.shim.options import FLAGS, VALUES, Options
from mcptap.text.columns import text_width


def test_run_and_all_others_are_commands() -> None:
    assert names() == ["run", *COMMANDS]
    assert all(map(summary_of, names()))


@pytest.mark.parametrize("name", names())
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


@pytest.mark.parametrize("name", names())
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
    from mcptap.shim.options import HELP

    lines = [line for line in HELP.partition("examples:\n")[2].splitlines() if line.startswith("  mcptap")]
    assert [Options(shlex.split(line)[2:]).command[-1] for line in lines] == [
        "some-weather-server",
        "server.py",
        "server.py",
    ]


def test_help_of_no_command_is_that_of_mcptap(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    assert "commands:\n  run " in capsys.readouterr().out
    assert main(["help", "none"]) == 2
