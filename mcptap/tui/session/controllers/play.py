"""Playing a session in its own time: play, pause, step, speed; and the session as of a moment."""

from __future__ import annotations

import time
from collections.abc import Callable

from mcptap.tui.index.feed import Feed
from mcptap.tui.session.bar_rows import known_capabilities
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.playback import Playback
from mcptap.tui.session.scrubber import Scrubber
from mcptap.tui.session.timeline import Timeline

CLOCK = 0.2
"""Seconds between steps of the clock in a pause of the session."""


class PlayController:
    """Owns the `Playback`, which is None while the session is not played.

    `changed` is called when another record is the last that has come, and when the clock went on.
    """

    def __init__(
        self,
        feed: Feed,
        timeline: Timeline,
        pane: DetailPane,
        scrubber: Scrubber,
        changed: Callable[[], None],
    ) -> None:
        self.playback: Playback | None = None
        self._feed = feed
        self._timeline = timeline
        self._pane = pane
        self._scrubber = scrubber
        self._changed = changed
        self._played_at = 0.0
        self._ticked_at = 0.0

    @property
    def is_on(self) -> bool:
        """Whether the session is shown as of a moment."""
        return self.playback is not None

    def play_or_pause(self) -> None:
        """Play from the cursor; pause; go on."""
        playback = self._begun()
        self._played_at = time.monotonic()
        playback.play_or_pause()
        self.show_moment()

    def step(self, records: int) -> None:
        """So many records forward or back, beginning at the cursor; to one that has a row."""
        playback = self._begun()
        playback.step(records)
        index = self._timeline.index
        while index.lines.is_repeated(playback.head) and not playback.at_end:
            playback.step(1 if records > 0 else -1)
        self.show_moment()

    def change_speed(self, steps: int) -> None:
        """Faster or slower."""
        if self.playback is not None:
            self.playback.change_speed(steps)
            self._changed()

    def next_idle_limit(self) -> None:
        """Another limit for pauses."""
        if self.playback is not None:
            self.playback.next_idle_limit()
            self._changed()

    def to_time(self, t_us: int) -> None:
        """To this time, if the session is played."""
        if self.playback is not None:
            self.playback.to_time(t_us)
            self.show_moment()

    def to_record(self, i: int) -> None:
        """To the moment at which the record at this index had come, if the session is played."""
        if self.playback is not None:
            self.playback.to_record(i)
            self.show_moment()

    def uncover(self, i: int) -> None:
        """To the moment at which the record at this index had come, if it has not come yet."""
        if self.playback is not None and i > self.playback.head:
            self.to_record(i)

    def advance(self, now: float) -> None:
        """Let the time go on; `now` is of `time.monotonic`."""
        playback = self.playback
        if playback is None or not playback.playing:
            return
        elapsed, self._played_at = now - self._played_at, now
        if playback.advance(elapsed) or not playback.playing:
            self.show_moment()
        elif now - self._ticked_at >= CLOCK:
            self._ticked_at = now
            self._changed()

    def show_moment(self) -> None:
        """Show the session as it was when the record at the head had come."""
        playback, timeline = self.playback, self._timeline
        if playback is None:
            return
        back = timeline.now is not None and playback.head < timeline.now
        timeline.now = self._pane.now = playback.head
        if back:
            timeline.forget()
        timeline.changed()
        timeline.go(timeline.row_of(playback.head) or 0)
        self._changed()

    def end(self) -> bool:
        """Show all records again; whether the session was played."""
        if self.playback is None:
            return False
        self.playback = None
        self._timeline.now = self._pane.now = None
        self._scrubber.display = False
        self._timeline.forget()
        self._timeline.changed()
        self._changed()
        return True

    def draw(self) -> None:
        """Draw the scrubber."""
        if self.playback is None:
            return
        index, judgement = self._timeline.index, self._pane.judgement
        flagged = (i for i, level in self._timeline.flags.items() if level)
        known = known_capabilities(index, judgement, self.playback.head)
        self._scrubber.draw_playback(self.playback, index, flagged, known)

    def _begun(self) -> Playback:
        if self.playback is None:
            self.playback = Playback(self._timeline.index.times, self._timeline.record or 0)
            self._scrubber.display = True
        return self.playback
