"""Why an entry is left as it is."""

from __future__ import annotations

import os
import re

from mcptap.clients.configs.entry import ServerEntry, Shape
from mcptap.clients.configs.nodes import Document, at
from mcptap.clients.configs.wrapping import PROGRAM, lacks_separator, program_name
from mcptap.clients.configuration import Transport
from mcptap.setup.tracked import repository_of

_LACKS_SEPARATOR = f"starts {PROGRAM} without a -- before the server's command: put one there, by hand"
_WINDOWS_PROGRAM = re.compile(r"[A-Za-z]:[\\/].*\.(?:exe|com|cmd|bat)", re.IGNORECASE)


def why_not_wrapped(entry: ServerEntry, cwd: str) -> str:
    """Why mcptap can't be put in front of a server: a phrase that follows its name; empty if it can."""
    if entry.transport.is_remote:
        return "is reached by a URL: mcptap stands in front of servers that a client starts"
    if entry.transport is Transport.BUILTIN:
        return f"is built into {entry.client.name}"
    if entry.transport is Transport.EXTENSION:
        return f"comes with an extension of {entry.client.name}, which starts it by itself"
    if entry.problem:
        return f"can't be used as it stands: {entry.problem}"
    if entry.layers:
        return "is behind mcptap already"
    if lacks_separator(entry.argv):
        return _LACKS_SEPARATOR
    if entry.transport is not Transport.STDIO or entry.command_node is None:
        return "is none whose command can be told"
    arguments = entry.client.arguments.value
    if arguments is not None and arguments.shell:
        return f"is started by a shell in {entry.client.name}: its command need not be a program"
    if entry.shape is not Shape.ARRAY and is_command_line(entry.command or "", cwd):
        return (
            # Not shown: what would be arguments may hold secrets.
            "has a command with spaces, and there is no such file: no shell splits it; "
            "put the program alone in command and the rest in args"
        )
    return ""


def why_not_unwrapped(entry: ServerEntry) -> str:
    """Why mcptap can't be taken out from before a server: a phrase that follows its name; empty if it can."""
    if entry.layers:
        return ""
    named = next((word for word in entry.argv[:3] if program_name(word) == PROGRAM), "")
    if named and program_name(entry.argv[0]) == PROGRAM:
        if lacks_separator(entry.argv):
            return _LACKS_SEPARATOR
        return f"starts a {named!r}, but not as {PROGRAM} run … --: it may be another tool of this name"
    return f"is not behind {PROGRAM}"


def why_uncertain(document: Document, entry: ServerEntry) -> str:
    """Why the place of an entry is not certain: a phrase that follows its name; empty if it is."""
    if at(document.root, *entry.where) is not entry.node:
        return "stands where a key stands twice, of which the last counts; leave one of them"
    members = entry.holder.members if entry.holder is not None else ()
    nodes = (entry.command_node, entry.args_node)
    keys = [member.key for member in members]
    twice = next((one.key for one in members if one.value in nodes and keys.count(one.key) > 1), "")
    return f"has the key {twice!r} twice, of which the last counts; leave one of them" if twice else ""


def why_shared(resolved: str, entry: ServerEntry) -> str:
    """Why an entry is not changed with all others: a phrase that follows its name; empty if it is."""
    if entry.shared:
        return f"stands in a project's file, which others share: --config {entry.file} names it"
    repository = repository_of(resolved)
    if repository:
        return f"stands in a file that git tracks in {repository}: --config {entry.file} names it"
    return ""


def is_command_line(command: str, cwd: str) -> bool:
    """Whether a command seems to hold arguments: it has spaces, and no file is called so."""
    if not any(sign.isspace() for sign in command.strip()):
        return False
    if os.name != "nt" and _WINDOWS_PROGRAM.fullmatch(command):
        return False  # of another machine, where it can't be looked for
    path = os.path.expandvars(os.path.expanduser(command))
    return not os.path.isfile(os.path.join(cwd, path))
