"""The filter of the timeline: typed into the prompt, applied as it is typed, kept there as a reminder."""

from __future__ import annotations

from collections.abc import Callable

from mcptap.query import QueryError, parse
from mcptap.tui.index.filtering import RunningFilter
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.tap_screen import TapScreen


class FilterController:
    """Owns the `RunningFilter` that fills the timeline.

    `changed` is called when another filter applies, `grown` when more records passed it.
    """

    def __init__(
        self,
        screen: TapScreen,
        timeline: Timeline,
        prompt: Prompt,
        changed: Callable[[], None],
        grown: Callable[[], None],
    ) -> None:
        self.running: RunningFilter | None = None
        self._screen = screen
        self._timeline = timeline
        self._prompt = prompt
        self._changed = changed
        self._grown = grown
        self._before = ""
        """The filter that applied before the user began to type."""

    @property
    def text(self) -> str:
        """The filter that applies; empty if none does."""
        return self.running.query.text if self.running is not None else ""

    def ask(self, judgement: Judgement) -> None:
        """Let the user type a filter; methods and tools of the session complete it."""
        statistics = judgement.statistics
        self._before = self.text
        self._prompt.seen = {
            "method": sorted({method for _, method in statistics.methods}),
            "tool": sorted(statistics.tools),
        }
        self._prompt.ask("filter", self._before)

    def typed(self, text: str) -> None:
        """Apply what is in the prompt, if it can be understood."""
        self.set(text, keep_prompt=True)

    def entered(self, text: str) -> bool:
        """Apply the filter for good; whether it could be understood (if not, the prompt says why)."""
        try:
            parse(text)
        except QueryError:
            return False
        self.set(text, keep_prompt=True)
        self.remind()
        return True

    def left(self) -> None:
        """Go back to the filter before."""
        self.set(self._before)
        self.remind()

    def remind(self) -> None:
        """Leave the filter in the prompt without the focus; without a filter the prompt goes."""
        if self.running is None:
            self._prompt.close()
            return
        self._prompt.show("filter", self.text)
        self._note_matches()

    def set(self, text: str, *, keep_prompt: bool = False) -> None:
        """Show only what the filter lets through; one that can't be understood changes nothing."""
        try:
            query = parse(text)
        except QueryError:
            return
        if self.running is not None and self.text == text:
            return
        timeline = self._timeline
        here = timeline.record
        self.close()
        if query.is_empty:
            timeline.picked = None
            if not keep_prompt:
                self._prompt.close()
        else:
            self.running = RunningFilter(timeline.index, query, self._more_found)
            timeline.picked = self.running.picked
            self.running.start()
        timeline.forget()
        timeline.cursor = timeline.top = 0
        if timeline.picked is None and here is not None:
            timeline.go(here, centre=True)
        timeline.changed()
        self._changed()

    def close(self) -> None:
        """Stop the filter."""
        if self.running is not None:
            self.running.cancel()
            self.running = None

    def _more_found(self) -> None:
        """Called from the thread of the filter."""
        self._screen.app.call_later(self._take_found)

    def _take_found(self) -> None:
        if self.running is not None:
            if self._timeline.picked is not self.running.picked:
                self._timeline.picked = self.running.picked
                self._timeline.forget()
            self._timeline.changed()
            self._note_matches()
            self._grown()

    def _note_matches(self) -> None:
        running = self.running
        if running is None:
            return
        total = max(1, len(running.index))
        so_far = "" if running.is_complete else f" so far, {100 * running.looked_at // total} %"
        bad = not running.picked and running.is_complete
        self._prompt.note(f"{len(running.picked):,} of {total:,}{so_far}", bad=bad)
