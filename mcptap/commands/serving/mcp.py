"""`mcptap mcp`: an MCP server through which an agent asks about recordings."""

from __future__ import annotations

import os

from mcptap.commands.options import Parser
from mcptap.errors import UserError

DESCRIPTION = """\
Serve MCP on stdin and stdout: five tools by which an agent reads what was recorded of its servers, and
is told why a call failed and what to do. A client starts it, as it does any other server.

It only reads, and only recordings: nothing is sent, started, changed or deleted. Secrets are masked, always.
What it shows by default are the sessions of the client that started it, and those that were started below
that client's working directory.
"""


def main(arguments: list[str]) -> int:
    """Serve until the client closes stdin; return the exit status."""
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
    parser.add_argument(
        "--all",
        action="store_true",
        help="also sessions started in other folders: of other projects",
    )
    options = parser.parse_args(arguments)

    from mcptap.agent.serve import serve
    from mcptap.agent.settings import Settings

    if options.dir is not None and not os.path.isdir(options.dir):
        raise UserError(f"there is no folder {options.dir}; name one with recordings")
    if options.since:
        from mcptap.agent.arguments import ToolError
        from mcptap.agent.shelf import moment

        try:
            moment(options.since)
        except ToolError as error:
            raise UserError(f"--{error}") from error
    return serve(Settings(options.dir, options.server, options.since, options.all))
