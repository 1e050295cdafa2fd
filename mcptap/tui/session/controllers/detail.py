"""The detail pane: open or not, and filled once the cursor has come to rest."""

from __future__ import annotations

from collections.abc import Callable

from textual.timer import Timer

from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.record_list import RecordList
from mcptap.tui.session.tabs import TABS
from mcptap.tui.widgets.tap_screen import TapScreen

WIDE = 160
"""From so many columns on the detail stands beside the timeline, and always."""

REST = 0.05
"""The detail is filled once the cursor has rested so many seconds: a held key draws one list only."""


class DetailController:
    """Owns whether the pane is open. `changed` is called when it was opened or closed."""

    def __init__(
        self, screen: TapScreen, timeline: RecordList, pane: DetailPane, changed: Callable[[], None]
    ) -> None:
        self.is_open = False
        """Whether the user opened it: on wide terminals it is shown all the same."""
        self.is_for_cause = False
        """Whether it was opened to tell the cause, and the user did nothing about it since."""
        self._screen = screen
        self._timeline = timeline
        self._pane = pane
        self._changed = changed
        self._rest_timer: Timer | None = None

    @property
    def is_wide(self) -> bool:
        """Whether there is room for the pane beside the timeline."""
        return self._screen.size.width >= WIDE

    def set_out(self) -> None:
        """Show the pane or not, for the present width."""
        self._screen.set_class(self.is_wide, "wide")
        self._pane.display = self.is_wide or self.is_open

    def fill(self) -> None:
        """Show the record under the cursor."""
        self._pane.now = self._timeline.now
        self._pane.show_record(self._timeline.record, self._timeline.run)

    def fill_soon(self) -> None:
        """Show the record under the cursor once it has rested there."""
        if self._pane.display:
            if self._rest_timer is not None:
                self._rest_timer.stop()
            self._rest_timer = self._screen.set_timer(REST, self.fill)

    def open_record(self) -> None:
        """Show the record under the cursor; if the pane is there already, go to what it shows."""
        if self._pane.display:
            self.is_open = True
            self._screen.set_focus(self._pane.detail)
            return
        if not self._pane.tab.about_record:
            self._pane.tab = TABS[0]
        # The first Enter opens it and leaves the cursor in the list, which it then follows.
        self._open()

    def open_cause(self) -> None:
        """Show the record under the cursor without taking the focus: nobody asked for it."""
        self._open(for_cause=True)

    def open_tab(self, name: str) -> None:
        """Show the tab of this name."""
        self._pane.choose_tab(name)
        self._open()

    def close(self) -> bool:
        """Close the pane if the user opened it; whether it was open."""
        if not self.is_open:
            return False
        self.is_open = False
        self._pane.display = self.is_wide
        self._screen.set_focus(self._timeline)
        self._changed()
        self._screen.call_after_refresh(self._closed)
        return True

    def _open(self, *, for_cause: bool = False) -> None:
        self.is_open = self._pane.display = True
        self.is_for_cause = for_cause
        self._changed()
        self._screen.call_after_refresh(self._opened)

    def _opened(self) -> None:
        self._timeline.go(self._timeline.cursor, centre=True)
        self.fill()
        self._pane.draw(keep=True)

    def _closed(self) -> None:
        self._timeline.go(self._timeline.cursor)
