"""Filter, search, and places to go to, on the screen of one recording."""

from __future__ import annotations

from textual import on

from mcptap.query import QueryError, parse
from mcptap.tui.index.filtering import Sieve
from mcptap.tui.session.base import SessionBase
from mcptap.tui.session.playback import parse_place
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.text import count


class SessionFind(SessionBase):
    """What is typed into the prompt, and what it does."""

    _filter_kept = ""

    def action_filter(self) -> None:
        """Let the user type a filter."""
        self._filter_kept = self.sieve.query.text if self.sieve is not None else ""
        self.prompt.seen = self._seen_values()
        self.prompt.ask("filter", self._filter_kept)

    def _seen_values(self) -> dict[str, list[str]]:
        statistics = self.pane.judgement.statistics
        return {
            "method": sorted({method for _, method in statistics.methods}),
            "tool": sorted(statistics.tools),
        }

    def action_search(self) -> None:
        """Let the user type what to search for."""
        self.prompt.ask("search", "")

    def action_jump(self) -> None:
        """Let the user type where to go."""
        self.prompt.ask("jump", "")

    @on(Prompt.Changed)
    def _typed(self, event: Prompt.Changed) -> None:
        if type(event) is Prompt.Changed and event.mode == "filter":
            self.set_filter(event.text, keep_prompt=True)

    @on(Prompt.Entered)
    def _entered(self, event: Prompt.Entered) -> None:
        event.stop()
        if event.mode == "filter":
            try:
                parse(event.text)
            except QueryError:
                return  # what is wrong, and where, stands below the line
            self.set_filter(event.text, keep_prompt=True)
            if self.sieve is None:
                self.prompt.close()
            else:
                self.prompt.rest()
        else:
            self._close_prompt()
        self.set_focus(self.timeline)
        if event.mode == "search" and event.text:
            self._search(event.text)
        elif event.mode == "jump" and event.text:
            self._jump(event.text)

    @on(Prompt.Left)
    def _left(self, event: Prompt.Left) -> None:
        event.stop()
        if event.mode == "filter":
            self.set_filter(self._filter_kept)
        self._close_prompt()
        self.set_focus(self.timeline)

    def _close_prompt(self) -> None:
        """The prompt goes, unless it has to remind of a filter."""
        if self.sieve is None:
            self.prompt.close()
        else:
            text = self.sieve.query.text
            self.prompt.ask("filter", text)
            self.prompt.rest()
            self._note_matches()

    def set_filter(self, text: str, *, keep_prompt: bool = False) -> None:
        """Show only what the filter lets through; a filter that can't be understood changes nothing."""
        try:
            query = parse(text)
        except QueryError:
            return
        if self.sieve is not None and self.sieve.query.text == text:
            return
        here = self.timeline.record
        if self.sieve is not None:
            self.sieve.cancel()
            self.sieve = None
        timeline = self.timeline
        if query.is_empty:
            timeline.picked = None
            if not keep_prompt:
                self.prompt.close()
        else:
            self.sieve = Sieve(self.index, query, self._sifted)
            timeline.picked = self.sieve.picked
            self.sieve.start()
        timeline.forget()
        timeline.cursor = timeline.top = 0
        if timeline.picked is None and here is not None:
            timeline.go(here, centre=True)
        timeline.changed()
        self.show_marks()
        self.show_status()

    def _sifted(self) -> None:
        """Called from the sieve's thread."""
        self.app.call_later(self._take_sifted)

    def _take_sifted(self) -> None:
        if self.sieve is None:
            return
        timeline = self.timeline
        timeline.changed()
        if self.following and self.playback is None:
            timeline.go(timeline.count() - 1)
        self._note_matches()
        self.timeline_bar.update()
        self.show_status()

    def _note_matches(self) -> None:
        sieve = self.sieve
        if sieve is None:
            return
        total = max(1, len(self.index))
        so_far = "" if sieve.is_complete else f" so far, {100 * sieve.looked_at // total} %"
        self.prompt.note(
            f"{len(sieve.picked):,} of {total:,}{so_far}", bad=not sieve.picked and sieve.is_complete
        )

    def _search(self, text: str) -> None:
        self.finder.text = text
        self.timeline.needle = text.lower()
        self.timeline.forget()
        self._find(self.timeline.record or 0, 1)

    def action_next_hit(self, direction: int) -> None:
        """To the next hit of the last search."""
        if not self.finder.text:
            self.notify("There is nothing to search for yet: / begins a search.")
            return
        self._find((self.timeline.record or 0) + direction, direction)

    def _find(self, start: int, direction: int) -> None:
        self.remark = f"searching for {self.finder.text!r} · esc stops"
        self.show_status()
        app = self.app

        def told(hit: int | None) -> None:
            app.call_later(self._found, hit)

        self.finder.find(start, direction, told)

    def _found(self, hit: int | None) -> None:
        if hit is None:
            remark = f"{self.finder.text!r} is nowhere in the recording"
        else:
            self.go_to(hit)
            remark = f"{self.finder.text!r} · n next, N previous"
        # Moving takes the remark away, and its message is still on its way.
        self.call_later(self._say, remark)

    def _say(self, remark: str) -> None:
        self.remark = remark
        self.show_status()

    def _jump(self, text: str) -> None:
        place = parse_place(text)
        if place is None:
            self.notify("That is no place: type a record number (120) or a time (+3.5, 1:02, 80ms).")
            return
        kind, value = place
        last = max(0, len(self.index) - 1)
        i = self.index.at_time(value) if kind == "time" else max(0, min(value - 1, last))
        if kind == "record" and value - 1 > last:
            self.notify(f"The recording has {count(last + 1, 'record')}.")
        if self.playback is not None:
            self.playback.to_time(value) if kind == "time" else self.playback.to_record(i)
            self.moment_changed()
        self.go_to(i)
