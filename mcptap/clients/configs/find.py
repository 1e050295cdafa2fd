"""Where the configurations of the clients lie on this machine, for somebody who stands in a folder."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mcptap.clients.client import Client
from mcptap.clients.configuration import ConfigFile, Configuration, Parents, Syntax
from mcptap.clients.table import CLIENTS

_BELOW_HOME = {
    "APPDATA": ("AppData", "Roaming"),
    "LOCALAPPDATA": ("AppData", "Local"),
    "USERPROFILE": (),
}
"""Folders of Windows, where they lie if no variable says so."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where somebody stands: home and current folder (both absolute), environment, `sys.platform`."""

    home: Path
    cwd: Path
    environ: Mapping[str, str]
    platform: str = sys.platform


def surroundings() -> Surroundings:
    """Those of this process."""
    return Surroundings(Path(os.path.expanduser("~")), Path.cwd(), os.environ)


@dataclass(frozen=True, slots=True)
class FoundConfig:
    """A file in which a client looks for servers. `files` are the facts that lead to it, by scope."""

    client: Client
    path: Path
    files: tuple[ConfigFile, ...]
    exists: bool
    """Whether something has this name, be it a link that leads nowhere."""
    ranks: tuple[tuple[int, int], ...] = ()
    """For each of `files`: its place among the client's, and how near its folder is."""

    @property
    def scope(self) -> str:
        """The scopes that the file holds: `user`, `user and local`."""
        return " and ".join(dict.fromkeys(file.scope for file in self.files))

    @property
    def shared(self) -> bool:
        """Whether it lies in a project, where others share it."""
        return any(file.shared for file in self.files)

    def lies_as(self, file: ConfigFile) -> bool:
        """Whether it lies where this fact has it, by its last folders."""
        return list(self.path.parts[-3:]) in (re.split(r"[/\\]", place)[-3:] for place in file.places)

    @property
    def syntax(self) -> Syntax:
        """What it is written in."""
        return self.files[0].syntax or self.client.configuration.syntax.value or Syntax.JSON


def config_files(
    client: Client | None,
    home: Path,
    cwd: Path,
    environ: Mapping[str, str],
    platform: str = sys.platform,
) -> list[FoundConfig]:
    """All files in which a client, or any client, would look for servers, whether they are there or not.

    Where two clients share all their files, those of the first stand for both.
    """
    around = Surroundings(home, cwd, environ, platform)
    found: list[FoundConfig] = []
    seen: list[Configuration] = []
    for one in [client] if client is not None else CLIENTS.values():
        if any(one.configuration is other for other in seen):
            continue
        seen.append(one.configuration)
        found += _of_client(one, around)
    return found


def _of_client(client: Client, around: Surroundings) -> list[FoundConfig]:
    found: dict[Path, FoundConfig] = {}
    for index, file in enumerate(client.configuration.files.value or ()):
        for near, path in enumerate(_paths(file, around)):
            before = found.get(path)
            if before is None:
                found[path] = FoundConfig(client, path, (file,), is_there(path), ((index, near),))
            elif file.at not in [other.at for other in before.files]:
                files, ranks = (*before.files, file), (*before.ranks, (index, near))
                found[path] = replace(before, files=files, ranks=ranks)
    return list(found.values())


def _paths(file: ConfigFile, around: Surroundings) -> Iterator[Path]:
    """Where a file lies, the farthest folder first."""
    for moved in file.moved:
        value = around.environ.get(moved.variable)
        if value and moved.on in ("", around.platform):
            yield from _matches(around.cwd / value / moved.rest, moved.rest, file.also)
            return
    text = file.on(around.platform)
    if not text:
        return
    path = expanded(text, around)
    folders = [around.cwd] if path.is_absolute() else folders_of(file.parents, around.cwd)
    for folder in folders if file.farthest_wins else reversed(folders):
        yield from _matches(folder / path, text, file.also)


def expanded(text: str, around: Surroundings) -> Path:
    """A path of the facts, which may begin with `~` or `%NAME%`, as it is here."""
    if text.startswith("%"):
        name, _, rest = text[1:].partition("%")
        value = around.environ.get(name)
        folder = Path(value) if value else around.home.joinpath(*_BELOW_HOME[name])
        return folder / rest.lstrip("\\").replace("\\", "/")
    if text.startswith("~/"):
        return around.home / text[2:]
    return Path(text)


def folders_of(parents: Parents, cwd: Path) -> list[Path]:
    """The folders in which a project's file counts, the nearest first."""
    every = [cwd, *cwd.parents][:-1] or [cwd]
    if parents is Parents.NONE:
        return [cwd]
    if parents is Parents.ALL:
        return every
    root = repository_of(cwd)
    if root is None:
        return every if parents is Parents.TOP else [cwd]
    return [folder for folder in (cwd, *cwd.parents) if folder.is_relative_to(root)]


def repository_of(cwd: Path) -> Path | None:
    """The root of the repository, or of the worktree, that a folder is in."""
    return next((folder for folder in (cwd, *cwd.parents) if (folder / ".git").exists()), None)


def local_folder(cwd: Path) -> Path:
    """The folder under whose name a client keeps what counts in this one alone.

    It is the root of the repository, of a worktree that of its main one, and without a repository the folder
    itself: seen in runs of Claude Code 2.1.332.
    """
    root = repository_of(cwd)
    if root is None:
        return cwd
    try:
        pointer = (root / ".git").read_text(errors="surrogateescape")
    except OSError:  # a folder: the main worktree
        return root
    main, inside, _ = pointer.removeprefix("gitdir:").strip().partition("/.git/worktrees/")
    return Path(os.path.normpath(root / main)) if inside else root


def _matches(path: Path, known: str, also: str) -> Iterator[Path]:
    """The files of a path of which `known` is the end that our facts say: a `*` in that is any name."""
    parts = known.replace("\\", "/").split("/")
    if "*" in known:
        pattern = parts[next(at for at, part in enumerate(parts) if "*" in part) :]
        yield from sorted(path.parents[len(pattern) - 1].glob("/".join(pattern)))
        return
    yield path
    if also:
        yield path.with_name(also)


def is_there(path: Path) -> bool:
    """Whether a name is there, as far as can be told. Where looking is not allowed reading says so."""
    try:
        os.lstat(path)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True
