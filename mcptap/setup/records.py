"""What was written into a configuration, and what stood there before: a record for each file, while it lasts.

Clients rewrite their files and drop comments and keys that they do not know, so nothing of it stands there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mcptap.errors import UserError
from mcptap.recording.private import write_private
from mcptap.setup.state import key_of, private_folder, setup_folder

FORMAT = 1
FOLDER = "wrapped"

Where = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Wrapped:
    """An entry that mcptap was put in front of: its place, and its two values as bytes of the file.

    `args_before` is None where there was no such key: then `args_after` is all that was added, comma and
    all, and stands right behind the command.
    """

    client: str
    scope: str
    where: Where
    name: str
    command_before: bytes
    command_after: bytes
    args_before: bytes | None
    args_after: bytes


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What was written into one file."""

    file: str
    entries: tuple[Wrapped, ...]

    def of(self, where: Where, name: str) -> Wrapped | None:
        """The record of an entry; in a list it may have another index meanwhile."""
        same = [entry for entry in self.entries if entry.name == name]
        exact = [entry for entry in same if entry.where == where]
        found = exact or [entry for entry in same if entry.where[:-1] == where[:-1]]
        return found[0] if found else None

    def without(self, gone: Sequence[Wrapped]) -> FileRecord:
        """The same without some entries."""
        return FileRecord(self.file, tuple(entry for entry in self.entries if entry not in gone))

    def with_(self, entry: Wrapped) -> FileRecord:
        """The same with an entry, in place of one of the same place."""
        kept = [other for other in self.entries if (other.where, other.name) != (entry.where, entry.name)]
        return FileRecord(self.file, (*kept, entry))


def record_of(resolved: str) -> FileRecord:
    """What is on record about a file; without entries if nothing is, or what is there can't be read."""
    found = _read(_path(resolved))
    return found if found is not None and found.file == resolved else FileRecord(resolved, ())


def all_records() -> Iterator[FileRecord]:
    """All that can be read."""
    folder = os.path.join(setup_folder(), FOLDER)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return
    for name in names:
        found = _read(os.path.join(folder, name)) if name.endswith(".json") else None
        if found is not None:
            yield found


def keep(record: FileRecord) -> None:
    """Write a record, or remove it if it has no entries. Raises UserError."""
    path = _path(record.file)
    try:
        if record.entries:
            private_folder(FOLDER)
            write_private(path, _encoded(record))
        elif os.path.lexists(path):
            os.unlink(path)
    except OSError as error:
        raise UserError(
            f"{path}, the record of what is written, can't be written: {error.strerror}; nothing is changed"
        ) from error


def _path(resolved: str) -> str:
    return os.path.join(setup_folder(), FOLDER, f"{key_of(resolved)}.json")


def _encoded(record: FileRecord) -> bytes:
    entries = [{name: _text(value) for name, value in asdict(entry).items()} for entry in record.entries]
    whole = {"format": FORMAT, "file": record.file, "entries": entries}
    return json.dumps(whole, indent=1).encode() + b"\n"


def _text(value: Any) -> Any:
    return value.decode(errors="surrogateescape") if isinstance(value, bytes) else value


def _read(path: str) -> FileRecord | None:
    try:
        with open(path, "rb") as file:
            whole = json.loads(file.read())
        if whole["format"] != FORMAT:
            return None
        return FileRecord(whole["file"], tuple(map(_entry, whole["entries"])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _entry(value: dict[str, Any]) -> Wrapped:
    before = value["args_before"]
    return Wrapped(
        str(value["client"]),
        str(value["scope"]),
        tuple(step if isinstance(step, int) else str(step) for step in value["where"]),
        str(value["name"]),
        _bytes(value["command_before"]),
        _bytes(value["command_after"]),
        None if before is None else _bytes(before),
        _bytes(value["args_after"]),
    )


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")
