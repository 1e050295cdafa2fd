"""Where an export goes: a new file, whole or not at all, or a pipe."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable

from mcptap.errors import UserError
from mcptap.recording.private import remove

_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def write(path: str, pieces: Iterable[bytes], *, replace: bool = False) -> None:
    """Write a file of mode 0600 in one step; what is there already only if it is to be replaced.

    What is no regular file, such as a pipe, is written to as it is. Raises UserError, and leaves nothing
    half-written.
    """
    if _is_special(path):
        _pour(path, pieces)
        return
    if os.path.lexists(path) and not replace:
        raise UserError(_there(path))
    draft = f"{path}.{os.getpid()}.mcptap-draft"
    try:
        with open(os.open(draft, _MAKE, 0o600), "wb") as file:
            file.writelines(pieces)
        _place(draft, path, replace)
    except FileExistsError:
        remove(draft)
        raise UserError(_there(path)) from None
    except OSError as error:
        remove(draft)
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error
    except BaseException:
        remove(draft)
        raise


def _there(path: str) -> str:
    return f"{path} is there already: name a new file, or say --force to replace it"


def _place(draft: str, path: str, replace: bool) -> None:
    """Give the draft its name, at once. Raises OSError."""
    if replace:
        os.replace(draft, path)
        return
    try:
        os.link(draft, path)  # never in place of another
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(path):
            raise FileExistsError from None
        os.rename(draft, path)
        return
    remove(draft)


def _is_special(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _pour(path: str, pieces: Iterable[bytes]) -> None:
    try:
        with open(path, "wb", buffering=1 << 16) as file:
            file.writelines(pieces)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}") from error
