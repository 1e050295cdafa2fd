"""Whether the program of an entry is there, with the PATH that the client gives it."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator

from mcptap.clients.configs.nodes import Node
from mcptap.masking.masker import Masker
from mcptap.setup.doctor.check import ERROR, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect, Fix
from mcptap.setup.doctor.search import Search, search
from mcptap.setup.doctor.subject import ExaminedEntry
from mcptap.setup.edits import Edit

_UNSETTLED = re.compile(r"\$\{|\$\w|\{env:|\{file:|%\w+%")
"""A variable in a text: what it comes to is for the checks of variables."""


def settled(text: str) -> bool:
    """Whether a text has no variable in it."""
    return _UNSETTLED.search(text) is None


def _searched(one: ExaminedEntry) -> tuple[Search, Node | None] | None:
    """Where the server's program was looked for; None if that can't be told."""
    program = one.program
    if not program or not settled(program):
        return None
    return search(one, program), one.words()[0][0]


def _is_command_line(one: ExaminedEntry, found: Search) -> bool:
    """Whether a command with spaces, of which there is no file, begins with a program's name."""
    first, *rest = found.program.split(maxsplit=1)
    if not rest or found.file or found.folder or found.barred:
        return False
    return not re.search(r"[/\\]", first) or bool(search(one, first).file)


@check("command-with-spaces", ERROR, About.SERVER, "the command holds its arguments")
def with_spaces(one: ExaminedEntry) -> Iterator[Said]:
    searched = _searched(one)
    if searched is None or not _is_command_line(one, searched[0]):
        return
    found, node = searched
    shell = one.client.arguments
    does_not = shell.value is not None and shell.value.shell is False
    name = one.client.name
    effect = (
        Effect(f"{name} starts programs without a shell, so it looks for one of this whole name", shell)
        if does_not
        else Effect(f"whether {name} uses a shell is not known; without one there is no such program")
    )
    yield Said(
        "The command holds more than the name of a program",
        effect,
        _split(one, found.program),
        at=node,
    )


def _split(one: ExaminedEntry, command: str) -> str:
    """How to part a command line; its secrets are masked."""
    rule = f"Give the program alone as {one.form.command}, and each argument as an item of {one.form.args}"
    try:
        words = Masker().argv(shlex.split(command))
    except ValueError:
        return rule
    shown = json.dumps(words[0], ensure_ascii=False), json.dumps(words[1:], ensure_ascii=False)
    return f"{rule}, perhaps {shown[0]} and {shown[1]}"


@check(
    "program-not-found", ERROR, About.SERVER, "there is no such program with the PATH that the client gives"
)
def not_found(one: ExaminedEntry) -> Iterator[Said]:
    searched = _searched(one)
    if searched is None:
        return
    found, node = searched
    name = one.client.name
    if found.file or found.folder or found.barred or found.unknown_folder or _is_command_line(one, found):
        return
    if not one.machine.is_windows and re.match(r"[A-Za-z]:[\\/]", found.program):
        yield Said(
            f"{found.program} is a path of Windows, and this is another system",
            Effect(f"{name} can't start the server here"),
            "Write the path that the program has here",
            at=node,
        )
        return
    if found.is_path:
        yield Said(
            f"There is no program {found.shown}",
            Effect(f"{name} can't start the server"),
            "Correct the path, or install the program there",
            at=node,
        )
        return
    yield Said(
        f"There is no program {found.program} on the PATH that {found.whose}",
        Effect(f"{name} can't start the server", found.fact)
        if found.certain
        else Effect(f"{name} can't start the server, unless it has another PATH"),
        "Install it, or give its absolute path",
        at=node,
    )


@check("program-is-folder", ERROR, About.SERVER, "the program is a folder")
def is_folder(one: ExaminedEntry) -> Iterator[Said]:
    searched = _searched(one)
    if searched is not None and searched[0].folder:
        yield Said(
            f"{searched[0].shown} is a folder, and no program",
            Effect(f"{one.client.name} can't start the server"),
            "Name the program in it",
            at=searched[1],
        )


@check("program-not-executable", ERROR, About.SERVER, "the program may not be executed")
def not_executable(one: ExaminedEntry) -> Iterator[Said]:
    searched = _searched(one)
    if searched is not None and searched[0].barred:
        yield Said(
            f"{searched[0].barred} may not be executed",
            Effect(f"{one.client.name} can't start the server"),
            f"Allow it: chmod +x {shlex.quote(searched[0].barred)}; or put the interpreter before it",
            at=searched[1],
        )


@check("tilde", ERROR, About.SERVER, "a ~ that the client does not replace by the home folder")
def tilde(one: ExaminedEntry) -> Iterator[Said]:
    fact = one.client.arguments
    expands = fact.value.expands_tilde if fact.value is not None else None
    if expands:
        return
    name = one.client.name
    for index, (node, word) in enumerate(one.words()):
        if not re.match(r"~[/\\]|~\Z", word):
            continue
        known = Effect(f"{name} takes it for part of a name", fact)
        unknown = Effect(f"whether {name} expands ~ is not known")
        program = index == 0 and not one.entry.wrapped
        yield Said(
            f"The {'command' if index == 0 else 'argument'} begins with ~, which only a shell expands",
            known if expands is False else unknown,
            "Write the whole path",
            at=node,
            level=None if program and expands is False else WARNING,
            fix=_home(one, node),
        )


def _home(one: ExaminedEntry, node: Node | None) -> Fix | None:
    """The path spelled out, in a file that is the user's alone."""
    document = one.file.document
    if node is None or node.start < 0 or document is None or one.file.shared or one.machine.is_windows:
        return None
    text = document.data[node.start : node.end]
    if text[1:2] != b"~" or text[:1] != b'"':
        return None
    home = json.dumps(os.fspath(one.machine.home), ensure_ascii=False).encode()[1:-1]
    return Fix("writes the home folder in place of ~", (Edit(node.start + 1, node.start + 2, home),))


@check("working-directory-missing", ERROR, About.SERVER, "the working directory of the entry is no folder")
def no_such_cwd(one: ExaminedEntry) -> Iterator[Said]:
    cwd, fact = one.entry.cwd, one.client.cwd
    uses = fact.value is not None and fact.value.uses_entry
    member = one.member("cwd")
    absolute = cwd.startswith("/") or (one.machine.is_windows and re.match(r"[A-Za-z]:[\\/]|\\\\", cwd))
    if not uses or member is None or not absolute or not settled(cwd) or one.machine.disk.is_folder(cwd):
        return
    yield Said(
        f"The working directory {cwd} is no folder",
        Effect(f"{one.client.name} starts the server in it, and can't", fact),
        "Correct the path, or make the folder",
        at=member,
    )
