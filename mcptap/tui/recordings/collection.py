"""All recordings of some folders, summed up and judged, and kept up to date."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace

from mcptap.captures.summary import Summary, summarise, with_probes
from mcptap.recording.format.model import RecordingError
from mcptap.recording.library import search
from mcptap.recording.reader import State, is_locked

Stamp = tuple[int, int]
"""Size in bytes and time of the last change in nanoseconds: while both stay, so does the content."""


class Collection:
    """The recordings of these folders, or of the default ones. Knows none before the first `look`."""

    def __init__(self, folders: list[str] | None = None) -> None:
        self.folders = folders
        self.unreadable = 0
        """Files of the folders that are no recordings, or can't be read."""
        self.ignored = 0
        """Files and folders that are not the user's, or no regular files."""
        self.is_loaded = False
        """Whether the folders were looked at."""
        self._known: dict[str, tuple[Stamp, Summary]] = {}

    @property
    def summaries(self) -> list[Summary]:
        """What is known of the recordings."""
        return [summary for _, summary in self._known.values()]

    def forget(self, path: str) -> None:
        """The recording at this path was deleted."""
        self._known.pop(path, None)

    def look(self, changed: Callable[[], None]) -> None:
        """Sum up what is new or grew, then judge it, newest first. May run in a thread.

        `changed` is called once all is summed up, and for each recording that was judged.
        """
        found: dict[str, tuple[Stamp, Summary]] = {}
        fresh: list[str] = []
        unreadable = 0
        library = search(self.folders)
        for path in library.paths:
            try:
                status = os.stat(path)
                stamp = (status.st_size, status.st_mtime_ns)
                old_stamp, old = self._known.get(path, (None, None))
                if old is not None and old_stamp == stamp and old.state is not State.LIVE:
                    found[path] = (stamp, old)
                elif old is not None and old_stamp == stamp and is_locked(path):
                    found[path] = (stamp, _aged(old))
                else:
                    summary = summarise(path)
                    if old is not None:
                        summary = replace(summary, problems=old.problems, outcome=old.outcome)
                    found[path] = (stamp, summary)
                    fresh.append(path)
            except (OSError, RecordingError):
                unreadable += 1
        self._known, self.unreadable, self.is_loaded = dict(found), unreadable, True
        self.ignored = len(library.ignored)
        changed()
        groups = with_probes(summary for _, summary in found.values())
        probes = {probe.path for _, others in groups for probe in others}
        for path in fresh:
            stamp, summary = found[path]
            summary = _judged(summary, is_probe=path in probes)
            if summary.problems is not None:
                found[path] = (stamp, summary)
                self._known = dict(found)
                changed()


def _aged(summary: Summary) -> Summary:
    """A live session that wrote nothing new: only its length goes on."""
    return replace(summary, length_us=max(0, time.time_ns() // 1000 - summary.start_wall_us))


def _judged(summary: Summary, *, is_probe: bool) -> Summary:
    """With what it came to; as it is if it is too big to be judged for a list, or no longer readable."""
    from mcptap.diagnosis.problems import judged

    try:
        return judged(summary, is_probe=is_probe)
    except RecordingError:
        return summary
