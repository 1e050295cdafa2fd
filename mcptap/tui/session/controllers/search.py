"""The search through the text of all records, from hit to hit."""

from __future__ import annotations

from collections.abc import Callable

from mcptap.tui.index.finder import Finder
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.tap_screen import TapScreen


class SearchController:
    """Owns the `Finder`. `go_to` goes to the record at an index, `say` puts words into the status line."""

    def __init__(
        self,
        screen: TapScreen,
        timeline: Timeline,
        go_to: Callable[[int], None],
        say: Callable[[str], None],
    ) -> None:
        self.finder = Finder(timeline.index)
        self._screen = screen
        self._timeline = timeline
        self._go_to = go_to
        self._say = say

    @property
    def text(self) -> str:
        """What was searched for last; empty if nothing was."""
        return self.finder.text

    def entered(self, text: str) -> None:
        """Search for this, from the cursor on."""
        self.finder.text = text
        self._timeline.needle = text.lower()
        self._timeline.forget()
        self._find(self._timeline.record or 0, 1)

    def next_hit(self, direction: int) -> None:
        """To the next hit (1), or the one before (-1)."""
        if not self.text:
            self._screen.notify("There is nothing to search for yet: / begins a search.")
            return
        self._find((self._timeline.record or 0) + direction, direction)

    def stop(self) -> bool:
        """Stop a search that is under way; whether one was."""
        if not self.finder.is_running:
            return False
        self.finder.cancel()
        self._say("search stopped")
        return True

    def unmark(self) -> bool:
        """Mark no hits in the timeline any more; whether some were."""
        marked = bool(self._timeline.needle)
        self._timeline.needle = ""
        if marked:
            self._timeline.forget()
        return marked

    def begin_anew(self) -> None:
        """Search through the index that the timeline shows now."""
        self.finder.cancel()
        self.finder = Finder(self._timeline.index)

    def _find(self, start: int, direction: int) -> None:
        self._say(f"searching for {self.text!r} · esc stops")
        app = self._screen.app

        def told(hit: int | None) -> None:
            app.call_later(self._found, hit)

        self.finder.find(start, direction, told)

    def _found(self, hit: int | None) -> None:
        if hit is None:
            words = f"{self.text!r} is nowhere in the recording"
        else:
            self._go_to(hit)
            words = f"{self.text!r} · n next, N previous"
        # Moving takes the words away, and its message is still on its way.
        self._screen.call_later(self._say, words)
