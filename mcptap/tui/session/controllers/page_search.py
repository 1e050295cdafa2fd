"""The search within what a pane shows: the page of the detail, or the findings."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from mcptap.tui.session.findings_pane import FindingsList
from mcptap.tui.widgets.detail import Detail
from mcptap.tui.widgets.tap_screen import TapScreen


class PageSearch:
    """Goes from line to line. `reveal` unfolds what holds the text (in lower case), `say` has words for the
    status line, `where` says where it looks.
    """

    def __init__(
        self,
        screen: TapScreen,
        lines: Detail | FindingsList,
        say: Callable[[str], None],
        where: str = "on this page",
        reveal: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.text = ""
        self.lines = lines
        self._screen = screen
        self._say = say
        self._where = where
        self._reveal = reveal

    @property
    def has_focus(self) -> bool:
        """Whether that is where one looks."""
        return self.lines.has_focus

    def entered(self, text: str) -> None:
        """Mark the text, and go to the first place from the cursor on."""
        self.text = text
        self.lines.mark(text)
        self._reveal(text.lower())
        self._go(0)

    def next_hit(self, direction: int) -> None:
        """To the next line with a hit (1), or the one before (-1), round the ends."""
        self.lines.mark(self.text)
        self._reveal(self.text.lower())
        self._go(direction)

    def unmark(self) -> bool:
        """Mark nothing any more; whether something was marked."""
        marked = bool(self.lines.needle)
        self.lines.mark("")
        return marked

    def _go(self, direction: int) -> None:
        lines = self.lines
        hits = lines.hits()
        if not hits:
            self._say(f"{self.text!r} is not {self._where}")
            return
        if direction < 0:
            at = bisect_left(hits, lines.cursor) - 1
        else:
            at = bisect_left(hits, lines.cursor + direction) % len(hits)
        lines.go(hits[at], centre=True)
        self._say(f"{self.text!r} {at % len(hits) + 1:,} of {len(hits):,} lines · n next, N previous")
