"""All checks on all configurations: which files are looked at, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import mcptap.setup.checks  # noqa: F401 - registers the checks
from mcptap.clients.client import Client
from mcptap.clients.configs.contents import entries_of
from mcptap.clients.configs.entry import ServerEntry
from mcptap.clients.configs.find import FoundConfig, config_files
from mcptap.clients.configs.given import given
from mcptap.clients.configs.nodes import Member
from mcptap.clients.configs.yaml_nodes import WITHOUT_PACKAGE
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Level
from mcptap.masking.masker import Masker
from mcptap.setup.checks.names import too_long
from mcptap.setup.doctor.check import CHECKS, About, Check, Said
from mcptap.setup.doctor.finding import Effect, Finding
from mcptap.setup.doctor.machine import Machine
from mcptap.setup.doctor.subject import ExaminedClient, ExaminedEntry, ExaminedFile, Found

_NAMES = ("npm ", "mcptap ")
"""Names that have no capital at the beginning of a sentence."""


def look(machine: Machine, client: Client | None, path: Path | None) -> list[ExaminedFile]:
    """The files that are there, read: that one, or all of a client, or of all.

    Without a client, files that a client borrows from another are looked at as that one's. Raises UserError
    if `path` names none, or could be that of several clients.
    """
    if path is not None:
        found = [given(path, client, machine)]
    else:
        every = config_files(client, machine.home, machine.cwd, machine.environ, machine.platform)
        found = [one for one in every if one.exists and (client is not None or not _is_borrowed(one))]
    chosen = client is not None or path is not None
    return [ExaminedFile(entries_of(one), machine, readers_of(one), chosen) for one in found]


def not_looked_at(file: ExaminedFile) -> str:
    """Why nothing can be said of a file, though nothing is wrong with it; empty if it was read."""
    why = [problem.sentence for problem in file.contents.problems if problem.sentence == WITHOUT_PACKAGE]
    return why[0] if why else ""


def _is_borrowed(found: FoundConfig) -> bool:
    return all(file.borrowed for file in found.files)


def readers_of(found: FoundConfig) -> list[Client]:
    """The other clients that look for servers in a file of this name and place."""
    places = {place for file in found.files for place in file.places}
    not_these = {found.client.id}
    if all(found.lies_as(file) for file in found.files):
        not_these |= set.intersection(*(set(file.not_for) for file in found.files))
    return [
        client
        for client in CLIENTS.values()
        if client.id not in not_these
        and any(file.places & places for file in client.configuration.files.value or ())
    ]


def examine(files: Sequence[ExaminedFile]) -> list[Finding]:
    """All findings: file by file, in each by place, last what is about the whole file."""
    findings: list[Finding] = []
    together = _together(files)
    for file in files:
        here = list(_of_file(file))
        here += [one for one in together if one.file == file.path and one.client is file.client]
        for check in _about(About.FOUND):
            found = Found(file, [one.level for one in here])
            here += [_finding(check, file, None, said) for said in check.run(found)]
        findings += sorted(here, key=lambda one: (not one.line, one.line, one.column, -one.level))
    return findings


def about_tools(file: ExaminedFile, entry: ServerEntry, tools: Sequence[str]) -> list[Finding]:
    """What is wrong with the names of a server's tools, once they are known."""
    said = too_long(file.client, entry.name, tools)
    if said is None:
        return []
    return [_finding(CHECKS["tool-names-long"], file, ExaminedEntry(file, entry), said)]


def _about(about: About) -> list[Check]:
    return [check for check in CHECKS.values() if check.about is about]


def _of_file(file: ExaminedFile) -> Iterator[Finding]:
    for check in _about(About.FILE):
        yield from _all(check, file, check.run(file))
    for entry in file.entries:
        one = ExaminedEntry(file, entry)
        if not entry.counts:
            continue
        for check in _about(About.ENTRY):
            yield from _all(check, file, ((one, said) for said in check.run(one)))
        for check in _about(About.SERVER) if one.starts else ():
            yield from _all(check, file, ((one, said) for said in check.run(one)))


def _together(files: Sequence[ExaminedFile]) -> list[Finding]:
    """What comes of the files of each client together."""
    findings: list[Finding] = []
    for client in dict.fromkeys(file.client.id for file in files):
        same = [file for file in files if file.client.id == client]
        for check in _about(About.ALL):
            for one, said in check.run(ExaminedClient(same[0].client, same)):
                findings.append(_finding(check, one.file, one, said))
    return findings


def _all(
    check: Check, file: ExaminedFile, every: Iterable[Said | tuple[ExaminedEntry, Said]]
) -> Iterator[Finding]:
    for said in every:
        one, words = said if isinstance(said, tuple) else (None, said)
        yield _finding(check, file, one, words)


def _finding(check: Check, file: ExaminedFile, one: ExaminedEntry | None, said: Said) -> Finding:
    level = check.level if said.level is None else said.level
    if one is not None and one.entry.disabled and not check.if_disabled:
        level = Level.INFO
    line, column = (said.line, said.column) if said.line else file.position(_offset(one, said))
    masker = Masker() if one is None else one.masker
    return Finding(
        check=check.id,
        level=level,
        client=file.client,
        scope=file.contents.found.scope if one is None else one.entry.scope,
        file=file.path,
        message=_sentence(said.message),
        line=line,
        column=column,
        server="" if one is None else one.entry.name,
        effect=_capital(said.effect, file.client),
        remedy=_sentence(said.remedy),
        fix=said.fix,
        places=said.places,
    ).changed(masker.text)


def _offset(one: ExaminedEntry | None, said: Said) -> int:
    if isinstance(said.at, int):
        return said.at
    if isinstance(said.at, Member):
        return said.at.key_start
    if said.at is not None and said.at.start >= 0:
        return said.at.start
    return -1 if one is None else one.offset


def _sentence(words: str) -> str:
    return f"{words}." if words and not words.endswith((".", "?", "!")) else words


def _capital(effect: Effect, client: Client) -> Effect:
    words = effect.words
    is_name = words.startswith((client.name, *_NAMES))
    return Effect(words if is_name else words[:1].upper() + words[1:], effect.fact)
