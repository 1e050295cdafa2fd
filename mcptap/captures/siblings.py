"""Whether a client that probed a server in a process of its own then started the real one.

TypeScript clients of version 2 that may speak either era start the command twice: once to ask
`server/discover` alone, once for the session.
"""

from __future__ import annotations

import os
import stat

from mcptap.captures.summary import SIBLING_US
from mcptap.protocol.model.session import Session
from mcptap.recording.format.model import Header
from mcptap.recording.library import header_of
from mcptap.recording.paths import SUFFIX

MAX_LOOKED_AT = 2000


def note_sibling(session: Session, path: str) -> None:
    """Note in a session that is no more than a probe whether the session proper followed it."""
    is_probe = session.traffic.only_discover and session.stateless.discover is not None
    if is_probe and session.header is not None and has_sibling(path, session.header, session.now_us):
        session.sibling = True


def has_sibling(path: str, header: Header, end_us: int) -> bool:
    """Whether the folder of this recording holds a later start of the same server by the same parent.

    `end_us` is the time of the last record. A start counts if it came at most five seconds later.
    """
    parent = header.parent.get("pid")
    if parent is None:
        return False
    folder = os.path.dirname(path) or "."
    try:
        owner = os.stat(path).st_uid
        names = [name for name in os.listdir(folder) if name.endswith(SUFFIX)]
    except OSError:
        return False
    latest = header.start_wall_us + end_us + SIBLING_US
    for name in sorted(names, reverse=True)[:MAX_LOOKED_AT]:
        other = _header(os.path.join(folder, name), owner)
        if other is None or other.fields.get("session") == header.fields.get("session"):
            continue
        same = other.name == header.name and other.parent.get("pid") == parent
        if same and header.start_wall_us <= other.start_wall_us <= latest:
            return True
    return False


def _header(path: str, owner: int) -> Header | None:
    """The header of a regular file of this user; nobody else's file bears witness."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != owner:
            return None
    except OSError:
        return None
    return header_of(path)
