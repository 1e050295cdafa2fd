"""Where the program of an entry is looked for: as its client does it, with the PATH that it gives."""

from __future__ import annotations

import ntpath
import os
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcptap.clients.client import Folder
from mcptap.clients.facts import Fact
from mcptap.setup.doctor.subject import ExaminedEntry
from mcptap.shim import resolve, resolve_windows
from mcptap.text.units import counted


@dataclass(frozen=True, slots=True)
class Search:
    """What was found of a program."""

    program: str
    is_path: bool
    """Whether it names a place, and is not looked for on the PATH."""
    absolute: bool
    shown: str
    """The program with the folder from which it was looked for, if it is relative."""
    whose: str
    """Whose PATH was searched: words that follow `the PATH that`."""
    certain: bool
    """Whether the client is known to give just this PATH."""
    fact: Fact[Any] | None
    """What says so."""
    file: str = ""
    """The program's file, if it is there."""
    folder: bool = False
    barred: str = ""
    """A file of that name that may not be executed."""
    unknown_folder: bool = False
    """Whether it begins with `~`, or is relative to a folder that is not known: nothing can be said then."""


def search(one: ExaminedEntry, program: str) -> Search:
    """Look for the program of an entry, as its client would."""
    machine = one.machine
    windows = machine.is_windows
    separators = "/\\" if windows else "/"
    is_path = any(sign in program for sign in separators)
    absolute = ntpath.isabs(program) if windows else posixpath.isabs(program)
    base = "" if absolute or not is_path else start_folder(one)
    path, whose, certain, fact = _path(one)
    if program.startswith("~") or (is_path and not absolute and not base):
        return Search(program, True, False, program, whose, certain, fact, unknown_folder=True)
    full = program if absolute or not is_path else _join(base, program, windows)
    shown = program if absolute or not base else f"{program} in {base}"
    found = barred = ""
    folder = is_path and machine.disk.is_folder(full)
    environ = {b"PATH": os.fsencode(path)}
    if windows:
        found = os.fsdecode(
            resolve_windows.find_program(
                os.fsencode(full), environ, lambda name: machine.disk.is_file(os.fsdecode(name))
            )
            or b""
        )
    else:
        for candidate in map(os.fsdecode, resolve.candidates(os.fsencode(full), environ)):
            if not machine.disk.is_file(candidate):
                continue
            if machine.disk.is_executable(candidate):
                found = candidate
                break
            barred = barred or candidate
    return Search(
        program, is_path, absolute, shown, whose, certain, fact, found, folder, "" if found else barred
    )


def start_folder(one: ExaminedEntry) -> str:
    """The folder from which a relative program is taken; empty if it is not known."""
    fact = one.client.cwd.value
    if fact is None:
        return ""
    if one.expanded.cwd and not any(unset.where == "cwd" for unset in one.expanded.unset):
        return one.expanded.cwd
    if fact.folder is Folder.HOME:
        return str(one.machine.home)
    if fact.folder is Folder.ROOT:
        return ""
    return str(one.machine.cwd)


def _join(folder: str, name: str, windows: bool) -> str:
    return ntpath.join(folder, name) if windows else posixpath.normpath(posixpath.join(folder, name))


def _path(one: ExaminedEntry) -> tuple[str, str, bool, Fact[Any] | None]:
    """The PATH with which the program is looked for, whose it is, whether that is certain, and the fact."""
    client, machine = one.client, one.machine
    own = _of(machine.environ) or resolve.DEFAULT_PATH.decode()
    separator = ";" if machine.is_windows else ":"
    environment = client.environment
    in_entry = _of(one.expanded.env)
    many = counted(len(own.split(separator)), "folder")
    here = f"{client.name} has if it is started from here ({many})"
    hands_on = environment.value is not None and (
        environment.value.only is None or "PATH" in environment.value.only
    )
    if not in_entry or "$" in in_entry or "{" in in_entry:
        return own, here, hands_on and not in_entry, None
    if client.habits.dropped_variables.value and "PATH" in client.habits.dropped_variables.value:
        return own, here, hands_on, None
    if client.habits.appends_path.value:
        appended = f"{here} with that of the entry behind it"
        return f"{own}{separator}{in_entry}", appended, True, client.habits.appends_path
    return in_entry, "the entry sets", True, None


def _of(environ: Mapping[str, Any]) -> str:
    value = environ.get("PATH", environ.get("Path"))
    return value if isinstance(value, str) else ""
