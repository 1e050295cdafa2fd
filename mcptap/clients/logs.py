"""The logs that clients keep of their servers, where they lie on this machine."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from mcptap.clients.client import Client
from mcptap.clients.configs.find import Surroundings, expanded
from mcptap.clients.table import CLIENTS


@dataclass(frozen=True, slots=True)
class FoundLog:
    """A log of a client, as a file of this user's."""

    client: Client
    path: str
    size: int
    """Bytes."""
    written_us: int
    """When it was last written to, in microseconds since 1970."""


def patterns(client: Client, around: Surroundings) -> list[str]:
    """Where this client's logs lie on this system: paths, absolute, in which `*` stands for any name."""
    return list(dict.fromkeys(_patterns(client, around)))


def _patterns(client: Client, around: Surroundings) -> Iterator[str]:
    for file in client.habits.log_files.value or ():
        moved = around.environ.get(file.variable) if file.variable else None
        if moved:
            yield str(around.cwd / moved)
        elif place := file.on(around.platform):
            yield str(expanded(place, around))


def find_logs(around: Surroundings, wanted: str = "") -> list[FoundLog]:
    """The logs of all clients, or of the one with this id, newest first: regular files of the user's own."""
    found: dict[str, FoundLog] = {}
    for client in CLIENTS.values():
        if wanted and client.id != wanted:
            continue
        for pattern in patterns(client, around):
            for path in glob.iglob(pattern, recursive=True, include_hidden=True):
                log = _log(client, path)
                if log is not None:
                    found.setdefault(os.path.realpath(path), log)
    return sorted(found.values(), key=lambda log: (-log.written_us, log.path))


def _log(client: Client, path: str) -> FoundLog | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    if not stat.S_ISREG(status.st_mode) or (hasattr(os, "getuid") and status.st_uid != os.getuid()):
        return None
    return FoundLog(client, path, status.st_size, status.st_mtime_ns // 1_000)
