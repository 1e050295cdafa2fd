"""Waiting for the first recording of servers that mcptap was just put in front of."""

from __future__ import annotations

from collections.abc import Callable, Collection

from mcptap.captures.summary import Summary, summarise
from mcptap.recording.format.model import RecordingError
from mcptap.recording.library import search, start_of
from mcptap.recording.reader import State

QUIET_LOOKS = 3
"""A session in which nothing passed while so many looks were taken has told what there is to tell."""


def wait_for_first(names: Collection[str], since_us: int, pause: Callable[[], None]) -> Summary:
    """The first session of one of these servers that began at this time (µs since 1970) or later.

    It has ended, or nothing passes any more. `pause` is called between two looks.
    """
    quiet, before = 0, ("", -1)
    while True:
        summary = _first(names, since_us)
        if summary is not None:
            if summary.state is not State.LIVE:
                return summary
            now = (summary.path, summary.size)
            quiet = quiet + 1 if now == before and summary.messages else 0
            if quiet >= QUIET_LOOKS:
                return summary
            before = now
        pause()


def _first(names: Collection[str], since_us: int) -> Summary | None:
    """The newest recording that is meant, but none of a client that only asked which protocol is spoken."""
    for path in search().paths:  # the newest first
        if start_of(path) < since_us:
            return None
        try:
            summary = summarise(path)
        except RecordingError:
            continue
        if summary.name in names and not summary.is_probe:
            return summary
    return None
