"""How a lock is written, and what two approvals need not have alike."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from mcptap.errors import UserError
from mcptap.jsontext.diff import CHANGED, Change, Steps
from mcptap.play.compare.ignore import Ignore
from mcptap.protocol.contract.lock import LockedServer
from mcptap.protocol.contract.lock_file import lock_text
from mcptap.recording.private import replace_file

_IGNORE = Ignore()


def overlooks(steps: Steps, old: Any, new: Any) -> bool:
    """Whether two texts differ only in what differs from run to run: times, ports, folders for a while."""
    if not isinstance(old, str) or not isinstance(new, str):
        return False
    place = ("result", "tools", "[0]", *steps)
    return bool(_IGNORE.reason(Change(place, CHANGED, old, new), "tools/list"))


def save_lock(path: str, servers: Iterable[LockedServer]) -> None:
    """Write the lock in one step. Raises UserError, with the file as it was."""
    data = lock_text(servers).encode("utf-8", "backslashreplace")
    try:
        replace_file(os.path.realpath(path), data)
    except OSError as error:
        raise UserError(f"{path}: cannot be written: {error.strerror}; nothing is changed") from error
