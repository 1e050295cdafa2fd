"""Where backups and records of changed configurations lie, outside of all projects, and their lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256

from mcptap.errors import UserError
from mcptap.recording.paths import clean_name, default_folders, is_mine, make_private_folder

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FOLDER = "setup"
LOCK_NAME = "lock"


def setup_folder() -> str:
    """The folder in the user's state directory. Raises UserError if the user has none.

    Not the temporary one that recordings may lie in: a backup has to be there tomorrow.
    """
    lasting = default_folders(os.environ)[:-1]
    if not lasting:
        raise UserError("there is no home folder to keep backups in, so nothing is changed; set HOME")
    return os.path.join(os.path.dirname(lasting[0]), FOLDER)


def private_folder(*below: str) -> str:
    """A folder below that one, made if it is not there, that nobody else can look into. Raises UserError."""
    top = setup_folder()
    folder = os.path.join(top, *below)
    try:
        make_private_folder(folder)
        while len(folder) >= len(os.path.dirname(top)):
            status = os.stat(folder)
            if not is_mine(status):
                raise UserError(
                    f"{folder}, where backups are kept, belongs to another user, so nothing is changed; "
                    "remove it or set XDG_STATE_HOME"
                )
            if os.name != "nt" and status.st_mode & 0o077:
                os.chmod(folder, status.st_mode & 0o700)
            folder = os.path.dirname(folder)
    except OSError as error:
        raise UserError(
            f"there is no place for backups in {top}: {error.strerror}, so nothing is changed; "
            "make it writable or set XDG_STATE_HOME"
        ) from error
    return os.path.join(top, *below)


def key_of(resolved: str) -> str:
    """A name for a file by its path: for people its last part, and what tells it from its namesakes."""
    digest = sha256(os.fsencode(resolved)).hexdigest()[:12]
    return f"{clean_name(os.path.basename(resolved))}-{digest}"


@contextmanager
def lock(tell: Callable[[str], None]) -> Iterator[None]:
    """Hold the lock that only one process has that changes configurations of this user.

    `tell` is told if it has to be waited for. A system without locks goes on without: the file that is
    replaced is compared with what was read in any case.
    """
    path = os.path.join(private_folder(), LOCK_NAME)
    fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if fcntl is not None:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                tell("waiting for another mcptap that changes configurations")
                fcntl.flock(fd, fcntl.LOCK_EX)
            except OSError:
                pass
        yield
    finally:
        os.close(fd)
