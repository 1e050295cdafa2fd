"""The way to the calls of the session, and what was looked at there."""

from __future__ import annotations

from collections.abc import Callable

from mcptap.tui.index.feed import Feed
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.tap_screen import TapScreen


class CallsController:
    """Opens the screen of calls. `go_to` goes to the record at an index in the timeline."""

    def __init__(
        self, screen: TapScreen, feed: Feed, timeline: Timeline, go_to: Callable[[int], None]
    ) -> None:
        self._screen = screen
        self._feed = feed
        self._timeline = timeline
        self._go_to = go_to

    def open(self, query: str = "") -> None:
        """Show the calls, or those of them that a filter lets through."""
        from mcptap.tui.calls.screen import CallsScreen

        self._screen.app.push_screen(CallsScreen(self._feed, self._timeline, self._go_to, query))
