"""Programs on a pseudo-terminal, and what it showed."""

from __future__ import annotations

import os

ATTACH = """
import os, sys
os.close(os.open(sys.argv[1], os.O_RDWR))  # the first terminal that a session's leader opens is its own
os.execv(sys.executable, [sys.executable, "-m", "mcptap", *sys.argv[2:]])
"""


def shown_by(ours: int, theirs: int) -> bytes:
    """All that was shown on the pseudo-terminal so far; closes both ends.

    Echo and output reach our end one by one and by the kernel's own time; only once the last other
    end is closed does a read wait for what is under way, and fail when there is no more.
    """
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 1 << 16):
            shown += piece
    except OSError:  # EIO: all of it was read
        pass
    finally:
        os.close(ours)
    return shown
