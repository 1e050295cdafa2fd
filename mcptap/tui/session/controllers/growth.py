"""How the screen grows with its file, and how its clocks go on."""

from __future__ import annotations

import time
from collections.abc import Callable

from mcptap.errors import UserError
from mcptap.tui.index.feed import Feed
from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.tap_screen import TapScreen

CLOCK = 0.5
"""Seconds between steps of the clocks of pending requests: two a second are enough for an eye."""


class GrowthController:
    """Takes what the feed brought. `grown` is called then, `begin_anew` when the file is another one."""

    def __init__(
        self,
        screen: TapScreen,
        feed: Feed,
        timeline: Timeline,
        play: PlayController,
        grown: Callable[[], None],
        begin_anew: Callable[[], None],
    ) -> None:
        self._screen = screen
        self._feed = feed
        self._timeline = timeline
        self._play = play
        self._grown = grown
        self._begin_anew = begin_anew
        self.shown_version = -1
        """The version of the feed that is on the screen."""
        self._clock_at = 0.0
        self._told_trouble = ""

    def tick(self) -> None:
        """Take what came since the last look, and let clocks go on."""
        now = time.monotonic()
        self._play.advance(now)
        if self._feed.version != self.shown_version:
            self.shown_version = self._feed.version
            self._take_growth()
        elif self._feed.status.live and now - self._clock_at >= CLOCK:
            self._clock_at = now
            self.run_clocks()

    def _take_growth(self) -> None:
        self._tell_trouble()
        timeline = self._timeline
        if self._feed.index is not timeline.index:
            timeline.index = self._feed.index
            timeline.flags = {}
            timeline.marked = set()
            self._told_trouble = ""
            self._begin_anew()
        self.run_clocks()
        self._grown()

    def run_clocks(self) -> None:
        """The session's own time, by which pending requests are aged; none once it has ended."""
        timeline = self._timeline
        if self._play.playback is not None:
            timeline.live_us = int(self._play.playback.position_us)
        elif self._feed.status.live and self._feed.start_wall_us:
            timeline.live_us = time.time_ns() // 1000 - self._feed.start_wall_us
        else:
            timeline.live_us = None
        if timeline.live_us is not None and timeline.index.open_requests:
            timeline.refresh()

    def read_again(self) -> None:
        """Read a capture again: what its program wrote since it was opened is not in what is shown."""
        if not self._feed.made_of:
            self._screen.notify("A recording grows on the screen by itself.")
        elif self._read_anew():
            self._screen.notify("The file was read again.")

    def _read_anew(self) -> bool:
        """Begin anew with the file as it is now; whether it can be read."""
        try:
            self._feed.restart()
        except OSError as error:
            self._screen.notify(f"It can't be opened any more: {error.strerror}", severity="error")
        except UserError as error:
            self._screen.notify(str(error), severity="error")
        else:
            return True
        return False

    def _tell_trouble(self) -> None:
        trouble = self._feed.status.trouble
        if trouble == self._told_trouble:
            return
        self._told_trouble = trouble
        notify = self._screen.notify
        if trouble == "deleted":
            notify("The file was deleted. What was read of it can still be looked at.", severity="warning")
        elif trouble in ("replaced", "truncated"):
            notify(f"The file was {trouble} while it was open: it is read anew.", severity="warning")
            self._read_anew()
        elif trouble:
            notify(f"Indexing stopped: {trouble}", severity="error", timeout=20)
