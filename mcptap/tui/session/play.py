"""Playing a session in its own time, on the screen of one recording."""

from __future__ import annotations

import time

from textual import on

from mcptap.tui.session.base import SessionBase
from mcptap.tui.session.playback import Playback
from mcptap.tui.session.player import Scrubber


class SessionPlay(SessionBase):
    """The keys of a film: play, pause, step, speed; and the session as of a moment."""

    _played_at = 0.0

    def action_play(self) -> None:
        """Play from the cursor; pause, go on."""
        if self.playback is None:
            self.playback = Playback(self.index.times, self.timeline.record or 0)
            self.scrubber.display = True
        self._played_at = time.monotonic()
        self.playback.play_or_pause()
        self.moment_changed()

    def action_stop(self) -> None:
        """End playing: all records again."""
        self.end_play()
        self.show_bars()

    def action_speed(self, steps: int) -> None:
        """Faster or slower."""
        if self.playback is not None:
            self.playback.change_speed(steps)
            self.show_bars()

    def action_skip_idle(self) -> None:
        """Another limit for pauses."""
        if self.playback is not None:
            self.playback.next_idle_limit()
            self.show_bars()

    def action_step(self, records: int) -> None:
        """One record forward or back; begins at the cursor."""
        if self.playback is None:
            self.playback = Playback(self.index.times, self.timeline.record or 0)
            self.scrubber.display = True
        self.playback.step(records)
        while self.index.is_hidden(self.playback.head) and not self.playback.at_end:
            self.playback.step(1 if records > 0 else -1)
        self.moment_changed()

    @on(Scrubber.Sought)
    def _sought(self, event: Scrubber.Sought) -> None:
        if self.playback is not None:
            self.playback.to_time(event.t_us)
            self.moment_changed()

    def play_on(self, now: float) -> None:
        """Let the time go on; `now` is of `time.monotonic`."""
        playback = self.playback
        if playback is None or not playback.playing:
            return
        elapsed, self._played_at = now - self._played_at, now
        if playback.advance(elapsed) or not playback.playing:
            self.moment_changed()
        elif now - self.clock_at >= 0.2:
            self.clock_at = now
            self.run_clocks()
            self.show_bars()

    def moment_changed(self) -> None:
        """Show the session as it was when the record at the head had come."""
        playback, timeline = self.playback, self.timeline
        if playback is None:
            return
        back = timeline.now is not None and playback.head < timeline.now
        timeline.now = self.pane.now = playback.head
        if back or timeline.now is None:
            timeline.forget()
        self.run_clocks()
        timeline.changed()
        timeline.go(timeline.count() - 1)
        self.timeline_bar.update()
        self.show_bars()

    def end_play(self) -> None:
        """Show all records again."""
        if self.playback is None:
            return
        self.playback = None
        self.timeline.now = self.pane.now = None
        self.scrubber.display = False
        self.run_clocks()
        self.timeline.forget()
        self.timeline.changed()
        self.timeline_bar.update()
