"""`mcptap mcp`: an MCP server through which an agent asks about recordings."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from importlib.resources import files

from mcptap.commands.options import Parser
from mcptap.commands.output import tell
from mcptap.errors import UserError

DESCRIPTION = """\
Serve MCP on stdin and stdout: five tools by which an agent reads what was recorded of its servers, and
is told why a call failed and what to do. A client starts it, as it does any other server.

It only reads, and only recordings: nothing is sent, started, changed or deleted. Secrets are masked, always.
What it shows by default are the sessions of the client that started it, and those that were started below
that client's working directory.
"""

NAME = "mcptap"
"""What the server is called in the configurations that are printed."""


def main(arguments: list[str]) -> int:
    """Serve until the client closes stdin; return the exit status."""
    options = _parser().parse_args(arguments)
    if options.print_skill:
        print(files("mcptap.agent").joinpath("SKILL.md").read_text(encoding="utf-8"), end="")
        return 0
    if options.dir is not None and not os.path.isdir(options.dir):
        raise UserError(f"there is no folder {options.dir}; name one with recordings")
    if options.since:
        _require_moment(options.since)
    if options.print_config:
        return _print_config(options.client, _words_again(options))
    if options.client is not None:
        raise UserError("--client says nothing without --print-config")

    from mcptap.agent.serve import serve
    from mcptap.agent.settings import Settings

    return serve(Settings(options.dir, options.server, options.since, options.all))


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap mcp",
        description=DESCRIPTION,
        epilog="exit status: 0 the client closed our input, 2 bad options",
    )
    parser.add_argument(
        "--dir", metavar="FOLDER", help="read the recordings in this folder in place of your own"
    )
    parser.add_argument(
        "--server", metavar="NAME", default="", help="only servers so called (part of the name, or with *)"
    )
    parser.add_argument(
        "--since", metavar="WHEN", default="", help="only sessions since then: 2h, 3d, or a date (2026-11-29)"
    )
    parser.add_argument("--all", action="store_true", help="also sessions started in other folders")
    parser.add_argument(
        "--print-config",
        action="store_true",
        help="print what to put into the configurations of clients; the other options are taken along",
    )
    parser.add_argument(
        "--client", metavar="CLIENT", help="with it: of this client alone, by its id (mcptap probe --as list)"
    )
    parser.add_argument(
        "--print-skill",
        action="store_true",
        help="print a page (SKILL.md) that tells an agent when and how to ask",
    )
    return parser


def _require_moment(since: str) -> None:
    from mcptap.agent.arguments import ToolError
    from mcptap.agent.shelf import moment

    try:
        moment(since)
    except ToolError as error:
        raise UserError(f"--{error}") from error


def _words_again(options: Namespace) -> list[str]:
    """The options that the server shall have, a folder by its whole path: a client starts it elsewhere."""
    folder = options.dir and os.path.abspath(options.dir)
    words = ["mcp"]
    for flag, value in (("--dir", folder), ("--server", options.server), ("--since", options.since)):
        words += [flag, value] if value else []
    return words + (["--all"] if options.all else [])


def _print_config(name: str | None, words: list[str]) -> int:
    from mcptap.clients.configs.given import named_client
    from mcptap.setup.own_command import own_command
    from mcptap.setup.snippet import snippets

    client = named_client(name)
    own = own_command(os.environ)
    if own.warning:
        tell(own.warning)
    words = [*own.words, *words]
    made = list(snippets(NAME, words, client))
    if not made:
        raise UserError(f"how {name} is configured is not known; the command is {shlex.join(words)}")
    print(*made, sep="\n\n")
    return 0
