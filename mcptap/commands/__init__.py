"""The commands behind `mcptap NAME`, all but `run`. Each module has a `main(arguments)`.

A command's module is imported only when it is asked for, and so is what it needs.
"""

from __future__ import annotations

import errno
import os
import sys
from importlib import import_module
from types import ModuleType

from mcptap import __version__
from mcptap.commands.output import tell
from mcptap.errors import UserError
from mcptap.text.escape import visible

RUN = "run"

GROUPS: dict[str, dict[str, str]] = {
    "begin": {
        "demo": "watch a server fail in silence, and find out why",
        "setup": "choose servers, put mcptap in front of them, wait for a session",
    },
    "stand in front of servers": {
        RUN: "start a server, pass everything on, and record it",
        "wrap": "put mcptap in front of servers in clients' configurations",
        "unwrap": "take mcptap out of clients' configurations again",
        "clients": "list the servers in clients' configurations",
        "doctor": "say what in clients' configurations keeps servers from starting",
    },
    "look at recordings": {
        "ls": "list recordings, newest first",
        "check": "say what went wrong in a session, and what to do",
        "show": "show a session as text, or follow a live one",
        "replay": "browse, watch and play a session on the screen",
        "diff": "say in what two sessions differ",
        "lock": "keep what a server offers as approved, to see what differs later",
        "logs": "find the logs that clients keep, and say what each shows",
        "export": "make sessions fit to be passed on, without secrets",
        "report": "make a bug report of a session, and say where it belongs",
        "convert": "make a recording of another tool's log or capture",
        "rules": "list the rules of check, or explain one",
        "prune": "say which recordings are over a limit; delete them if told to",
        "mcp": "let an agent ask about recordings: an MCP server over them",
    },
    "take the place of one side": {
        "probe": "question a server as a client would, and as none would",
        "send": "send a client's lines, recorded or by hand, to a fresh server",
        "mock": "stand in for a recorded server, with a fault if you like",
    },
    "about mcptap": {
        "completion": "print a script that completes command lines in your shell",
        "man": "show the manual page of a command",
    },
}
"""What each command does, under headings, in the order of the help text."""

SUMMARIES = {name: text for group in GROUPS.values() for name, text in group.items()}
"""What each command does."""

COMMANDS = tuple(name for name in SUMMARIES if name != RUN)
"""The commands that have a module here."""

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Why an output takes no more."""

_PLACES = {
    "setup": "configurations.setup",
    "wrap": "configurations.wrap",
    "unwrap": "configurations.unwrap",
    "doctor": "configurations.doctor",
    "logs": "captures.logs",
    "convert": "captures.convert",
    "export": "sharing.export",
    "report": "sharing.report",
    "prune": "keeping.prune",
    "mcp": "serving.mcp",
    "lock": "locking.lock",
    "completion": "manual.completion",
    "man": "manual.man",
}
"""Modules of commands that lie in a package of their own; the others lie here."""

USAGE = """usage: mcptap run [OPTIONS] -- COMMAND [ARGS…]
       mcptap COMMAND …

A man in the middle on stdio that shows why an MCP server went silent.

"""


def main(arguments: list[str]) -> int:
    """Run the command that the arguments name; return the exit status."""
    _replace_closed_outputs()
    try:
        status = _run(arguments)
        sys.stdout.flush()
    except UserError as error:
        tell(str(error))
        for line in error.details:
            print(visible(line), file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has seen enough (`mcptap show … | head`).
        _write_to_nowhere()
        return 141
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return _tell_what_failed(error)
    return status


def _run(arguments: list[str]) -> int:
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
    status: int = module_of(name).main(rest)
    return status


def _tell_what_failed(error: OSError) -> int:
    """Say why a command can't go on whose surroundings failed; what else it stumbled over is our fault."""
    if error.filename is None and _is_nowhere():
        tell("the folder you are in is gone; change to another")
    elif error.filename is None and error.errno in _NO_ROOM:
        tell(f"what was to be printed can't be written: {error.strerror}")
        _write_to_nowhere()
    else:
        raise error
    return 2


def _is_nowhere() -> bool:
    """Whether the folder we were started in was deleted."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _write_to_nowhere() -> None:
    """Have Python flush what is left of our output, at its end, to where it does no harm."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def module_of(name: str) -> ModuleType:
    """The module of a command, imported now."""
    return import_module(f"mcptap.commands.{_PLACES.get(name, name)}")


def _replace_closed_outputs() -> None:
    """Write to nowhere what would go to a stdout or stderr that was closed before we started."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115 - it stays open


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
    width = max(map(len, SUMMARIES))
    groups = (
        f"{title}:\n" + "".join(f"  {name:{width}}  {text}\n" for name, text in group.items()) + "\n"
        for title, group in GROUPS.items()
    )
    return f"{USAGE}{''.join(groups)}mcptap help COMMAND says more of one, with examples.\n"
