"""The options that say what is expected of a session, and how the settings file adds to them."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcptap.protocol.expectations.expectation import Expectation

OPTIONS = {
    "expect-tool": ("NAME", "a tool that the server has to list; NAME may be a pattern, like 'get_*'"),
    "forbid-tool": ("NAME", "a tool, or pattern, that it must not list"),
    "max-latency": (
        "METHOD=MS",
        "how many milliseconds an answer may take; METHOD may be a pattern, or tools/call:NAME for one tool",
    ),
    "max-start": ("S", "how many seconds the server may need for its first answer"),
    "max-list-tokens": ("N", "about how many tokens the list of tools may cost"),
}
"""What can be expected, by the name of its option and of its line in the settings file."""


def add_expectations(parser: ArgumentParser, more: str = "") -> None:
    """Add them; each may be given again. What could not be judged counts as not met. `more`: for the help."""
    group = parser.add_argument_group(
        "expectations", "each may be given again; what can't be judged fails as what is not so" + more
    )
    for name, (value, words) in OPTIONS.items():
        group.add_argument(
            f"--{name}",
            action="append",
            default=[],
            dest="expected",
            metavar=value,
            type=_type(name),
            help=words,
        )


def expected_by(options: Namespace, standing: Iterable[Expectation]) -> tuple[Expectation, ...]:
    """All that is expected: by the options, and `standing` in the settings where no option says the same."""
    given: list[Expectation] = options.expected
    said = {(one.name, one.pattern, one.tool) for one in given}
    return (*given, *(one for one in standing if (one.name, one.pattern, one.tool) not in said))


def _type(name: str) -> Callable[[str], Expectation]:
    return partial(_parsed, name)


def _parsed(name: str, value: str) -> Expectation:
    from mcptap.protocol.expectations.expectation import expectation

    try:
        return expectation(name, value)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error
