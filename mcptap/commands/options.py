"""What commands share of `argparse`: the parser, and types of options, which say what a number has to be."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from itertools import groupby
from typing import Any, ClassVar, NoReturn

from mcptap.errors import UserError
from mcptap.text.escape import visible
from mcptap.text.paragraphs import wrapped
from mcptap.wire import CHANNELS

LEVELS = ("info", "warning", "error")
"""How grave a finding may be, from the least."""

MOST_SECONDS = 1e6
MOST_TIMES = 1e9


class ParserBuilt(BaseException):
    """A command has built its parser, which was all that was wanted."""

    def __init__(self, parser: Parser) -> None:
        super().__init__(parser.prog)
        self.parser = parser


class HelpFormatter(RawDescriptionHelpFormatter):
    """Wraps paragraphs to the width, and leaves lines as they are that are indented."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines: list[str] = []
        for is_prose, some in groupby(text.strip("\n").split("\n"), lambda line: line[:1] not in ("", " ")):
            block = list(some)
            lines += wrapped(" ".join(" ".join(block).split()), width) if is_prose else block
        return "\n".join(indent + line for line in lines)


class Parser(ArgumentParser):
    """A parser whose errors quote the user's words, which may be names of strangers' files, visibly.

    Its help is wrapped to the terminal's width, and ends in the examples that the command has.
    """

    stops_when_built: ClassVar[bool] = False
    """Whether ParserBuilt is raised in place of parsing: for who wants to know what a command takes."""

    def __init__(self, **settings: Any) -> None:
        from mcptap.commands.manual.examples import EXAMPLES

        super().__init__(**settings, formatter_class=HelpFormatter)
        self.examples = EXAMPLES.get(self.prog.removeprefix("mcptap "), ())
        """Command lines, and what each does."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: Namespace | None = None
    ) -> tuple[Namespace, list[str]]:
        """As in argparse; all ways to parse go through here."""
        if Parser.stops_when_built:
            raise ParserBuilt(self)
        return super().parse_known_args(args, namespace)

    def format_help(self) -> str:
        """The help, with examples."""
        from mcptap.commands.manual.examples import example_lines

        examples = example_lines(self.examples)
        return super().format_help() + ("\nexamples:\n" + "\n".join(examples) + "\n" if examples else "")

    def error(self, message: str) -> NoReturn:
        """Say what is wrong on stderr, and exit with status 2."""
        super().error(visible(message))


def add_configurations(parser: ArgumentParser, and_so: str = "") -> None:
    """The options that say which configurations of clients are meant; and what naming a file does besides."""
    parser.add_argument(
        "--client",
        metavar="CLIENT",
        help="only configurations of this client, by its id (mcptap probe --as list)",
    )
    parser.add_argument(
        "--config", metavar="FILE", help=f"only this file; with --client as that client reads it{and_so}"
    )


def add_unmasked(parser: ArgumentParser) -> None:
    """The option that asks for secrets as they are."""
    parser.add_argument(
        "--unmasked",
        action="store_true",
        help="show secrets in command lines and quotations as they are (default: ‹masked:…›)",
    )


BOTH_SIDES = "c2s=IN,s2c=OUT for what tee wrote of a server's stdin and stdout"
"""How a session is named of which each channel has a file of its own: for the help of who takes a session."""


def add_channels(parser: ArgumentParser) -> None:
    """The options for files that hold the bytes of one channel; `named` takes them."""
    parser.add_argument(
        "--channel",
        choices=CHANNELS,
        help="FILE holds what passed on this channel, byte for byte and nothing else: what tee wrote, or a "
        "redirection (c2s: the server's stdin, s2c: its stdout)",
    )
    parser.add_argument(
        "--with",
        action="append",
        default=[],
        dest="others",
        metavar="CHANNEL=FILE",
        help="with --channel: another channel of the same session",
    )


def named(path: str, options: Namespace) -> str:
    """The name of the session that FILE and the options of `add_channels` mean. Raises UserError."""
    for other in options.others:
        channel, _, file = other.partition("=")
        if channel not in CHANNELS or not file:
            raise UserError(f"--with {other}: write CHANNEL=FILE, with c2s, s2c or stderr as the channel")
        if options.channel is None:
            raise UserError("--with adds to --channel, which says what FILE holds")
    return ",".join([f"{options.channel}={path}", *options.others]) if options.channel else path


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
