"""A configuration file read, and replaced in one step: whoever looks sees the old bytes or the new ones.

What can't be kept (owner, links, attributes) is a reason to change nothing.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from dataclasses import dataclass

from mcptap.errors import UserError
from mcptap.recording.paths import is_mine, utc
from mcptap.recording.private import remove, sync_folder, write_all, write_private
from mcptap.setup.state import key_of, private_folder

MOST_BYTES = 256 << 20
BACKUPS = 3
"""So many backups of a file are kept."""

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_LOCK = ".lock"
"""Behind the name of a file: what clients on Node.js make while they write it (by proper-lockfile)."""
_STALE_S = 10
"""An older lock is one that was left."""
_LOOKS = 30
_LOOK_S = 0.1
_DRAFT = ".mcptap-draft"
"""Behind the name of a file: its new content, before it takes the file's place."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file as it was read. `resolved` is where the links lead that `path` may go through."""

    path: str
    resolved: str
    data: bytes
    status: os.stat_result

    @property
    def shown(self) -> str:
        """The path for people, and where it leads if that is elsewhere."""
        linked = os.path.abspath(self.path) != self.resolved
        return f"{self.path} (which leads to {self.resolved})" if linked else self.path


def read_target(path: str) -> Target:
    """Read a file that is to be changed. Raises UserError."""
    try:
        resolved = os.path.realpath(path, strict=True)
        fd = os.open(resolved, _READ)
        try:
            status = os.fstat(fd)
            if stat.S_ISDIR(status.st_mode):
                raise UserError(f"{path} is a folder, not a configuration file; nothing is changed")
            if not stat.S_ISREG(status.st_mode):
                raise UserError(f"{path} is no regular file; nothing is changed")
            if status.st_size > MOST_BYTES:
                raise UserError(f"{path} is too large for a configuration ({status.st_size:,} bytes)")
            return Target(path, resolved, _read_all(fd), status)
        finally:
            os.close(fd)
    except IsADirectoryError:
        raise UserError(f"{path} is a folder, not a configuration file; nothing is changed") from None
    except OSError as error:
        raise UserError(f"{path} can't be read: {error.strerror}; nothing is changed in it") from error


def require_replaceable(target: Target) -> None:
    """Raise UserError if replacing the file would lose something, or is not the user's business."""
    shown, status = target.shown, target.status
    if not is_mine(status):
        raise UserError(
            f"{shown} belongs to another user; nothing is changed in it (run mcptap as that user)"
        )
    if status.st_nlink > 1:
        raise UserError(
            f"{shown} has {status.st_nlink} hard links, which a new file in its place would part; "
            "nothing is changed in it (edit it by hand, or make it one file)"
        )
    folder = os.path.dirname(target.resolved)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UserError(
            f"{shown} can't be replaced: the folder {folder} is read-only; nothing is changed in it"
        )


def replace(target: Target, data: bytes) -> str:
    """Give the file new content in one step, and return the path of the backup of the old one.

    Raises UserError, with the file as it was, also if it is not any more what was read. To be called with
    the lock held.
    """
    target = _unchanged(target)
    require_replaceable(target)
    folder, name = os.path.split(target.resolved)
    draft = os.path.join(folder, f".{name}{_DRAFT}")
    try:
        backup = _back_up(target)
        _remove_left(draft)
        fd = os.open(draft, _MAKE, 0o600)
    except OSError as error:
        raise _not_replaced(target, error) from error
    try:
        try:
            write_all(fd, data)
            _take_over(target, draft, fd)
            os.fsync(fd)
        finally:
            os.close(fd)
        _wait_for_writer(target)
        _unchanged(target)
        os.replace(draft, target.resolved)
    except OSError as error:
        remove(draft)
        raise _not_replaced(target, error) from error
    except BaseException:
        remove(draft)
        raise
    sync_folder(folder)
    return backup


def backup_folder(resolved: str) -> str:
    """Where the backups of a file lie, or will."""
    return private_folder("backups", key_of(resolved))


def _back_up(target: Target) -> str:
    folder = backup_folder(target.resolved)
    name = f"{utc(time.time_ns(), '%Y%m%dT%H%M%S')}-{os.path.basename(target.resolved)}"
    path = os.path.join(folder, name)
    write_private(path, target.data)
    there = sorted(entry.name for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False))
    # A draft is what a killed process left: it is no backup, and counts as none.
    whole = [one for one in there if not one.endswith(_DRAFT)]
    for old in [one for one in there if one not in whole] + whole[:-BACKUPS]:
        remove(os.path.join(folder, old))
    return path


def _unchanged(target: Target) -> Target:
    """The same file read again. Raises UserError if it is another one, or says something else."""
    now = read_target(target.path)
    if now.resolved != target.resolved or now.data != target.data:
        raise UserError(
            f"{target.shown} was changed by another program meanwhile; nothing is changed in "
            "it (run it again)"
        )
    return now


def _wait_for_writer(target: Target) -> None:
    """Wait until nobody holds the file's lock. Raises UserError if somebody does for long."""
    lock = target.resolved + _LOCK
    for _ in range(_LOOKS):
        try:
            if time.time() - os.lstat(lock).st_mtime > _STALE_S:
                return
        except FileNotFoundError:
            return
        time.sleep(_LOOK_S)
    raise UserError(
        f"{target.shown} is being written by another program, which has {lock}; nothing is changed in it "
        "(run it again)"
    )


def _take_over(target: Target, draft: str, fd: int) -> None:
    """Give the new file the group, attributes, rights and lists of access of the old one. Raises OSError."""
    if os.name == "nt":
        return
    if os.fstat(fd).st_gid != target.status.st_gid:
        os.fchown(fd, -1, target.status.st_gid)
    for name in _attributes(target.resolved):
        try:
            os.setxattr(draft, name, os.getxattr(target.resolved, name))
        except OSError:
            # Labels of the system are its own business; what the user gave must not get lost.
            if name.startswith(("user.", "system.")):
                raise
    os.fchmod(fd, stat.S_IMODE(target.status.st_mode))


def _attributes(path: str) -> list[str]:
    if not hasattr(os, "listxattr"):
        return []
    try:
        return os.listxattr(path)
    except OSError:  # a file system without them
        return []


def _remove_left(draft: str) -> None:
    """Remove what a killed process left: the lock is held, so nobody works on it."""
    try:
        status = os.lstat(draft)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode) or not is_mine(status):
        raise FileExistsError(errno.EEXIST, f"{draft} is in the way")
    os.unlink(draft)


def _not_replaced(target: Target, error: OSError) -> UserError:
    why = error.strerror or str(error)
    if error.errno == errno.EBUSY:
        why = "it is a mount of its own (as in a container), and can't be renamed over"
    elif error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        why = f"the folder {os.path.dirname(target.resolved)} does not take a new file ({why})"
    return UserError(f"{target.shown} can't be replaced: {why}; nothing is changed in it")


def _read_all(fd: int) -> bytes:
    pieces = []
    while piece := os.read(fd, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)
