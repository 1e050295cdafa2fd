"""The search from hit to hit: through the text of all records, or through the pane with the focus."""

from __future__ import annotations

from collections.abc import Callable

from mcptap.tui.index.finder import Finder
from mcptap.tui.session.controllers.page_search import PageSearch
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.findings_pane import FindingsList
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.tap_screen import TapScreen


class SearchController:
    """Owns the `Finder`, and the searches within the panes, which go on where one of these has the focus.

    `go_to` goes to the record at an index, `say` puts words into the status line.
    """

    def __init__(
        self,
        screen: TapScreen,
        timeline: Timeline,
        pane: DetailPane,
        findings: FindingsList,
        prompt: Prompt,
        go_to: Callable[[int], None],
        say: Callable[[str], None],
    ) -> None:
        self.finder = Finder(timeline.index)
        self.page = PageSearch(screen, pane.detail, say, reveal=pane.reveal)
        self.found = PageSearch(screen, findings, say, "in the findings")
        self.asked: PageSearch | None = None
        """The search within a pane for which the user types."""
        self._screen = screen
        self._timeline = timeline
        self._prompt = prompt
        self._go_to = go_to
        self._say = say
        self._at: int | None = None
        """The index of the hit that was gone to last."""

    @property
    def text(self) -> str:
        """What was searched for last; empty if nothing was."""
        here = self.here
        return here.text if here is not None and here.text else self.finder.text

    @property
    def here(self) -> PageSearch | None:
        """The search within the pane with the focus; None in the timeline."""
        return next((each for each in (self.page, self.found) if each.has_focus), None)

    def ask(self) -> None:
        """Let the user type what is to be searched for."""
        self.asked = self.here
        self._prompt.ask(
            "search" if self.asked is None else "page" if self.asked is self.page else "findings"
        )

    def entered(self, text: str) -> None:
        """Search all records for this, from the cursor on."""
        self.finder.look_for(text)
        self._timeline.mark(text)
        self._find(self._timeline.record or 0, 1)

    def next_hit(self, direction: int) -> None:
        """To the next hit (1), or the one before (-1)."""
        here = self.here
        if here is not None and here.text:
            here.next_hit(direction)
        elif self.finder.text:
            self._find((self._timeline.record or 0) + direction, direction)
        else:
            self._screen.notify("There is nothing to search for yet: / begins a search.")

    def stop(self) -> bool:
        """Stop a search that is under way; whether one was."""
        if not self.finder.is_running:
            return False
        self.finder.cancel()
        self._say("search stopped")
        return True

    def unmark(self) -> bool:
        """Mark no hits any more; whether some were."""
        here = self.here
        if here is not None:
            return here.unmark()
        marked = bool(self._timeline.needle)
        self._timeline.mark("")
        return marked

    def begin_anew(self) -> None:
        """Search through the index that the timeline shows now."""
        self.close()
        self.finder = Finder(self._timeline.index)

    def close(self) -> None:
        """Stop what runs beside the screen."""
        self.finder.close()

    def _find(self, start: int, direction: int) -> None:
        self._say(f"searching for {self.finder.text!r} · esc stops")
        app = self._screen.app

        def told(hit: int | None) -> None:
            app.call_later(self._found, hit)

        self.finder.find(start, direction, told)

    def _found(self, hit: int | None) -> None:
        self._at = hit
        if hit is not None:
            self._go_to(hit)
            app = self._screen.app
            self.finder.count(lambda: app.call_later(self._counted, hit))
        self._say(self._words(hit))

    def _counted(self, hit: int) -> None:
        if self._at == hit == self._timeline.record:
            self._say(self._words(hit))

    def _words(self, hit: int | None) -> str:
        text = self.finder.text
        if hit is None:
            return f"{text!r} is nowhere in the recording"
        place = self.finder.place(hit)
        if place is None:
            return f"{text!r} · n next, N previous"
        return f"{text!r} {place[0]:,} of {place[1]:,} · n next, N previous"
