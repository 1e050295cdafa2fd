"""The machine that a configuration is examined on: folders, environment, platform and disk."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from mcptap.clients.configs.find import Surroundings, surroundings
from mcptap.errors import UserError
from mcptap.setup.records import record_of
from mcptap.setup.tracked import repository_of


class Disk(Protocol):
    """What is asked of a disk; all of it is False, or None, for what is not there."""

    def is_file(self, path: str) -> bool: ...  # noqa: D102
    def is_folder(self, path: str) -> bool: ...  # noqa: D102
    def is_executable(self, path: str) -> bool: ...  # noqa: D102

    def open_to(self, path: Path) -> int | None:
        """The permissions of others than the owner, as bits of a mode; None if there are none to tell."""

    def has_record(self, path: Path, where: tuple[str | int, ...], name: str) -> bool:
        """Whether mcptap has on record what it wrote into an entry of a file."""

    def is_tracked(self, path: Path) -> bool:
        """Whether a repository of git follows the file."""


class RealDisk:
    """The disk of this machine."""

    def is_file(self, path: str) -> bool:
        """Whether there is such a file."""
        return os.path.isfile(path)

    def is_folder(self, path: str) -> bool:
        """Whether there is such a folder."""
        return os.path.isdir(path)

    def is_executable(self, path: str) -> bool:
        """Whether it may be executed."""
        return os.access(path, os.X_OK)

    def open_to(self, path: Path) -> int | None:
        """The permissions of others than the owner."""
        if os.name == "nt":
            return None
        try:
            return stat.S_IMODE(os.stat(path).st_mode) & 0o077
        except OSError:
            return None

    def has_record(self, path: Path, where: tuple[str | int, ...], name: str) -> bool:
        """Whether mcptap has on record what it wrote."""
        try:
            return record_of(os.path.realpath(path)).of(where, name) is not None
        except UserError:
            return False

    def is_tracked(self, path: Path) -> bool:
        """Whether a repository of git follows it."""
        return bool(repository_of(os.path.realpath(path)))


@dataclass(frozen=True, slots=True)
class Machine(Surroundings):
    """Where a configuration is examined. `cwd` is the folder that clients are started in."""

    disk: Disk = field(default_factory=RealDisk)

    @property
    def is_windows(self) -> bool:
        """Whether programs are looked for as Windows does."""
        return self.platform == "win32"


def this_machine() -> Machine:
    """The one that this process runs on."""
    here = surroundings()
    return Machine(here.home, here.cwd, here.environ, here.platform)
