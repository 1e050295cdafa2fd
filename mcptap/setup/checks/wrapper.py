"""mcptap itself in front of a server: whether it is found, stands there once, and is this one."""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Iterator

from mcptap.clients.configs.wrapping import PROGRAM
from mcptap.setup.doctor.check import ERROR, INFO, WARNING, About, Said, check
from mcptap.setup.doctor.finding import Effect
from mcptap.setup.doctor.search import search
from mcptap.setup.doctor.subject import ExaminedEntry


def _is_path(program: str) -> bool:
    return "/" in program or "\\" in program


@check("wrapped-twice", WARNING, About.SERVER, "mcptap stands in front of the server more than once")
def twice(one: ExaminedEntry) -> Iterator[Said]:
    if one.entry.layers > 1:
        yield Said(
            f"mcptap stands in front of the server {one.entry.layers} times",
            Effect("each of them records the session, and costs its start-up time"),
            f"Take them out and wrap once: mcptap unwrap {one.entry.name}, then mcptap wrap {one.entry.name}",
            at=one.entry.command_node,
        )


@check("wrapper-missing", ERROR, About.SERVER, "mcptap does not lie where the entry looks for it")
def missing(one: ExaminedEntry) -> Iterator[Said]:
    program = one.entry.command or ""
    if not one.entry.wrapped or not _is_path(program):
        return
    if not (posixpath.isabs(program) or ntpath.isabs(program)) or search(one, program).file:
        return
    yield Said(
        f"mcptap is not at {program}",
        Effect(f"{one.client.name} can't start the server"),
        f"Wrap it with the mcptap that is here: mcptap unwrap {one.entry.name}, "
        f"then mcptap wrap {one.entry.name}",
        at=one.entry.command_node,
    )


@check("wrapper-bare", WARNING, About.SERVER, "mcptap is looked for on the PATH that the client gives")
def bare(one: ExaminedEntry) -> Iterator[Said]:
    program = one.entry.command or ""
    if not one.entry.wrapped or _is_path(program):
        return
    found = search(one, program)
    if "PATH" in (one.entry.env or {}):
        why = f"the entry's own PATH decides whether it is found: {'it is' if found.file else 'it is not'}"
    else:
        there = "it is on that of this shell" if found.file else "it is not on that of this shell"
        why = f"the PATH that {one.client.name} has decides whether it is found; {there}"
    yield Said(
        f"{PROGRAM} is named without its path",
        Effect(why),
        "Others share the file: make sure that each of them has it on the PATH"
        if one.file.shared
        else "Write the absolute path of mcptap, as mcptap wrap does",
        at=one.entry.command_node,
        level=None if found.file or not found.certain else ERROR,
    )


@check("wrapper-by-launcher", WARNING, About.SERVER, "a launcher fetches a package called mcptap")
def by_launcher(one: ExaminedEntry) -> Iterator[Said]:
    wrapper = one.entry.wrapper
    if wrapper is None or wrapper.ours:
        return
    fetches = not wrapper.words[0].rpartition("/")[2].startswith(("python", "py"))
    if fetches:
        yield Said(
            f"{one.entry.command} fetches a package called mcptap to stand in front of the server",
            Effect("a package of this name on an index is not this mcptap"),
            "Start the installed mcptap by its path in place of it",
            at=one.entry.command_node,
        )
    else:
        yield Said(
            "mcptap is started as a module of a Python, and has to be installed in that one",
            at=one.entry.command_node,
            level=INFO,
        )


@check("wrapper-unrecorded", INFO, About.SERVER, "nothing is on record of what stood there before mcptap")
def unrecorded(one: ExaminedEntry) -> Iterator[Said]:
    entry = one.entry
    if entry.wrapped and not one.machine.disk.has_record(entry.file, entry.where, entry.name):
        yield Said(
            "What stood here before mcptap is not on record; mcptap unwrap makes it of the words behind --",
            at=entry.command_node,
        )
