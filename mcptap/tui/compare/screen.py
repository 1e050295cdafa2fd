"""The screen that compares two sessions, as `mcptap diff` does."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from mcptap.captures.summary import Summary
from mcptap.errors import UserError
from mcptap.text.paragraphs import fold
from mcptap.text.units import counted, when
from mcptap.tui.compare.rows import difference_rows, verdict_words
from mcptap.tui.run.answers_view import AnswersList
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.keys import DIFF, EVERYWHERE, LIST, bindings
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.sidebyside import Row, changes
from mcptap.tui.widgets.tap_screen import OpenRecording, TapScreen
from mcptap.tui.widgets.text import visible

VERDICT_ROWS = 2


class DiffScreen(TapScreen):
    """Two sessions, the older one at the left."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(DIFF)
    CSS = """
    #diff-body { height: 1fr; }
    #diff-verdict { height: 2; }
    """

    def __init__(self, one: Summary, other: Summary) -> None:
        super().__init__()
        self.old, self.new = sorted((one, other), key=lambda s: s.start_wall_us)
        self.heading = Bar(id="heading", raised=True)
        self.verdict = Bar(id="diff-verdict", raised=True)
        self.answers = AnswersList(id="answers")
        self.answers.old, self.answers.new = map(heading_of, (self.old, self.new))
        self.answers_bar = Scrollbar(self.answers)
        self.rows: list[Row] | None = None
        """None while they are compared, or if they can't be."""
        self._words = "Comparing…"
        self._is_bad = False

    def compose(self) -> ComposeResult:
        """Title, verdict, both sides, status, keys."""
        yield self.heading
        yield self.verdict
        with Horizontal(id="diff-body"):
            yield self.answers
            yield self.answers_bar
        yield self.status
        yield self.keybar

    def on_mount(self) -> None:
        """Compare them."""
        self.set_focus(self.answers)
        self.redraw()
        self._compare()

    def on_resize(self) -> None:
        """Set out for the new width."""
        self.call_after_refresh(self.redraw)

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now."""
        return (DIFF, LIST, EVERYWHERE)

    @work(thread=True, exclusive=True)
    def _compare(self) -> None:
        from mcptap.play.compare.exchanges import read
        from mcptap.play.compare.ignore import Ignore, load
        from mcptap.play.compare.session_diff import diff, masked
        from mcptap.recording import made_here

        try:
            masker = made_here.masker()
            ignore = Ignore(load(self.old.path, None))
            found = masked(diff(read(self.old.path), read(self.new.path), ignore, masker=masker), masker)
            made, words, is_bad = difference_rows(found), verdict_words(found), found.different
        except UserError as error:
            made, words, is_bad = None, str(error), True
        if self.is_running:
            self.app.call_from_thread(self._show, made, words, is_bad)

    def _show(self, made: list[Row] | None, words: str, is_bad: bool) -> None:
        self.rows, self._words, self._is_bad = made, words, is_bad
        self.answers.show(made or [])
        self.redraw()

    def redraw(self) -> None:
        """Draw what stands around the two columns."""
        paint = self.heading.paint
        self.heading.show(
            (
                [
                    (" diff ", paint.title),
                    (f" {visible(self.old.name)} ⇄ {visible(self.new.name)}", paint.plain),
                ],
                [],
            )
        )
        style = paint.stderr if self._is_bad else paint.dim if self.rows is None else paint.server
        glyph = "≠" if self._is_bad else "◌" if self.rows is None else "✓"
        lines = fold(visible(self._words), max(20, self.size.width - 4))
        if len(lines) > VERDICT_ROWS:
            lines[VERDICT_ROWS - 1 :] = [lines[VERDICT_ROWS - 1][: self.size.width - 6] + " …"]
        shown: list[tuple[Cells, Cells]] = [
            ([(f" {glyph} " if k == 0 else "   ", style), (line, paint.bright)], [])
            for k, line in enumerate(lines)
        ]
        self.verdict.show(*shown)
        number = counted(len(changes(self.rows or [])), "difference")
        said = number if self.rows is not None else ""
        self.status.show(([(f" {said}", paint.dim)], [("old at the left, new at the right ", paint.faint)]))
        self.show_keys()

    # -- what can be done --

    def action_change(self, step: int) -> None:
        """To the next difference, or the one before."""
        here = self.answers.row
        found = changes(self.rows or [])
        further = [i for i in found if (i > here if step > 0 else i < here)]
        if further:
            self.answers.go_to_row(further[0] if step > 0 else further[-1])
        else:
            self.notify("No further difference." if found else "There is no difference.")

    def action_open(self, which: str) -> None:
        """Open one of both."""
        self.post_message(OpenRecording((self.old if which == "old" else self.new).path))


def heading_of(summary: Summary) -> str:
    """One of the two: server, start, and what it came to."""
    verdict = f" · {summary.verdict}" if summary.verdict else ""
    return visible(f"{summary.name} {when(summary.start_wall_us)}{verdict}")
