"""Configurations opened to be changed: those of the clients here, the one that was named, those on record."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mcptap.clients.client import Client
from mcptap.clients.configs.contents import ConfigContents, contents_of
from mcptap.clients.configs.document import read_document
from mcptap.clients.configs.entry import Place, ServerEntry, read_entry
from mcptap.clients.configs.find import FoundConfig, Surroundings, config_files
from mcptap.clients.configs.given import given
from mcptap.clients.configs.nodes import Document, UnreadableDocument, at
from mcptap.clients.table import CLIENTS
from mcptap.errors import UserError
from mcptap.setup.files import Target, read_target
from mcptap.setup.records import FileRecord


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """A file as one client reads it."""

    target: Target
    contents: ConfigContents

    @property
    def document(self) -> Document:
        """What was read; there is one wherever there are entries."""
        assert self.contents.document is not None
        return self.contents.document

    def read_again(self, data: bytes) -> Document | None:
        """Other bytes of the same file; None if they can't be read."""
        try:
            return read_document(data, self.document.syntax)
        except UnreadableDocument:
            return None


def entry_after(document: Document, entry: ServerEntry) -> ServerEntry | None:
    """An entry as it is read from another document; None if it is not there.

    Nothing else of that is looked into: a file may have thousands of projects.
    """
    node = at(document.root, *entry.where)
    if node is None:
        return None
    place = Place(
        entry.client,
        entry.scope,
        entry.file,
        entry.name,
        entry.where,
        shared=entry.shared,
        project=entry.project,
    )
    return read_entry(node, place)


@dataclass(slots=True)
class Configurations:
    """What was opened, and sentences about what could not be."""

    opened: list[Opened] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)


def open_found(client: Client | None, around: Surroundings) -> Configurations:
    """All that are there, of one client or of all."""
    found = config_files(client, around.home, around.cwd, around.environ, around.platform)
    return _opened([one for one in found if one.exists])


def open_named(path: str, client: Client | None, around: Surroundings) -> Configurations:
    """The one that is named. Raises UserError if it can't be read, or its client can't be told."""
    found = given(Path(path), client, around)
    configurations = _opened([found])
    if configurations.troubles:
        raise UserError(configurations.troubles[0])
    return configurations


def open_recorded(records: Iterable[FileRecord], around: Surroundings) -> Configurations:
    """Those of records, of which none is of a file that is gone."""
    found: list[FoundConfig] = []
    troubles = []
    for record in records:
        for name in dict.fromkeys(entry.client for entry in record.entries):
            try:
                found.append(given(Path(record.file), CLIENTS.get(name), around))
            except UserError as error:
                troubles.append(f"{record.file}, in which mcptap was put in front of servers: {error}")
    configurations = _opened(found)
    configurations.troubles += troubles
    return configurations


def _opened(every: Iterable[FoundConfig]) -> Configurations:
    configurations = Configurations()
    targets: dict[str, Target] = {}
    for found in every:
        path = str(found.path)
        try:
            target = targets.get(os.path.realpath(path)) or read_target(path)
        except UserError as error:
            configurations.troubles.append(str(error))
            continue
        targets[target.resolved] = target
        contents = contents_of(found, target.data)
        if contents.document is None:
            problem = contents.problems[0]
            place = f"{path}:{problem.line}:{problem.column}" if problem.line else path
            configurations.troubles.append(f"{place}: {problem.sentence}; nothing is changed in it")
            continue
        configurations.opened.append(Opened(target, contents))
    return configurations
