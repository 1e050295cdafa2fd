"""Examples are command lines that the commands take."""

from __future__ import annotations

import shlex

import pytest

from mcptap.commands import COMMANDS
from mcptap.commands.manual.examples import EXAMPLES, example_lines, taken_out
from mcptap.commands.manual.parsers import parser_of


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_examples_that_its_parser_takes(name: str) -> None:
    parser = parser_of(name)
    assert parser.examples
    for line, what in parser.examples:
        words = shlex.split(line.partition(" > ")[0])
        assert words[:2] == ["mcptap", name]
        own = words[2 : words.index("--")] if "--" in words else words[2:]
        behind = words[words.index("--") :] if "--" in words else []
        # Some parsers know the server's command, others are given what stands before it.
        takes_command = any(not a.option_strings and a.metavar == "COMMAND" for a in parser._actions)
        parser.parse_args([*own, *(behind if takes_command else [])])
        assert what


def test_short_examples_stand_beside_what_they_do_and_long_ones_above_it() -> None:
    assert example_lines(EXAMPLES["rules"]) == [
        "  mcptap rules             all rules",
        "  mcptap rules 'stdout-*'  some; of a single one all there is",
    ]
    assert example_lines(EXAMPLES["prune"])[1] == "      what is older than 30 days"
    assert example_lines(()) == []


def test_examples_that_stand_in_a_help_are_taken_out_of_its_end() -> None:
    text = "Before.\n\nexamples:\n  mcptap x\n      what it does\n  mcptap x -y\n      more\n"
    assert taken_out(text) == ("Before.\n", (("mcptap x", "what it does"), ("mcptap x -y", "more")))
    assert taken_out("none\n") == ("none\n", ())
