"""The commands behind `mcptap NAME`, all but `run`. Each module has a `main(arguments)`.

A command's module is imported only when it is asked for, and so is what it needs.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType

from mcptap import __version__
from mcptap.commands.output import tell
from mcptap.errors import UserError
from mcptap.text.escape import visible

COMMANDS: dict[str, str] = {
    "setup": "the first minute: put mcptap in front of your servers, and look",
    "wrap": "put mcptap in front of servers in your clients' configurations",
    "unwrap": "take mcptap out of the configurations again",
    "clients": "list the servers in the configurations of clients",
    "doctor": "say what in clients' configurations keeps servers from starting",
    "ls": "list recordings, newest first",
    "prune": "say which recordings are over a limit, and delete them if told to",
    "show": "show a recording as text, or follow a live one",
    "check": "say what went wrong in a session",
    "rules": "list the rules of check, or explain one",
    "replay": "browse, watch and play a recording on the screen",
    "send": "send a client's lines, recorded or by hand, to a fresh server",
    "diff": "say in what two recorded sessions differ",
    "mock": "stand in for a recorded server, with a fault if you like",
    "probe": "question a server as a client would, and as none would",
    "demo": "play a server that fails in silence, and find out why",
    "completion": "print a script that completes command lines in your shell",
    "man": "show the manual page of a command",
}
"""Name of each command and what it does, in the order of the help text."""

_PLACES = {
    "setup": "configurations.setup",
    "wrap": "configurations.wrap",
    "unwrap": "configurations.unwrap",
    "doctor": "configurations.doctor",
    "prune": "keeping.prune",
    "completion": "manual.completion",
    "man": "manual.man",
}
"""Modules of commands that lie in a package of their own; the others lie here."""

USAGE = """usage: mcptap run [OPTIONS] -- COMMAND [ARGS…]
       mcptap COMMAND …

A man in the middle on stdio that shows why an MCP server went silent.

commands:
"""


def main(arguments: list[str]) -> int:
    """Run the command that the arguments name; return the exit status."""
    name, rest = (arguments[0], arguments[1:]) if arguments else (first_command(), [])
    if name == "help" and rest:
        name, rest = rest[0], ["--help"]
        if name == "run":
            from mcptap.shim.options import HELP

            print(HELP, end="")
            return 0
    if name in ("-h", "--help", "help"):
        print(usage(), end="")
        return 0
    if name in ("-V", "--version"):
        print(f"mcptap {__version__}")
        return 0
    _escape_unknown_characters()
    if name not in COMMANDS and arguments:
        tell(f"there is no command {name!r}; see mcptap --help")
        return 2
    try:
        status: int = module_of(name).main(rest)
        sys.stdout.flush()
    except UserError as error:
        tell(str(error))
        for line in error.details:
            print(visible(line), file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has seen enough (`mcptap show … | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 141
    except KeyboardInterrupt:
        return 130
    return status


def module_of(name: str) -> ModuleType:
    """The module of a command, imported now."""
    return import_module(f"mcptap.commands.{_PLACES.get(name, name)}")


def _escape_unknown_characters() -> None:
    """Let an output of another encoding than UTF-8 show what it does not have as an escape."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def first_command() -> str:
    """What `mcptap` alone means: the list of recordings on a terminal, else the help."""
    return "sessions" if sys.stdin.isatty() and sys.stdout.isatty() else "--help"


def usage() -> str:
    """The text of `mcptap --help`."""
    rows = {"run": "stand in front of a server and record (mcptap run --help)", **COMMANDS}
    table = "".join(f"  {name:10} {text}\n" for name, text in rows.items())
    return f"{USAGE}{table}\nmcptap help COMMAND says more of one, with examples.\n"
