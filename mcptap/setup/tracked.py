"""Whether git tracks a file, by the repository's index: git itself would run what a repository sets."""

from __future__ import annotations

import os

_LENGTH = 0xFFF
"""The bits in which an entry's flags have the length of its name, up to this."""
MOST_BYTES = 256 << 20


def repository_of(resolved: str) -> str:
    """The root of the repository that tracks a file; empty if none does, or none that can be read."""
    folder = os.path.dirname(resolved)
    while True:
        index = _index(os.path.join(folder, ".git"))
        if index:
            name = os.fsencode(os.path.relpath(resolved, folder)).replace(os.fsencode(os.sep), b"/")
            return folder if _names(index, name) else ""
        parent = os.path.dirname(folder)
        if parent == folder:
            return ""
        folder = parent


def _index(git: str) -> bytes:
    """The index of a repository, or of a worktree whose `.git` is a file; empty if there is none."""
    try:
        if os.path.isfile(git):
            with open(git, "rb") as file:
                word, _, place = file.read(4096).partition(b":")
            if word != b"gitdir":
                return b""
            git = os.path.join(os.path.dirname(git), os.fsdecode(place.strip()))
        with open(os.path.join(git, "index"), "rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""


def _names(index: bytes, name: bytes) -> bool:
    """Whether an entry of the index has the name (gitformat-index): behind flags with its length."""
    if index[4:8] == b"\0\0\0\4":  # names without what they share with the one before
        name = name.rpartition(b"/")[2]
        return index.find(name + b"\0") >= 0
    at = index.find(name + b"\0")
    while at >= 0:
        if int.from_bytes(index[at - 2 : at]) & _LENGTH == min(len(name), _LENGTH):
            return True
        at = index.find(name + b"\0", at + 1)
    return False
