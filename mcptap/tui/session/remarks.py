"""The status line: where one is, and what the last search or jump came to."""

from __future__ import annotations

from collections.abc import Callable

from mcptap.tui.index.feed import Feed
from mcptap.tui.session.bar_rows import status_row
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.bars import Bar


class Remarks:
    """Owns the words that stand there until the cursor moves. `changed` is called when there are others."""

    def __init__(self, feed: Feed, timeline: Timeline, status: Bar, changed: Callable[[], None]) -> None:
        self._feed = feed
        self._timeline = timeline
        self._status = status
        self._changed = changed
        self._words = ""
        self._said_at: int | None = None
        """The record for which they were said."""

    def say(self, words: str) -> None:
        """Put words into the line, until the cursor moves."""
        self._words, self._said_at = words, self._timeline.record
        self._changed()

    def drop(self) -> None:
        """The cursor may have moved."""
        if self._timeline.record != self._said_at:
            self._words = ""

    def draw(self, new: int, columns: int) -> None:
        """Draw the line; `new`: so many rows came that nobody has seen."""
        self._status.show(
            status_row(self._status.paint, self._timeline, self._feed, new, self._words, columns)
        )
