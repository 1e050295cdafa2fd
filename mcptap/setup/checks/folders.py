"""Folders: what is relative, and from where it is taken; and whose paths stand in files that others share."""

from __future__ import annotations

import ntpath
import posixpath
import re
from collections.abc import Iterator, Sequence

from mcptap.clients.client import Folder
from mcptap.clients.configs.nodes import Node
from mcptap.diagnosis.explain.launchers import interpreter_of, runs_elsewhere, stem, unwrapped
from mcptap.setup.checks.program import settled
from mcptap.setup.doctor.check import INFO, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect
from mcptap.setup.doctor.subject import ExaminedEntry, ExaminedFile

_DOTTED = re.compile(r"\.{1,2}[\\/]")
_ENDS = frozenset({"-m", "-c", "-e", "-p", "--eval", "--print", "-jar"})
"""Options of interpreters in whose place, or behind which, no script's path stands as a word of its own."""
_WITH_VALUE = frozenset({"-r", "--require", "--import", "--loader", "-X", "-W", "--env-file"})
_SCRIPT = re.compile(r"\.(?:[cm]?[jt]sx?|pyz?|rb|php|pl|lua|jar|dll|exe|sh|ps1)\Z")


@check("cwd-ignored", WARNING, About.SERVER, "a cwd that the client does not use, or is not known to use")
def cwd_ignored(one: ExaminedEntry) -> Iterator[Said]:
    place, fact = one.member("cwd"), one.client.cwd
    if place is None or (fact.value is not None and fact.value.uses_entry):
        return
    name, keys = one.client.name, one.client.configuration.entry
    remedy = "Use absolute paths in place of it, or let a small script change the folder"
    if fact.value is not None and fact.value.uses_entry is False:
        where = fact.value.folder.value
        yield Said(f"{name} ignores cwd", Effect(f"it starts the server in {where}", fact), remedy, at=place)
    elif keys.value is not None and "cwd" not in keys.value:
        yield Said(
            f"cwd is not among the keys that {name} is known to take",
            Effect(f"{name} takes {', '.join(keys.value)}; whether it uses cwd is not known", keys),
            remedy,
            at=place,
        )


@check("relative-program", WARNING, About.SERVER, "a program whose path is relative")
def relative_program(one: ExaminedEntry) -> Iterator[Said]:
    words = one.words()
    if words and _is_relative(words[0][1], one) and not _is_settled_folder(one):
        yield _said(one, "program", words[0][1], words[0][0])


@check("relative-path", WARNING, About.SERVER, "a script or another path in the arguments that is relative")
def relative_path(one: ExaminedEntry) -> Iterator[Said]:
    words = one.words()
    argv = [word for _, word in words]
    if _is_settled_folder(one) or runs_elsewhere(argv):
        return
    script = _script(argv)
    for index, (node, word) in enumerate(words[1:], 1):
        if index == script or _DOTTED.match(word):
            yield _said(one, "script" if index == script else "path", word, node)


def _is_relative(word: str, one: ExaminedEntry) -> bool:
    separators = "/\\" if one.machine.is_windows else "/"
    absolute = ntpath.isabs(word) or posixpath.isabs(word)
    return any(sign in word for sign in separators) and not (
        absolute or word.startswith("~") or not settled(word) or re.search(r"\s", word)
    )


def _script(argv: Sequence[str]) -> int:
    """The index of the script that an interpreter is given, if its path is relative; 0 if there is none."""
    inner = unwrapped(argv)
    before = len(argv) - len(inner)
    if not inner or list(argv[before:]) != inner or not interpreter_of(inner):
        return 0
    at = 1
    while at < len(inner) and inner[at].startswith("-"):
        if inner[at] in _ENDS:
            return 0
        at += 2 if inner[at] in _WITH_VALUE else 1
    if stem(inner[0]) in ("deno", "bun") and at < len(inner) and inner[at] == "run":
        at += 1
    if at >= len(inner):
        return 0
    word = inner[at]
    absolute = ntpath.isabs(word) or posixpath.isabs(word) or word.startswith("~") or "://" in word
    return before + at if not absolute and settled(word) and _SCRIPT.search(word) else 0


def _is_settled_folder(one: ExaminedEntry) -> bool:
    """Whether the folder that relative paths are taken from is always the same one."""
    fact = one.client.cwd.value
    if fact is None:
        return False
    if fact.uses_entry and one.entry.cwd:
        cwd = one.entry.cwd
        return ntpath.isabs(cwd) or posixpath.isabs(cwd) or not settled(cwd)
    return fact.folder is Folder.WORKSPACE and one.file.shared


def _said(one: ExaminedEntry, what: str, word: str, node: Node | None) -> Said:
    fact, name = one.client.cwd, one.client.name
    if fact.value is None:
        effect = Effect(f"from which folder {name} takes it is not known")
    elif fact.value.uses_entry and one.entry.cwd and what != "program":
        start = fact.value.folder.value
        effect = Effect(f"the server takes it from its cwd, and {name} that from {start}", fact)
    else:
        effect = Effect(f"{name} takes it from {fact.value.folder.value}, not from that of this file", fact)
    uses = fact.value is not None and fact.value.uses_entry
    cwd = "; or give the entry an absolute cwd" if uses else ""
    return Said(f"The {what} {word} is relative", effect, f"Write an absolute path{cwd}", at=node)


@check("personal-path", WARNING, About.SERVER, "a path of one person's machine in a file that others share")
def personal_path(one: ExaminedEntry) -> Iterator[Said]:
    if not one.file.shared:
        return
    home = str(one.machine.home)
    for node, word in one.words():
        whose = re.match(r"(/home/[^/]+|/Users/[^/]+|[A-Za-z]:\\Users\\[^\\]+)[/\\]", word)
        mine = home not in ("", "/") and word.startswith(f"{home}/")
        if whose is None and not mine:
            continue
        yield Said(
            f"{word} is a path of one machine, in a file that others share",
            Effect("on another machine there is no such path"),
            "Use a name that the PATH finds, or put the entry into your own configuration",
            at=node,
        )


@check("shared-file", INFO, About.FILE, "others share the file")
def shared_file(file: ExaminedFile) -> Iterator[Said]:
    if file.shared and any(entry.command is not None for entry in file.entries):
        yield Said("Others share the file, which lies in a project: a path in it must be right for them too")
