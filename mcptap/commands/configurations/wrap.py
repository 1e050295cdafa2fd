"""`mcptap wrap`: put mcptap in front of servers in clients' configurations."""

from __future__ import annotations

import sys

from mcptap.commands.configurations.changes import add_options, locked, open_meant, tell_troubles
from mcptap.commands.configurations.wrapping import add_form, reason, wrap_chosen
from mcptap.commands.options import Parser
from mcptap.errors import UserError


def main(arguments: list[str]) -> int:
    """Put mcptap in front of servers; return the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.all and options.servers:
        raise UserError("wrap was told both --all and names of servers; leave one of them out")
    if not options.all and not options.servers:
        if sys.stdin.isatty() and sys.stdout.isatty() and not options.dry_run:
            from mcptap.commands.configurations.setup import ask_and_wrap

            return ask_and_wrap(options)
        raise UserError("wrap needs the names of servers, or --all; mcptap clients lists what there is")
    from mcptap.clients.configs.find import surroundings
    from mcptap.setup.choice import candidates, choose

    around = surroundings()
    with locked(options):
        configurations = open_meant(options, around)
        tell_troubles(configurations.troubles)
        every = candidates(configurations.opened, options.scope, reason(options, around))
        choice = choose(every, options.servers, "server")
        status, _ = wrap_chosen(options, choice.chosen, choice.left)
    return status or (1 if configurations.troubles else 0)


def _parser() -> Parser:
    parser = Parser(
        prog="mcptap wrap",
        description="Put mcptap in front of servers, in the configuration of whatever client you have: "
        "shows the change, asks, keeps a backup. Without names, on a terminal, it asks which (mcptap setup).",
        epilog="mcptap unwrap gives the very bytes back.",
    )
    add_options(parser, "wrap")
    parser.add_argument(
        "--all",
        action="store_true",
        help="all servers of the user and local scope; with --config all of that file",
    )
    add_form(parser)
    return parser
