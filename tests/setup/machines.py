"""Configurations examined on a machine that a test makes up."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcptap.clients.configs.contents import contents_of
from mcptap.clients.configs.find import FoundConfig
from mcptap.clients.configuration import ConfigFile
from mcptap.clients.table import CLIENTS
from mcptap.diagnosis.engine.finding import Level
from mcptap.setup.doctor.examination import examine, readers_of
from mcptap.setup.doctor.finding import Finding
from mcptap.setup.doctor.machine import Machine
from mcptap.setup.doctor.subject import ExaminedFile

HOME = Path("/home/sam")
PROGRAMS = tuple(
    f"/usr/bin/{name}"
    for name in ("npx", "node", "uv", "uvx", "python", "python3", "docker", "a-server", "mcptap", "dotnet")
)


@dataclass(frozen=True)
class Disk:
    """A disk with just these files and folders; all files may be executed but those that are `barred`."""

    files: Collection[str] = PROGRAMS
    folders: Collection[str] = ("/usr/bin", "/home/sam")
    barred: Collection[str] = ()
    others: int = 0
    records: Collection[str] = ()
    tracked: bool = False
    begins: tuple[str, ...] = ()
    """Where every path without a space is that of a file."""

    def is_file(self, path: str) -> bool:
        return path in (*self.files, *self.barred) or (path.startswith(self.begins) and " " not in path)

    def is_folder(self, path: str) -> bool:
        return path in self.folders

    def is_executable(self, path: str) -> bool:
        return path not in self.barred

    def open_to(self, path: Path) -> int | None:
        return self.others

    def is_tracked(self, path: Path) -> bool:
        return self.tracked

    def has_record(self, path: Path, where: tuple[str | int, ...], name: str) -> bool:
        return name in self.records


def machine(
    disk: Disk | None = None,
    environ: Mapping[str, str] | None = None,
    cwd: str = "/home/sam/shop",
    platform: str = "linux",
) -> Machine:
    variables = {"PATH": "/usr/bin", "HOME": str(HOME), **(environ or {})}
    return Machine(HOME, Path(cwd), variables, platform, disk or Disk())


def file_of(client: str, shared: bool = True) -> ConfigFile:
    """The client's first file of that kind; of the other kind if it has none of it."""
    files = CLIENTS[client].configuration.files.value or ()
    current = [file for file in files if not file.older]
    return next((file for file in current if file.shared == shared), current[0])


def examined_file(
    client: str,
    data: bytes | str | dict[str, Any],
    *,
    on: Machine | None = None,
    shared: bool = True,
    file: ConfigFile | None = None,
    path: str = "",
    chosen: bool = True,
) -> ExaminedFile:
    """A file of a client with this content; a dictionary is written as JSON."""
    if isinstance(data, dict):
        data = json.dumps(data, indent=2)
    file = file or file_of(client, shared)
    place = Path(path or f"/home/sam/shop/{file.path.lstrip('~/') or 'mcp.json'}")
    found = FoundConfig(CLIENTS[client], place, (file,), True, ((0, 0),))
    raw = data.encode() if isinstance(data, str) else data
    return ExaminedFile(contents_of(found, raw), on or machine(), readers_of(found), chosen)


def findings(client: str, data: bytes | str | dict[str, Any], **where: Any) -> list[Finding]:
    """What doctor finds in such a file."""
    return examine([examined_file(client, data, **where)])


def entry(client: str, server: dict[str, Any], name: str = "one") -> dict[str, Any]:
    """A file with one entry, where this client has it."""
    keys = CLIENTS[client].configuration.servers_at.value or ()
    key = next(key for key in reversed(keys) if "*" not in key and key != "mcp.servers")
    if key.startswith('"'):
        return {key[1:-1]: {name: server}}
    inner: dict[str, Any] = {name: server}
    for step in reversed(key.split(".")):
        inner = {step: inner}
    return inner


def found_in(client: str, server: dict[str, Any], name: str = "one", **where: Any) -> dict[str, Finding]:
    """What is found in a file with one entry, by check."""
    return {one.check: one for one in findings(client, entry(client, server, name), **where)}


def worse(found: Mapping[str, Finding]) -> list[str]:
    """The checks that found something above info."""
    return [name for name, one in found.items() if one.level > Level.INFO]
