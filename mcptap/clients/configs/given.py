"""Which client a file belongs to that somebody names: by its name, its folder and its keys."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from mcptap.clients.client import Client
from mcptap.clients.configs.contents import containers
from mcptap.clients.configs.document import read_document, read_file
from mcptap.clients.configs.find import FoundConfig, Surroundings, config_files, is_there
from mcptap.clients.configs.nodes import UnreadableDocument
from mcptap.clients.configuration import ConfigFile, Configuration
from mcptap.clients.table import CLIENTS
from mcptap.errors import UserError
from mcptap.text.enumeration import listed

_OUTSIDE = re.compile(r"~|%\w+%|\w:")
"""The part of a path that is another on each machine."""


@dataclass(frozen=True, slots=True)
class _Match:
    client: Client
    files: tuple[ConfigFile, ...]
    ranks: tuple[tuple[int, int], ...]
    score: int
    """So many parts of the path, from its end, are those of the client's file."""
    complete: bool
    """Whether these are all that are known of the file's place."""

    @property
    def borrowed(self) -> bool:
        return all(file.borrowed for file in self.files)


def named_client(name: str | None) -> Client | None:
    """The client with an id whose configuration is known; None if none is named. Raises UserError."""
    if name is None:
        return None
    known = {one.id: one for one in CLIENTS.values() if one.configuration.files.known}
    if name not in known:
        ids = ", ".join(sorted(known))
        raise UserError(f"--client {name!r} is no client whose configuration is known; known: {ids}")
    return known[name]


def given(path: Path, client: Client | None, around: Surroundings) -> FoundConfig:
    """The configuration that a path names, as its client reads it, which may be said.

    Raises UserError if there is no such file, or if it could be that of several clients.
    """
    path = Path(os.path.abspath(around.cwd / path))
    if os.path.isdir(path) or not is_there(path) or (os.path.islink(path) and not os.path.exists(path)):
        raise UserError(f"there is no file {path}; name a client's configuration")
    found = [
        one
        for one in config_files(client, around.home, around.cwd, around.environ, around.platform)
        if one.path == path
    ]
    matches = [_Match(one.client, one.files, one.ranks, 0, True) for one in found]
    matches = _decided(matches or _by_name(path, client), path)
    if not matches and client is not None:
        matches = [_any_file(client)]
    if not matches:
        raise UserError(f"no client that mcptap knows has a configuration called {path.name}; say --client")
    if len(matches) > 1:
        names = listed([match.client.name for match in matches], last="or")
        ids = ", ".join(match.client.id for match in matches)
        raise UserError(f"{path} may be that of {names}; say which by --client ({ids})")
    match = matches[0]
    return FoundConfig(match.client, path, match.files, True, match.ranks)


def _any_file(client: Client) -> _Match:
    """How a client would read a file of a name that it does not know."""
    every = dict.fromkeys(file.at for file in client.configuration.files.value or ())
    files = tuple(ConfigFile("given", "/", at=at) for at in every)
    return _Match(client, files, tuple((index, 0) for index in range(len(files))), 0, False)


def _by_name(path: Path, client: Client | None) -> list[_Match]:
    """For each client its files that fit best."""
    matches: list[_Match] = []
    seen: list[Configuration] = []
    for one in [client] if client is not None else CLIENTS.values():
        if any(one.configuration is other for other in seen):
            continue
        seen.append(one.configuration)
        best: _Match | None = None
        for index, file in enumerate(one.configuration.files.value or ()):
            score, complete = _score(path, file)
            rank = (index, 0)
            if score and (best is None or (complete, score) > (best.complete, best.score)):
                best = _Match(one, (file,), (rank,), score, complete)
            elif complete and file.shared and best is not None and score == best.score:
                # That of the user has been looked for by its whole path.
                best = _Match(one, (file,), (rank,), score, complete)
            elif score and best is not None and _same_place(file, best.files[0]):
                best = _Match(one, (*best.files, file), (*best.ranks, rank), score, complete)
        if best is not None:
            matches.append(best)
    return matches


def _same_place(file: ConfigFile, other: ConfigFile) -> bool:
    return (file.path, file.macos, file.windows) == (other.path, other.macos, other.windows)


def _score(path: Path, file: ConfigFile) -> tuple[int, bool]:
    """How many parts of a path fit, from its end, and whether all that are known do."""
    best = (0, False)
    names = [re.split(r"[/\\]", text) for text in (file.path, file.macos, file.windows) if text]
    names += [[*parts[:-1], file.also] for parts in names if file.also]
    for every in names:
        parts = [part for part in every if part and not _OUTSIDE.fullmatch(part)]
        fitting = 0
        for place, (wanted, part) in enumerate(zip(reversed(parts), reversed(path.parts), strict=False), 1):
            if not fnmatchcase(part, wanted):
                break
            # What fits any name says nothing before a part that has one fits, too.
            fitting = fitting if "*" in wanted else place
        best = max(best, (fitting, fitting == len(parts)))
    return best


def _decided(matches: list[_Match], path: Path) -> list[_Match]:
    """Those that remain: whole paths before parts, more parts before fewer, owners, then by the keys."""
    matches = [match for match in matches if match.complete] or matches
    most = max((match.score for match in matches), default=0)
    matches = [match for match in matches if match.score == most]
    matches = [match for match in matches if not match.borrowed] or matches
    if len(matches) < 2:
        return matches
    try:
        data = read_file(path)
    except (UnreadableDocument, FileNotFoundError):
        return matches
    return [match for match in matches if _has_servers(data, match)] or matches


def _has_servers(data: bytes, match: _Match) -> bool:
    configuration = match.client.configuration
    syntax = match.files[0].syntax or configuration.syntax.value
    if syntax is None:
        return False
    try:
        root = read_document(data, syntax).root
    except UnreadableDocument:
        return False
    keys = match.files[0].at or configuration.servers_at.value or ()
    return root is not None and any(containers(root, keys))
