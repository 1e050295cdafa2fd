"""All recordings of some folders, summed up, judged one after the other, and kept up to date."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from mcptap.captures.summary import Summary, summarise_any, with_probes
from mcptap.recording.format.model import RecordingError
from mcptap.recording.library import search
from mcptap.recording.reader import State, is_locked

Stamp = tuple[int, int]
"""Size in bytes and time of the last change in nanoseconds: while both stay, so does the content."""

Judge = Callable[[str, bool], Summary | None]
"""Judges a file, however large; is told whether it is a probe. None if it can't be judged."""

STALE: Stamp = (-1, 0)
"""The stamp of a judgement that was overtaken by more than bytes."""

AGEING = 2.0
"""Seconds after which a live session in which something waits is judged anew: its verdict says how long."""

SHARE = 5
"""A live session is not judged again before so many times as long as judging it took."""


@dataclass(slots=True)
class _Known:
    """What is known of one file. `judged` is the stamp that its judgement is of."""

    stamp: Stamp
    summary: Summary
    is_probe: bool = False
    judged: Stamp | None = None
    not_before: float = 0.0
    """By the monotonic clock: judged again only then."""

    def waits(self, now: float) -> bool:
        """Whether it is to be judged."""
        if self.summary.state is not State.LIVE and self.judged == self.stamp:
            return False
        ages = self.summary.open > 0 or self.judged != self.stamp
        return ages and now >= self.not_before


class Collection:
    """The recordings of these folders, or of the default ones. Knows none before the first `look`.

    One thread may `look`, another one `judge`, and any may read.
    """

    def __init__(self, folders: list[str] | None = None) -> None:
        self.folders = folders
        self.unreadable = 0
        """Files of the folders that are no recordings, or can't be read."""
        self.ignored = 0
        """Files and folders that are not the user's, or no regular files."""
        self.is_loaded = False
        """Whether the folders were looked at."""
        self._known: dict[str, _Known] = {}
        self._refused: dict[str, Stamp] = {}
        """Files that are no recordings, which are looked into again only when they change."""
        self._lock = threading.Lock()

    @property
    def summaries(self) -> list[Summary]:
        """What is known of the recordings."""
        with self._lock:
            return [known.summary for known in self._known.values()]

    @property
    def unjudged(self) -> int:
        """How many recordings were not judged yet."""
        with self._lock:
            return sum(known.judged is None for known in self._known.values())

    def awaits(self, path: str) -> bool:
        """Whether this recording was never judged, and is going to be."""
        known = self._known.get(path)
        return known is not None and known.judged is None

    def forget(self, path: str) -> None:
        """The recording at this path was deleted."""
        with self._lock:
            self._known.pop(path, None)

    def look(self, changed: Callable[[], None]) -> None:
        """Sum up what is new or grew. `changed` is called once all is."""
        found: dict[str, _Known] = {}
        unreadable = 0
        library = search(self.folders)
        before = dict(self._known)
        for path in library.paths:
            try:
                if path in self._refused and self._refused[path] == stamp_of(path):
                    unreadable += 1
                    continue
                found[path] = _looked_at(path, before.get(path))
            except RecordingError:
                unreadable += 1
                self._refused[path] = stamp_of(path)
            except OSError:
                unreadable += 1
        groups = with_probes(known.summary for known in found.values())
        for probe in (probe.path for _, probes in groups for probe in probes):
            known = found[probe]
            if not known.is_probe:
                found[probe] = replace(known, is_probe=True, judged=None)
        with self._lock:
            for path, known in self._known.items():
                if known is not before.get(path) and path in found:
                    found[path] = _with_judgement(found[path], known)  # it was judged meanwhile
            self._known, self.unreadable, self.is_loaded = found, unreadable, True
        self.ignored = len(library.ignored)
        changed()

    def judge(self, judge: Judge, changed: Callable[[], None]) -> None:
        """Judge what is to be judged: small files first, the newest first. Calls `changed` for each."""
        while (path := self._next()) is not None:
            known = self._known.get(path)
            if known is None:
                continue
            begun = time.monotonic()
            summary = judge(path, known.is_probe)
            now = time.monotonic()
            pause = max(AGEING, SHARE * (now - begun))
            judged = replace(known, judged=known.stamp, not_before=now + pause)
            if summary is not None:
                judged.summary = summary
            with self._lock:
                present = self._known.get(path)
                if present is not None:
                    self._known[path] = judged if present is known else _with_judgement(present, judged)
            changed()

    def _next(self) -> str | None:
        now = time.monotonic()
        with self._lock:
            waiting = [known for known in self._known.values() if known.waits(now)]
        if not waiting:
            return None
        first = min(waiting, key=lambda k: (not k.summary.is_exact, -k.summary.start_wall_us))
        return first.summary.path


def stamp_of(path: str) -> Stamp:
    """The stamp of a file; an impossible one if it is gone."""
    try:
        status = os.stat(path)
    except OSError:
        return STALE
    return status.st_size, status.st_mtime_ns


def _looked_at(path: str, old: _Known | None) -> _Known:
    """What is known of a file by now. Raises OSError and RecordingError."""
    stamp = stamp_of(path)
    if old is not None and old.stamp == stamp:
        if old.summary.state is not State.LIVE:
            return old
        if is_locked(path):
            return replace(old, summary=_aged(old.summary))
    summary = summarise_any(path)
    if old is None:
        return _Known(stamp, summary)
    known = replace(old, stamp=stamp, summary=_carried(summary, old.summary))
    if summary.state is not old.summary.state and old.judged is not None:
        # The same bytes are judged in another way once the session has ended.
        known.judged, known.not_before = STALE, 0.0
    return known


def _with_judgement(known: _Known, judged: _Known) -> _Known:
    """What was found by a look, with what a judgement that ran beside it came to."""
    return replace(
        known,
        summary=_carried(known.summary, judged.summary),
        judged=judged.judged,
        not_before=judged.not_before,
    )


def _carried(summary: Summary, judged: Summary) -> Summary:
    """A summary with the judgement of another one of the same file, which is the best there is so far."""
    counted = judged.is_exact and judged.size == summary.size and not summary.is_exact
    return replace(
        summary,
        problems=judged.problems,
        outcome=judged.outcome,
        verdict=judged.verdict,
        remedy=judged.remedy,
        open=judged.open,
        messages=judged.messages if counted else summary.messages,
        is_exact=summary.is_exact or counted,
    )


def _aged(summary: Summary) -> Summary:
    """A live session that wrote nothing new: only its length goes on."""
    return replace(summary, length_us=max(0, time.time_ns() // 1000 - summary.start_wall_us))
