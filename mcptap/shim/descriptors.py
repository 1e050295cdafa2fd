"""Descriptors 0, 1 and 2: what they are, and keeping their numbers taken."""

from __future__ import annotations

import os

KINDS = {0o010000: "pipe", 0o140000: "socket", 0o100000: "file"}


def kind_of(fd: int) -> str:
    """What a descriptor is: `pipe`, `socket`, `tty`, `null`, `file`, `closed` or `other`."""
    try:
        mode = os.fstat(fd).st_mode & 0o170000
    except OSError:
        return "closed"
    if mode == 0o020000:
        return "tty" if os.isatty(fd) else "null"
    return KINDS.get(mode, "other")


def fill_closed() -> None:
    """Put nothing where 0, 1 or 2 is closed: else the recording would get that number. Raises OSError."""
    while True:
        fd = _nothing()
        if fd > 2:
            os.close(fd)
            return


def _nothing() -> int:
    try:
        return os.open(os.devnull, os.O_RDWR)
    except OSError:  # not every container has one
        ended, writing = os.pipe()
        os.close(writing)
        return ended


def close_and_keep_number(fd: int) -> None:
    """Close 0 or 1 for the other side, but keep the number taken: by stderr, which stays to the end."""
    os.dup2(2, fd, inheritable=False)
