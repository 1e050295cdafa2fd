"""The title, and the way from one recording of a folder to the next."""

from __future__ import annotations

import os
import threading

from mcptap.recording.library import beside
from mcptap.tui.index.feed import Feed
from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.title import title_row
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.tap_screen import OpenRecording, TapScreen


class TitleController:
    """Draws the title, and looks once, in a thread, for the recordings beside the one that is shown."""

    def __init__(self, screen: TapScreen, feed: Feed, play: PlayController, bar: Bar) -> None:
        self._screen = screen
        self._feed = feed
        self._play = play
        self._bar = bar
        self._paths: list[str] = []

    def look_around(self) -> None:
        """Find the other recordings of the folder."""
        app = self._screen.app

        def look() -> None:
            self._paths = beside(self._feed.path)
            app.call_later(self.draw)

        threading.Thread(target=look, name="neighbours", daemon=True).start()

    def draw(self) -> None:
        """Draw the title."""
        feed, playback = self._feed, self._play.playback
        if not self._screen.is_attached:
            return
        moment_us = int(playback.position_us) if playback is not None else None
        judgement, columns = feed.judgement, self._screen.size.width
        self._bar.show(title_row(self._bar.paint, feed, judgement, columns, self.place, moment_us))

    @property
    def place(self) -> tuple[int, int] | None:
        """Number and count of the recording in its folder; None if that is not known."""
        own = os.path.abspath(self._feed.path)
        return (self._paths.index(own) + 1, len(self._paths)) if own in self._paths else None

    def go_to_neighbour(self, step: int) -> None:
        """Open the recording before (-1) or the next one (1) in place of this one."""
        place = self.place
        number = place[0] - 1 + step if place is not None else -1
        if 0 <= number < len(self._paths):
            self._screen.post_message(OpenRecording(self._paths[number], instead=True))
        elif place is None:
            self._screen.notify("No other recordings of its folder are known.")
        else:
            self._screen.notify("This is the oldest one." if step < 0 else "This is the newest one.")
