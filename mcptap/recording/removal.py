"""Deleting recordings with care: nothing but the very file that was listed, if nobody writes to it."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from mcptap.recording.format.header import MAGIC
from mcptap.recording.paths import is_mine

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_DIRECTORY", 0)
_BY_FOLDER = {os.open, os.stat, os.unlink} <= os.supports_dir_fd
"""Whether a file can be named within a folder that is open, which nobody can exchange meanwhile."""


_LOCKED = "it is locked: a tap writes to it, or another mcptap looks at it"


@dataclass(frozen=True, slots=True)
class Listed:
    """A file as it was when it was listed: what is deleted has to be that."""

    base: str
    """The folder for recordings that it lies in, at any depth."""
    path: str
    identity: tuple[int, ...]
    size: int
    last_us: int
    """When it was written to last, in microseconds since 1970."""


def list_file(base: str, path: str) -> Listed | str:
    """A file that may be deleted, or why it may not be, in a few words."""
    try:
        status = os.lstat(path)
    except OSError as error:
        return str(error.strerror)
    return _unfit(status) or Listed(
        base, path, _identity(status), status.st_size, status.st_mtime_ns // 1_000
    )


def delete(listed: Listed) -> str:
    """Delete a file if it is still what was listed and no tap writes to it; else say why not. Empty if done.

    It is looked at under its lock, and by its name in folders that were opened one after another from
    the folder for recordings on, through no link.
    """
    try:
        if not _BY_FOLDER or fcntl is None:
            return _delete_by_path(listed)
        folder = _open_folder(listed.base, os.path.relpath(os.path.dirname(listed.path), listed.base))
        try:
            return _delete_in(folder, os.path.basename(listed.path), listed)
        finally:
            os.close(folder)
    except OSError as error:
        return str(error.strerror)


def _open_folder(base: str, below: str) -> int:
    """A descriptor of a folder of the user's below another. Raises OSError."""
    fd = os.open(base, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))
    for part in [part for part in below.split(os.sep) if part not in ("", ".")]:
        outer = fd
        try:
            if part == os.pardir:
                raise PermissionError(1, "it is in no folder for recordings")
            fd = os.open(part, _FOLDER, dir_fd=outer)
        finally:
            os.close(outer)
    if not is_mine(os.fstat(fd)):
        os.close(fd)
        raise PermissionError(1, "its folder is not yours")
    return fd


def _delete_in(folder: int, name: str, listed: Listed) -> str:
    fd = os.open(name, _READ, dir_fd=folder)
    try:
        status = os.fstat(fd)
        why = _unfit(status)
        if why:
            return why
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return _LOCKED
        if _identity(os.fstat(fd)) != listed.identity:
            return "it changed since it was listed"
        if os.read(fd, len(MAGIC)) != MAGIC:
            return "it is no recording"
        # The name may lead elsewhere by now: compared last, right before it goes.
        if _identity(os.stat(name, dir_fd=folder, follow_symlinks=False)) != listed.identity:
            return "it changed since it was listed"
        os.unlink(name, dir_fd=folder)
        return ""
    finally:
        os.close(fd)


def _delete_by_path(listed: Listed) -> str:
    """The same where an open file can't be deleted, or folders can't be opened."""
    from mcptap.recording.reader import is_locked

    if is_locked(listed.path):
        return _LOCKED
    status = os.lstat(listed.path)
    why = _unfit(status)
    if why:
        return why
    with open(listed.path, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return "it is no recording"
    if _identity(os.lstat(listed.path)) != listed.identity:
        return "it changed since it was listed"
    os.unlink(listed.path)
    return ""


def _unfit(status: os.stat_result) -> str:
    """Why a file is never deleted; empty if it may be."""
    if not stat.S_ISREG(status.st_mode):
        return "it is no regular file"
    if not is_mine(status):
        return "it is not yours"
    if status.st_nlink != 1:
        return "it has other names (hard links)"
    return ""


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns
