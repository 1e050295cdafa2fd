"""The option `--lock`, and the lock that it names."""

from __future__ import annotations

import argparse
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from mcptap.commands.checking.settings import is_planted
from mcptap.errors import UserError

if TYPE_CHECKING:
    from mcptap.protocol.contract.lock import Lock


def add_lock(parser: argparse.ArgumentParser) -> None:
    """The option that names what sessions are held against."""
    parser.add_argument(
        "--lock",
        metavar="FILE",
        help="say what differs from what mcptap lock approved; a name without a folder is looked for here "
        "and above, in the same repository; FILE#NAME: hold all against this server of the lock",
    )


def load_lock(target: str, folder: str = ".") -> Lock:
    """The lock that is meant by FILE or FILE#NAME. Raises UserError."""
    from mcptap.commands.locking.files import overlooks
    from mcptap.protocol.contract.lock_file import read_lock
    from mcptap.text.enumeration import listed

    path, _, name = (target, "", "") if os.path.exists(target) else target.partition("#")
    lock = read_lock(_found(path, os.path.abspath(folder)))
    if name and name not in lock.servers:
        raise UserError(f"{path} has no server {name!r}; it has {listed(list(lock.servers))}")
    return replace(lock, only=name, overlooks=overlooks)


def _found(path: str, folder: str) -> str:
    """A file that is here, or (by a name alone) above, as far as the repository goes."""
    if os.path.dirname(path):
        return path
    while True:
        candidate = os.path.join(folder, path)
        if os.path.isfile(candidate) and not is_planted(candidate, folder):
            return candidate
        parent = os.path.dirname(folder)
        if os.path.isdir(candidate):
            raise UserError(f"{candidate} is a folder, and no lock")
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            raise UserError(f"there is no {path} here or above, in this repository; mcptap lock makes one")
        folder = parent
