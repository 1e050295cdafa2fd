"""The filter of the calls: typed into the prompt, applied as it is typed, kept there as a reminder."""

from __future__ import annotations

from collections.abc import Callable

from mcptap.protocol.statistics.counts import Statistics
from mcptap.query import Query, QueryError, parse
from mcptap.text.units import counted
from mcptap.tui.widgets.prompt import Prompt


class CallsFilter:
    """Owns the query, at first that of `text` (raises QueryError). `changed` is told of another one."""

    def __init__(self, prompt: Prompt, text: str, changed: Callable[[Query], None]) -> None:
        self.query = parse(text)
        self._prompt = prompt
        self._before = text
        """The filter that applied before the user began to type."""
        self._changed = changed

    def ask(self, statistics: Statistics) -> None:
        """Let the user type a filter; methods and tools of the session complete it."""
        self._before = self.query.text
        self._prompt.seen = {
            "method": sorted({method for _, method in statistics.methods}),
            "tool": sorted(statistics.tools),
        }
        self._prompt.ask("filter", self._before)

    def typed(self, text: str) -> bool:
        """Apply this; one that can't be understood changes nothing. Whether it could be."""
        try:
            query = parse(text)
        except QueryError:
            return False
        if query.text != self.query.text:
            self.query = query
            self._changed(query)
        return True

    def left(self) -> None:
        """Go back to the filter before."""
        self.typed(self._before)

    def end(self) -> bool:
        """Take the filter away; whether there was one."""
        was = not self.query.is_empty
        self.typed("")
        self.remind()
        return was

    def remind(self) -> None:
        """Leave the filter in the prompt without the focus; without a filter the prompt goes."""
        if self.query.is_empty:
            self._prompt.close()
        else:
            self._prompt.show("filter", self.query.text)

    def note(self, found: int, *, is_busy: bool) -> None:
        """Say how many calls it lets through."""
        if not self.query.is_empty:
            so_far = " so far" if is_busy else ""
            self._prompt.note(f"{counted(found, 'call')}{so_far}", bad=not found and not is_busy)
