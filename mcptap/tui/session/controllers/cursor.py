"""Where the cursor of the timeline stands, where it goes, and whether it follows the end."""

from __future__ import annotations

from mcptap.tui.index.folding.rowmap import Place
from mcptap.tui.session.controllers.filter import FilterController
from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.tap_screen import TapScreen

NO_RUN = "This is no run of stderr."


class CursorController:
    """Keeps the cursor where it belongs while the recording grows."""

    def __init__(
        self, screen: TapScreen, timeline: Timeline, filtered: FilterController, play: PlayController
    ) -> None:
        self.following = False
        """Whether the cursor goes with the end of the list."""
        self._screen = screen
        self._timeline = timeline
        self._filter = filtered
        self._play = play
        self._here = 0
        """The index of the record under the cursor, which stays there when rows go."""
        self._rows = 0
        """How many rows there were at the last look."""
        self._was_complete = False
        self._new_since: int | None = None
        """The number of rows when the first came that nobody has seen yet."""
        self._left: int | None = None
        """The index of the record that was left for its other half last."""

    def begin_anew(self) -> None:
        """To the start: the file is another one."""
        self._was_complete = False
        self._new_since = self._left = None
        self._timeline.forget()
        self._timeline.go(0)

    @property
    def new(self) -> int:
        """Rows that came at the end while the cursor was elsewhere."""
        if self._new_since is None or self.following:
            return 0
        return max(0, self._timeline.count() - self._new_since)

    def moved(self, *, at_end: bool) -> None:
        """The cursor stands on another row; `at_end`: it was the last one then."""
        self.following = at_end
        self._here = self._timeline.record or 0
        if at_end:
            self._new_since = None

    def grown(self, *, complete: bool) -> None:
        """There may be more records; `complete`: all that the file holds are indexed."""
        timeline = self._timeline
        before, self._rows = self._rows, timeline.count()
        self.rows_changed()
        timeline.grown()
        if not self.follow() and self._was_complete and self._new_since is None and timeline.count() > before:
            self._new_since = before
        self._was_complete = self._was_complete or complete

    def rows_changed(self) -> None:
        """Rows may have gone or come: the cursor stays on its record, or on what stands for it."""
        timeline = self._timeline
        changed_from = timeline.index.rowmap.changed_from()
        if changed_from is None or timeline.is_below(changed_from):
            return
        timeline.rows_changed(self._here)
        if timeline.record != self._here:
            timeline.post_message(timeline.Moved(timeline))

    def follow(self) -> bool:
        """Go to the end if the cursor follows it; whether it does."""
        follows = self.following and not self._play.is_on
        if follows:
            self._timeline.go(self._timeline.count() - 1)
        return follows

    def go_to(self, i: int) -> None:
        """Put the cursor on the record at this index, past the moment and the filter if need be."""
        timeline = self._timeline
        self._play.uncover(i)
        self.unfold_to(i)
        self.rows_changed()
        row = timeline.row_of(i)
        shown_as = timeline.index.lines.row_of(i)
        if timeline.picked is not None and (row is None or timeline.record_at(row) != shown_as):
            self._screen.notify("The filter was taken away: it hid that record.")
            self._filter.set("")
            row = timeline.row_of(i)
        if row is not None:
            timeline.go(row, centre=True)

    def unfold_to(self, i: int) -> None:
        """Unfold the run that hides this record, if one does."""
        index = self._timeline.index
        if index.rowmap[i] is Place.FOLDED and i != self._timeline.now:
            index.folds.fold(i, folded=False)

    def fold(self) -> None:
        """Unfold the run under the cursor, or fold it again."""
        timeline = self._timeline
        i, folds = timeline.record, timeline.index.folds
        run = folds.run_of(i) if i is not None else None
        if run is None or timeline.picked is not None:
            self._screen.notify(
                "With a filter each line has its row." if timeline.picked is not None else NO_RUN
            )
            return
        folds.fold(run.start, folded=timeline.run is None)
        self.rows_changed()

    def fold_all(self) -> None:
        """Unfold all runs of stderr, also those to come; or fold them again."""
        folds = self._timeline.index.folds
        folds.fold_all(folded=not folds.is_on)
        self.rows_changed()
        said = "is folded" if folds.is_on else "has a row for each line"
        self._screen.notify(f"stderr {said} from here on, U changes it back.")

    def go_to_other_half(self) -> None:
        """From a request to its response, and back."""
        timeline = self._timeline
        i = timeline.record
        other = timeline.index.partner(i) if i is not None else None
        if i is not None and self._left in timeline.index.several.get(i, ()):
            other = self._left
        if other is None:
            self._screen.notify("This record has no other half." if i is not None else "No record is chosen.")
        elif timeline.now is not None and other > timeline.now:
            self._screen.notify("The answer has not come at this moment.")
        else:
            self._left = i
            self.go_to(other)
