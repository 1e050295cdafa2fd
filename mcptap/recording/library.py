"""The folders where recordings lie by default: what is there, and which is the newest."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from mcptap.errors import UserError
from mcptap.recording.format.decode import MAX_HEADER, decode_header
from mcptap.recording.format.model import RecordingError
from mcptap.recording.paths import SUFFIX, default_folders

LATEST = "latest"

_REFERENCE = re.compile(r"latest(?:~(\d{1,9}))?")
_NAME = re.compile(r"(\d{8}T\d{6}\.\d{6})Z-")


def recordings(folders: Iterable[str] | None = None) -> Iterator[str]:
    """Paths of all files that may be recordings in these folders (the default ones), in no order."""
    for folder in default_folders(os.environ) if folders is None else folders:
        for top, _, names in os.walk(folder):
            yield from (os.path.join(top, name) for name in names if name.endswith(SUFFIX))


def newest_first(folders: Iterable[str] | None = None) -> list[str]:
    """The same paths, by the start of the session."""
    return sorted(recordings(folders), key=lambda path: (start_of(path), path), reverse=True)


def start_of(path: str) -> int:
    """When a recording's session started, in microseconds since 1970: by its name, else by its header."""
    found = _NAME.match(os.path.basename(path))
    if found:
        try:
            start = datetime.strptime(found[1], "%Y%m%dT%H%M%S.%f").replace(tzinfo=UTC)
        except ValueError:
            pass
        else:
            return round(start.timestamp() * 1_000_000)
    try:
        with open(path, "rb") as file:
            return decode_header(file.readline(MAX_HEADER)).start_wall_us
    except (OSError, RecordingError):
        return 0


def reference(index: int) -> str:
    """What a user types for a recording of the default folders: `latest`, `latest~1`, …"""
    return f"{LATEST}~{index}" if index else LATEST


def find(target: str) -> str:
    """The path that a user means by a file name, by `latest`, or by `latest~2` (two before it).

    Raises UserError.
    """
    wanted = _REFERENCE.fullmatch(target)
    if wanted is None or os.path.exists(target):
        return target
    found = newest_first()
    index = int(wanted[1] or 0)
    if index < len(found):
        return found[index]
    places = " or ".join(default_folders(os.environ))
    if not found:
        raise UserError(f"there is no recording in {places}; make one with mcptap run, or name a file")
    raise UserError(f"there is no {target}: {places} has {len(found)} of them; see mcptap ls")
