"""The folders where recordings lie by default: what is there, and which is the newest."""

from __future__ import annotations

import os
from collections.abc import Iterator

from mcptap.errors import UserError
from mcptap.recording.paths import SUFFIX, default_folders

LATEST = "latest"


def recordings() -> Iterator[str]:
    """Paths of all recordings in the default folders, in no order."""
    for folder in default_folders(os.environ):
        for top, _, names in os.walk(folder):
            yield from (os.path.join(top, name) for name in names if name.endswith(SUFFIX))


def newest_first() -> list[str]:
    """Paths of all recordings in the default folders, by the start in their names."""
    return sorted(recordings(), key=os.path.basename, reverse=True)


def find(target: str) -> str:
    """The path that a user means by a file name or by `latest`. Raises UserError."""
    if target != LATEST:
        return target
    found = newest_first()
    if not found:
        places = " or ".join(default_folders(os.environ))
        raise UserError(f"there is no recording in {places}; make one with mcptap run, or name a file")
    return found[0]
