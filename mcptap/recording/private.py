"""Files of mcptap's own that are replaced in one step: settings, records, backups."""

from __future__ import annotations

import os
import stat

_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def write_private(path: str, data: bytes) -> None:
    """Write a file, readable for the user alone (mode 0600), in one step. Raises OSError."""
    _write(path, data, 0o600)


def replace_file(path: str, data: bytes) -> None:
    """Write a file for others too, in one step, with the mode that it has or a usual one. Raises OSError."""
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        os.umask(umask := os.umask(0o077))
        mode = 0o666 & ~umask
    _write(path, data, mode)


def _write(path: str, data: bytes, mode: int) -> None:
    draft = f"{path}.{os.getpid()}.mcptap-draft"
    fd = os.open(draft, _MAKE, 0o600)
    try:
        try:
            if hasattr(os, "fchmod"):
                os.fchmod(fd, mode)  # whatever the umask took
            write_all(fd, data)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(draft, path)
    except BaseException:
        remove(draft)
        raise
    sync_folder(os.path.dirname(path))


def write_all(fd: int, data: bytes) -> None:
    """Write all of the data. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def remove(path: str) -> None:
    """Remove a file if that can be done."""
    try:
        os.unlink(path)
    except OSError:
        pass


def sync_folder(folder: str) -> None:
    """See that what was renamed in a folder is on the disk, where the system can do that."""
    if os.name == "nt":
        return
    try:
        fd = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:  # a folder that one may write in, but not list
        return
    try:
        os.fsync(fd)
    except OSError:
        pass
    finally:
        os.close(fd)
