"""Who started this server: its client's process, by which its sibling servers' recordings are known."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mcptap.play.server.process_tree import start_of
from mcptap.recording.format.model import Header
from mcptap.recording.reader import is_locked

_SLACK_US = 2_000_000
"""The kernel tells the time of the boot in whole seconds."""


@dataclass(frozen=True, slots=True)
class OwnClient:
    """The client's process. `since_wall_us` is its start, 0 if that is not known."""

    pid: int
    since_wall_us: int

    def started(self, path: str, header: Header) -> bool:
        """Whether it started the server of this recording, and not an earlier process of the same number."""
        if header.parent.get("pid") != self.pid:
            return False
        if not self.since_wall_us:
            return is_locked(path)
        return header.start_wall_us >= self.since_wall_us - _SLACK_US


def own_tap(path: str, header: Header) -> bool:
    """Whether this recording is that of the tap in front of this very server."""
    return header.fields.get("pid") == os.getppid() and is_locked(path)


def own_client(tap: Header | None) -> OwnClient:
    """The client; `tap` is the header of the recording of this server itself, if it is behind a tap."""
    pid = os.getppid() if tap is None else tap.parent.get("pid", 0)
    return OwnClient(pid, _started_wall_us(pid))


def _started_wall_us(pid: int) -> int:
    ticks = start_of(pid)
    if not ticks:
        return 0
    try:
        with open("/proc/stat") as file:
            boot_s = next(int(line.split()[1]) for line in file if line.startswith("btime "))
    except (OSError, ValueError, StopIteration):
        return 0
    return boot_s * 1_000_000 + ticks * 1_000_000 // os.sysconf("SC_CLK_TCK")


def is_this_server(header: Header) -> bool:
    """Whether a recording is one of `mcptap mcp`, be it of another start."""
    names = [os.path.basename(word) for word in header.argv[:4]]
    return "mcp" in names[1:] and names[names.index("mcp", 1) - 1] in ("mcptap", "mcptap-python")
