"""What the launcher (`mcptap/launcher/mcptap.c`) tells: the start as it was, which Python alone would hide.

It marks each entry of the environment, so that neither Python nor the dynamic linker heeds it, and
says in an option which signals were ignored and blocked (Python ignores SIGPIPE and SIGXFSZ for
itself). Started in another way, as by `python -m mcptap`, what Python shows has to do.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
else:
    import _signal as signal  # its other half imports enum: a quarter of a bare interpreter's start

_ignored, _blocked, _mark = str(sys._xoptions.get("mcptap", "0,0,")).split(",")


def _numbers(hexadecimal: str) -> frozenset[int]:
    bits = int(hexadecimal, 16)
    return frozenset(number for number in range(1, 65) if bits >> (number - 1) & 1)


IGNORED = _numbers(_ignored)
"""The signals that were ignored at the start; empty if no launcher told."""

BLOCKED = _numbers(_blocked)
"""The signals that were blocked at the start; empty if no launcher told."""


def _entries() -> list[bytes]:
    try:
        with open("/proc/self/environ", "rb") as file:
            entries = file.read().split(b"\0")[:-1]
    except OSError:
        entries = [name + b"=" + value for name, value in os.environb.items()]
    # What has no mark is not the client's: Python adds LC_CTYPE to its own environment.
    mark = _mark.encode()
    return [entry[len(mark) :] for entry in entries if entry.startswith(mark)]


ENTRIES = _entries()
"""The environment as it was handed to us: each entry is `NAME=value`, or whatever it was."""


def undo() -> None:
    """Make this process what it would be without a launcher: `os.environ`, and SIGINT not blocked."""
    # Not by its own methods: for each entry putenv(3) and unsetenv(3) look through all of them.
    variables: dict[bytes, bytes] = os.environb._data  # type: ignore[attr-defined]
    variables.clear()
    for entry in ENTRIES:
        name, equals, value = entry.partition(b"=")
        if name and equals:
            variables.setdefault(name, value)  # of two with one name the first counts
    if signal.SIGINT not in BLOCKED:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
