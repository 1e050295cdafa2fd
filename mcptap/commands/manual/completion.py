"""`mcptap completion SHELL`: a script for the shell. It asks `mcptap completion --complete` at each key."""

from __future__ import annotations

import argparse
from importlib.resources import files

from mcptap.commands.options import Parser
from mcptap.errors import UserError
from mcptap.text.escape import visible

SHELLS = ("bash", "zsh", "fish")
_COMPLETE = "--complete"


def main(arguments: list[str]) -> int:
    """Print the script for a shell, or what may come next; return the exit status."""
    if arguments[:2] == [_COMPLETE, "--"]:
        from mcptap.commands.manual.completing import complete

        for word, said in complete(arguments[2:]):
            print(f"{visible(word)}\t{visible(said)}")
        return 0
    options = _parser().parse_args(arguments)
    if options.shell is None:
        raise UserError(f"say which shell: mcptap completion {'|'.join(SHELLS)}")
    print(script(options.shell), end="")
    return 0


def script(shell: str) -> str:
    """The script for a shell."""
    folder = files("mcptap.commands.manual") / "scripts"
    return (folder / f"completion.{shell}").read_text(encoding="utf-8")


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap completion",
        description="Print a script that lets the Tab key complete commands, options, names of servers, "
        "recordings, clients and rules. Put it where your shell looks for such scripts.",
    )
    parser.add_argument("shell", nargs="?", choices=SHELLS, metavar="SHELL", help="bash, zsh or fish")
    parser.add_argument(_COMPLETE, action="store_true", help=argparse.SUPPRESS)
    return parser
