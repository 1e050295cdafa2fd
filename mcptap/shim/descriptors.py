"""Descriptors 0, 1 and 2: what they are, and keeping their numbers taken."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
else:
    import _signal as signal  # its other half imports enum

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


def lead_to_one(first: int, second: int) -> bool:
    """Whether two descriptors are of the same pipe, socket or file (not: terminal or device)."""
    try:
        one, other = os.fstat(first), os.fstat(second)
    except OSError:
        return False
    same = (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
    return same and one.st_mode & 0o170000 in KINDS and one.st_ino > 0


def keep_one_order(first: int, second: int) -> bool:
    """Whether bytes written to either of two that lead to one come to stand one behind the other.

    Not so in a file that was opened twice: each descriptor then writes at a place of its own, over
    what the other wrote, unless both append.
    """
    if kind_of(first) != "file":
        return True
    try:
        from fcntl import F_GETFL, F_SETFL, fcntl
    except ImportError:  # Windows
        return False
    flags, others = fcntl(first, F_GETFL), fcntl(second, F_GETFL)
    if flags & others & os.O_APPEND:
        return True
    # The flags belong to what was opened, and this one means nothing for a file: does it show in both?
    fcntl(first, F_SETFL, flags ^ os.O_NONBLOCK)
    is_one = fcntl(second, F_GETFL) != others
    fcntl(first, F_SETFL, flags)
    return is_one


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


def close_and_keep_number(*fds: int) -> None:
    """Close some of 0, 1 and 2 for the other side, but keep their numbers taken. Raises OSError."""
    nothing = _nothing()
    for fd in fds:
        os.dup2(nothing, fd, inheritable=False)
    os.close(nothing)


def unstopped(act: Callable[..., object], *arguments: object) -> None:
    """Do what a terminal stops a process in the background for (SIGTTOU) without being stopped."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        act(*arguments)
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTTOU})
    try:
        act(*arguments)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
