"""The search within the page that the detail pane shows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.widgets.tap_screen import TapScreen


class PageSearch:
    """Goes from line to line of the page; what holds a hit is unfolded. `say`: words for the status line."""

    def __init__(self, screen: TapScreen, pane: DetailPane, say: Callable[[str], None]) -> None:
        self.text = ""
        self._screen = screen
        self._pane = pane
        self._say = say

    @property
    def has_focus(self) -> bool:
        """Whether the page is where one looks."""
        return self._pane.detail.has_focus

    def entered(self, text: str) -> None:
        """Mark the text in the page, and go to the first place from the cursor on."""
        self.text = text
        self._pane.detail.mark(text)
        self._pane.reveal(text.lower())
        self._go(0)

    def next_hit(self, direction: int) -> None:
        """To the next line with a hit (1), or the one before (-1), round the ends."""
        self._pane.detail.mark(self.text)
        self._pane.reveal(self.text.lower())
        self._go(direction)

    def unmark(self) -> bool:
        """Mark nothing any more; whether something was marked."""
        marked = bool(self._pane.detail.needle)
        self._pane.detail.mark("")
        return marked

    def _go(self, direction: int) -> None:
        detail = self._pane.detail
        hits = detail.hits()
        if not hits:
            self._say(f"{self.text!r} is not on this page")
            return
        if direction < 0:
            at = bisect_left(hits, detail.cursor) - 1
        else:
            at = bisect_left(hits, detail.cursor + direction) % len(hits)
        detail.go(hits[at], centre=True)
        self._say(f"{self.text!r} {at % len(hits) + 1:,} of {len(hits):,} lines · n next, N previous")
