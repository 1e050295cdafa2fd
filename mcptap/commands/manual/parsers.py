"""The parser of each command, as the command itself makes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mcptap.commands import RUN, module_of
from mcptap.commands.manual.examples import taken_out
from mcptap.commands.options import Parser, ParserBuilt

_OPTION = re.compile(r"  ((?:-\w, )?--?[\w-]+)(?: ([A-Z]+))?(?:\s{2,}|\n\s+)(\S.*(?:\n {8,}\S.*)*)")
"""An option in the help of `run`, which has no parser of argparse: its name, its value, what it does."""


def parser_of(name: str) -> Parser:
    """The parser of a command.

    A command begins with parsing: it is started, and stopped where its parser is to parse.
    """
    if name == RUN:
        return run_parser()
    Parser.stops_when_built = True
    try:
        module_of(name).main([])
    except ParserBuilt as built:
        return built.parser
    finally:
        Parser.stops_when_built = False
    raise RuntimeError(f"the command {name} has no parser")


def run_parser() -> Parser:
    """What `mcptap run` takes, as argparse would have it: read from its own help."""
    from mcptap.shim.options import HELP, VALUES

    text, examples = taken_out(HELP)
    usage, _, rest = text.partition("\n\n")
    description, _, rest = rest.partition("\n\noptions:\n")
    options, _, epilog = rest.partition("\n\n")
    parser = Parser(
        prog="mcptap run",
        usage=usage.removeprefix("usage: ").replace("       mcptap", "mcptap"),
        description=description,
        epilog=epilog,
        add_help=False,
    )
    parser.examples = examples
    for flags, value, text in _options(options):
        if flags[-1] in VALUES:
            parser.add_argument(*flags, metavar=value, help=text)
        else:
            parser.add_argument(*flags, action="store_true", help=text)
    return parser


def _options(text: str) -> Iterator[tuple[list[str], str, str]]:
    for found in _OPTION.finditer(text):
        flags, value, said = found.groups()
        yield flags.split(", "), value or "", " ".join(said.split())
