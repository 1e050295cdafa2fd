"""What commands share of `argparse`: the parser, and types of options, which say what a number has to be."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from typing import NoReturn

from mcptap.text.escape import visible

MOST_SECONDS = 1e6
MOST_TIMES = 1e9


class Parser(ArgumentParser):
    """A parser whose errors quote the user's words, which may be names of strangers' files, visibly."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong on stderr, and exit with status 2."""
        super().error(visible(message))


def add_unmasked(parser: ArgumentParser) -> None:
    """The option that asks for secrets as they are."""
    parser.add_argument(
        "--unmasked",
        action="store_true",
        help="show secrets in command lines and quotations as they are (default: ‹masked:…›)",
    )


def add_comparison(parser: ArgumentParser) -> None:
    """The options of whatever compares two sessions."""
    parser.add_argument(
        "--fail-on",
        choices=("contract", "content", "noise"),
        default="content",
        help="which differences make the exit status 1: those that may break who used the server before (a "
        "tool gone, an argument required, a type changed, a call that fails now, prints on stdout), all of "
        "content (default), or also what is taken as the same",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="show what was taken as the same and why, and all that is",
    )


def seconds(text: str) -> float:
    """A time in seconds, 0 or more."""
    return _between(text, 0, MOST_SECONDS, "a number of seconds, 0 or more")


def factor(text: str) -> float:
    """How many times something else, 1 or more."""
    return _between(text, 1, MOST_TIMES, "a number, 1 or more")


def count(text: str) -> int:
    """How many, or which one: 1 or more."""
    return _whole(text, 1)


def count_or_all(text: str) -> int:
    """How many; 0 stands for all."""
    return _whole(text, 0)


def _whole(text: str, least: int) -> int:
    if not text.isdecimal() or int(text) < least:
        raise ArgumentTypeError(f"{text!r} is not a whole number, {least} or more")
    return int(text)


def _between(text: str, least: float, most: float, words: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not least <= value <= most:  # nor is NaN
        raise ArgumentTypeError(f"{text!r} is not {words}")
    return value
