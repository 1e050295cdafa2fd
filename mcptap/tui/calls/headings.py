"""The words above the columns of calls."""

from __future__ import annotations

from textual import events
from textual.message import Message

from mcptap.tui.widgets.bars import Bar


class Headings(Bar):
    """The words above the columns; a click on one sorts by it."""

    class Clicked(Message):
        """A column was clicked: `x`."""

        def __init__(self, x: int) -> None:
            super().__init__()
            self.x = x

    def on_click(self, event: events.Click) -> None:
        """Say where."""
        self.post_message(self.Clicked(event.x))
