"""The processes that a server left behind, found and ended.

A server is started as the leader of its own session, so its children (behind `sh`, `npx`,
`uvx`) carry its session id whoever their parent is now. One that made a session of its own
(a daemon) is found by its parent: a living one of the tree or, once that is dead, this
process, which asks the kernel to be given such orphans (Linux: PR_SET_CHILD_SUBREAPER).

Elsewhere than on Linux there is no /proc to look in: only the process group is ended.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

PR_SET_CHILD_SUBREAPER, PR_GET_CHILD_SUBREAPER = 36, 37
"""From linux/prctl.h."""
_ROUNDS = 200
"""So often, 10 ms apart, what was killed is looked for: it may have left children, or not be dead yet."""


@dataclass(frozen=True, slots=True)
class ProcessEntry:
    """One process as /proc/PID/stat has it; `started` is in clock ticks since boot."""

    pid: int
    state: str
    parent: int
    session: int
    started: int


@dataclass(frozen=True, slots=True)
class OwnProcess:
    """This process; `adopts` if orphans that came to it are the server's."""

    pid: int
    session: int
    adopts: bool


_adopting = 0  # how many blocks of `adopting_orphans` are open
_adopted_before = False


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Within the block, orphaned descendants become children of this process, where the kernel can do that.

    Without it, daemons of a server are not found; the rest is.
    """
    global _adopting, _adopted_before  # noqa: PLW0603 - the kernel's setting is the process's, too
    if not _adopting:
        _adopted_before = is_adopting()
        _prctl(PR_SET_CHILD_SUBREAPER, 1)
    _adopting += 1
    try:
        yield
    finally:
        _adopting -= 1
        if not _adopting:
            _prctl(PR_SET_CHILD_SUBREAPER, int(_adopted_before))


@contextmanager
def several_servers() -> Iterator[None]:
    """Around all servers of a command that runs several at once, and starts nothing else meanwhile.

    While they run, nobody can tell whose an orphan is; what is left of them at the end is ended here.
    """
    with adopting_orphans():
        before = {one.pid for one in _of_other_sessions()}
        try:
            yield
        finally:
            for _ in range(_ROUNDS if is_adopting() else 0):
                found = [one for one in _of_other_sessions() if one.pid not in before]
                for one in found:
                    kill(one.pid)
                    reap(one.pid)
                if not found:
                    break
                time.sleep(0.01)


def _of_other_sessions() -> list[ProcessEntry]:
    """The children of this process that are not of its session, the dead as well."""
    pid, session = os.getpid(), os.getsid(0) if hasattr(os, "getsid") else 0
    return [one for one in all_processes() if one.parent == pid and one.session != session]


def is_adopting() -> bool:
    """Whether the kernel gives this process its orphaned descendants."""
    value = ctypes.c_int()
    return _prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(value)) and bool(value.value)


def _prctl(option: int, argument: Any) -> bool:
    """Whether prctl(2) did it; never where there is none."""
    if sys.platform != "linux":
        return False
    try:
        return bool(ctypes.CDLL(None).prctl(option, argument, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def parse_stat(text: str) -> ProcessEntry | None:
    """The entry in the text of /proc/PID/stat (proc_pid_stat(5)); None if it is not understood."""
    # The name stands in parentheses and may itself hold spaces and parentheses.
    head, _, tail = text.rpartition(")")
    fields = tail.split()
    try:
        return ProcessEntry(
            int(head.split(" ", 1)[0]), fields[0], int(fields[1]), int(fields[3]), int(fields[19])
        )
    except (ValueError, IndexError):
        return None


def all_processes() -> list[ProcessEntry]:
    """All processes that can be seen; none where there is no /proc."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return []
    found = []
    for name in names:
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", errors="replace") as handle:
                entry = parse_stat(handle.read())
        except OSError:
            continue  # it ended while we looked
        if entry is not None:
            found.append(entry)
    return found


def tree_members(
    leader: int, processes: list[ProcessEntry], own: OwnProcess, since: int
) -> list[ProcessEntry]:
    """The tree of a server that was started as a session leader, without the leader; the dead as well.

    `since` is the leader's start in clock ticks: nothing older can belong to it.
    """
    young = [p for p in processes if p.started >= since and p.pid not in (leader, own.pid)]
    known = {leader} | {p.pid for p in young if p.session == leader}
    if own.adopts:
        known |= {p.pid for p in young if p.parent == own.pid and p.session != own.session}
    grown = True
    while grown:
        children = {p.pid for p in young if p.parent in known}
        grown = not children <= known
        known |= children
    return [p for p in young if p.pid in known]


def start_of(pid: int) -> int:
    """When a process was started, in clock ticks since boot; 0 if that is not known."""
    try:
        with open(f"/proc/{pid}/stat", errors="replace") as handle:
            entry = parse_stat(handle.read())
    except OSError:
        return 0
    return entry.started if entry else 0


def living_members(leader: int, since: int, alone: bool) -> list[int]:
    """The pids of what lives of a server's tree, without the server; what died and is ours is reaped.

    `alone` says that no other server of ours lives: then an orphan that the kernel gave to
    us can only be this one's.
    """
    if not since:
        return []
    own = OwnProcess(os.getpid(), os.getsid(0), alone)
    living = []
    for entry in tree_members(leader, all_processes(), own, since):
        if entry.state not in ("Z", "X"):
            living.append(entry.pid)
        elif entry.parent == own.pid:
            reap(entry.pid)
    return sorted(living)


def signal_group(leader: int, number: int) -> None:
    """Send a signal to a server's process group, if there is one still."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(leader, number)
        else:
            os.kill(leader, number)
    except (ProcessLookupError, PermissionError):
        pass


def kill(pid: int) -> None:
    """End one process for good."""
    try:
        os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    except (ProcessLookupError, PermissionError):
        pass


def reap(pid: int) -> None:
    """Take the exit status of a process that became our child and ended."""
    try:
        os.waitpid(pid, getattr(os, "WNOHANG", 0))
    except OSError:
        pass
