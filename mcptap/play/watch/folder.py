"""What changes below a folder: files by name, size and time, looked at again and again.

Polling with `os.scandir`: the folder of a server has some hundred files once what was installed is left
out, and they are looked through in milliseconds. inotify is of one system alone, has limits on watches, and
says nothing on network file systems and in shared folders of containers. No library is needed for it.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import trio

POLL_S = 0.3
"""How often the folder is looked at."""

QUIET_S = 0.5
"""How long nothing may change before a change counts as over: a build touches many files."""

LONGEST_S = 30.0
"""A folder in which something changes without end is not waited for longer."""

LEFT_OUT = frozenset(
    {
        ".git",
        ".hg",
        ".svn",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".tox",
        ".venv",
        "__pycache__",
        "node_modules",
        "venv",
    }
)
"""Folders that are not looked into: what is installed, caches, and the insides of version control."""

EDITORS = ("~", ".swp", ".swo", ".swx", ".tmp")
"""How files end that editors make beside the one that is edited; some begin with `.#`."""

MOST_FILES = 50_000
"""More files than this are not looked at: each look would take a second."""

MOST_IN_A_ROW = 2
"""So many runs may begin one after the other for nothing but what changed during the one before."""

Snapshot = Mapping[str, tuple[int, int, int]]
"""Of each file below the folder: time of change (ns), size (bytes) and number of the file."""


@dataclass(slots=True)
class Watch:
    """A folder that is watched. `without` are folders and files that are left out, by their full paths."""

    folder: str
    without: Collection[str] = ()
    is_cut: bool = False
    """Whether there are more files than are looked at."""
    _own: set[str] = field(default_factory=set)
    _before: Snapshot = field(default_factory=dict)
    _after: Snapshot = field(default_factory=dict)
    _in_last_run: set[str] = field(default_factory=set)
    _in_a_row: int = 0
    """So many runs began in a row for what changed during the one before."""
    writes_new: bool = False
    """Whether the server writes a file of another name each time: then no new file of a run begins one."""

    def run_begins(self) -> None:
        """Note how the folder looks before a run: what changes from now on begins the next one."""
        self._before = self._after = self.look()

    def run_ended(self) -> list[str]:
        """The files that from now on count as written by the server itself, sorted.

        They are those that changed during two runs, one after the other, and all that changed when runs
        have begun each other several times: else each run would begin the next.
        What is changed in them while no server runs is somebody's doing, and counts as in any file.
        """
        self._after = self.look()
        changed = changes(self._before, self._after)
        own = (changed & self._in_last_run) - self._own
        if self._in_a_row >= MOST_IN_A_ROW:
            own = self._changed_in_run(self._after)
            self.writes_new = self.writes_new or not own <= self._before.keys()
        self._in_last_run = changed
        self._own |= own
        return sorted(own)

    async def changed(self) -> list[str]:
        """Wait until something changed since the last run began, and then nothing more; the files, sorted."""
        while not (found := self._changed()):
            await trio.sleep(POLL_S)
        with trio.move_on_after(LONGEST_S):
            last, quiet_since = self.look(), trio.current_time()
            while trio.current_time() - quiet_since < QUIET_S:
                await trio.sleep(POLL_S)
                now = self.look()
                if now != last:
                    last, quiet_since = now, trio.current_time()
        found = self._changed() or found
        self._in_a_row = 0 if changes(self._after, self.look()) else self._in_a_row + 1
        return found

    def look(self) -> Snapshot:
        """The files as they are now. What can't be read is as if it were not there."""
        found: dict[str, tuple[int, int, int]] = {}
        todo = [self.folder]
        self.is_cut = False
        while todo:
            try:
                entries = os.scandir(todo.pop())
            except OSError:
                continue
            with entries:
                for entry in entries:
                    if entry.name in LEFT_OUT or entry.path in self.without or _is_of_an_editor(entry.name):
                        continue
                    try:
                        if entry.is_dir(follow_symlinks=False):
                            todo.append(entry.path)
                            continue
                        status = entry.stat()
                    except OSError:
                        continue
                    if len(found) >= MOST_FILES:
                        self.is_cut = True
                        return found
                    found[entry.path] = (status.st_mtime_ns, status.st_size, status.st_ino)
        return found

    def _changed(self) -> list[str]:
        now = self.look()
        return sorted(self._changed_in_run(now) | changes(self._after, now))

    def _changed_in_run(self, now: Snapshot) -> set[str]:
        """What changed since the run began, without what the server writes itself."""
        changed = changes(self._before, now) - self._own
        return changed & self._before.keys() if self.writes_new else changed


def changes(before: Snapshot, now: Snapshot) -> set[str]:
    """The files that came, went or changed."""
    return {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}


def _is_of_an_editor(name: str) -> bool:
    return name.startswith(".#") or name.endswith(EDITORS)
