"""The folders where recordings lie: what is there, which is the newest, and what of it is not the user's.

What is *searched for* has to be the user's own: other users of the machine can write in the temporary
directory, and what is found there is read, and played, as the user's. A file that is *named* is read
whoever owns it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

from mcptap.errors import UserError
from mcptap.recording.format.decode import MAX_HEADER, decode_header
from mcptap.recording.format.model import Header, RecordingError
from mcptap.recording.paths import SUFFIX, default_folders, is_mine, refuse_if_foreign

LATEST, LATEST_PROBE = "latest", "latest-probe"

_REFERENCE = re.compile(r"(latest|latest-probe)(?:~(\d{1,9}))?")
_NAME = re.compile(r"(\d{8}T\d{6}\.\d{6})Z-")

Tell = Callable[[str], None]
"""Is given a sentence for the user."""


@dataclass(slots=True)
class Found:
    """What a search found."""

    paths: list[str] = field(default_factory=list)
    """Files that may be recordings."""
    ignored: list[str] = field(default_factory=list)
    """Files and folders that were passed over: not the user's, or no regular files."""

    def ignored_words(self) -> str:
        """What was passed over, as a sentence; empty if nothing was."""
        if not self.ignored:
            return ""
        which = self.ignored[0] + (f" and {len(self.ignored) - 1:,} more" if len(self.ignored) > 1 else "")
        return f"ignored, since it is not yours or no regular file: {which}; name a file to have it read"


def search(folders: Iterable[str] | None = None, suffixes: tuple[str, ...] = (SUFFIX,)) -> Found:
    """All files that may be recordings in these folders (the default ones), newest first.

    `suffixes`: how their names may end; captures of other tools have others than recordings.
    """
    found = Found()
    for folder in _default(found.ignored) if folders is None else folders:
        if _is_own_folder(folder, found.ignored):
            _walk(folder, found, suffixes)
    found.paths.sort(key=lambda path: (start_of(path), path), reverse=True)
    return found


def _default(ignored: list[str]) -> Iterator[str]:
    """The default folders whose parent, the user's folder for state, is the user's."""
    for folder in default_folders(os.environ):
        parent = os.path.dirname(folder)
        try:
            refuse_if_foreign(parent)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            ignored.append(parent)
            continue
        if _is_own_folder(parent, ignored):
            yield folder


def _walk(folder: str, found: Found, suffixes: tuple[str, ...]) -> None:
    for top, folders, names in os.walk(folder):
        folders[:] = [
            name
            for name in folders
            if not os.path.islink(os.path.join(top, name))
            and _is_own_folder(os.path.join(top, name), found.ignored)
        ]
        for name in names:
            if name.endswith(suffixes):
                path = os.path.join(top, name)
                (found.paths if is_own_file(path) else found.ignored).append(path)


def _is_own_folder(folder: str, ignored: list[str]) -> bool:
    """Whether a folder is the user's, or one that all may write in and nobody can take over (`/tmp`)."""
    try:
        status = os.stat(folder)
    except OSError:
        return False
    if is_mine(status) or (stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX):
        return True
    ignored.append(folder)
    return False


def is_own_file(path: str) -> bool:
    """Whether a path leads to a regular file of the user's; a link to it has to be the user's as well."""
    try:
        status = os.stat(path)
        return stat.S_ISREG(status.st_mode) and is_mine(status) and is_mine(os.lstat(path))
    except OSError:
        return False


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
    header = header_of(path)
    return header.start_wall_us if header is not None else 0


def beside(path: str) -> list[str]:
    """The recordings in the folder of this one, itself among them, oldest first; those of probes left out.

    Folders below that one are not looked at.
    """
    folder = os.path.dirname(os.path.abspath(path))
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX))
    except OSError:
        return []
    own = os.path.basename(path)
    paths = [os.path.join(folder, name) for name in names]
    headers = {path: header_of(path) for path in paths if is_own_file(path) or os.path.basename(path) == own}
    shown = [
        path
        for path, header in headers.items()
        if header is not None and (not header.probe or os.path.basename(path) == own)
    ]
    return sorted(shown, key=lambda path: (start_of(path), path))


def header_of(path: str) -> Header | None:
    """The header of a recording; None if the file can't be read, or does not begin as one."""
    try:
        with open(path, "rb") as file:
            return decode_header(file.readline(MAX_HEADER))
    except (OSError, RecordingError):
        return None


def reference(index: int, *, of_probe: bool = False) -> str:
    """What a user types for a recording of the default folders: `latest`, `latest~1`, `latest-probe`, …"""
    name = LATEST_PROBE if of_probe else LATEST
    return f"{name}~{index}" if index else name


def is_reference(target: str) -> bool:
    """Whether a target has the form of `latest` or `latest~2`."""
    return _REFERENCE.fullmatch(target) is not None


def find(target: str, tell: Tell) -> str:
    """The path that a user means by a file name, by `latest`, or by `latest~2` (two before it).

    Recordings that `mcptap probe` made have a row of their own: `latest-probe`, `latest-probe~2`.
    `tell` is told what the search for the latter ignored. Raises UserError.
    """
    wanted = _REFERENCE.fullmatch(target)
    # A file called `latest` in the folder where the user stands may be another user's trap.
    if wanted is None or is_own_file(target):
        return target
    found = search()
    if os.path.lexists(target):
        found.ignored.insert(0, target)
    if found.ignored:
        tell(found.ignored_words())
    of_probe, index = wanted[1] == LATEST_PROBE, int(wanted[2] or 0)
    alike = (path for path in found.paths if is_of_probe(path) is of_probe)
    count = 0
    for count, path in enumerate(alike, 1):
        if count > index:
            return path
    places = " or ".join(default_folders(os.environ))
    if count:
        raise UserError(f"there is no {target}: {places} has {count} of them; see mcptap ls")
    if of_probe:
        raise UserError(f"there is no recording of mcptap probe in {places}")
    others = f" but {len(found.paths)} of mcptap probe (latest-probe)" if found.paths else ""
    raise UserError(
        f"there is no recording in {places}{others}; make one with mcptap run"
        " or, to try it out, with mcptap demo"
    )


def is_of_probe(path: str) -> bool:
    """Whether `mcptap probe` made this recording: no agent, but mcptap's own questions."""
    header = header_of(path)
    return header is not None and bool(header.probe)
