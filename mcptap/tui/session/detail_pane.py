"""The pane beside or below the timeline: tabs, and under them the page that the chosen tab shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal

from mcptap.diagnosis.engine.finding import Finding
from mcptap.text.columns import text_width
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.index.loaded import Loaded, load
from mcptap.tui.session.bar_rows import finding_counts, known_when
from mcptap.tui.session.tabs import TABS
from mcptap.tui.session.tabs.finding import finding_lines
from mcptap.tui.session.tabs.tab import Page, View
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.detail import Detail
from mcptap.tui.widgets.document import text_line
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.scrollbar import Scrollbar


class DetailPane(Container):
    """Shows one record, one finding, or a page about the session.

    `show_record` and `show_finding` fill it; `tab` is the one on top.
    """

    DEFAULT_CSS = """
    DetailPane { layout: vertical; height: 1fr; }
    DetailPane Horizontal { height: 1fr; }
    """

    def __init__(self, feed: Feed, *, other_way: str = "x goes there", **options: Any) -> None:
        super().__init__(**options)
        self.feed = feed
        self._other_way = other_way
        self.tabs = Bar(id="tabs")
        self.detail = Detail(id="detail")
        self.scrollbar = Scrollbar(self.detail)
        self.tab = TABS[0]
        self.now: int | None = None
        """The index of the last record that has come, while the session is played."""
        self.loaded: Loaded | None = None
        self.other: Loaded | None = None
        self.run: range | None = None
        """The run of stderr that it shows, if it shows one."""
        self._finding: Finding | None = None
        self._trouble = ""
        self._memory: dict[str, Any] = {}
        self._memory_of = feed.index

    def compose(self) -> ComposeResult:
        """Tabs, page, scrollbar."""
        yield self.tabs
        with Horizontal():
            yield self.detail
            yield self.scrollbar

    @property
    def judgement(self) -> Judgement:
        """What the diagnosis said last; an empty one if it said nothing yet."""
        return self.feed.judgement

    @property
    def finding(self) -> Finding | None:
        """The finding that it shows, if it shows one."""
        return self._finding

    def lines_of_cause(self) -> int:
        """How many lines it takes here to tell the finding about the causing record, with its remedy."""
        judgement = self.judgement
        cause = next((f for f in judgement.findings if f.line and f.line == judgement.record), None)
        if cause is None or not self.tab.about_record:
            return 0
        return len(finding_lines(replace(cause, consequence=""), self._width))

    @property
    def _width(self) -> int:
        return max(20, self.detail.size.width - 2)

    def value_at_cursor(self) -> tuple[Any, tuple[int, ...]] | None:
        """The message whose value the cursor of the page stands on, and the path to that; None: on none."""
        if self.detail.cursor >= self.detail.count():
            return None
        place = self.detail.line_at(self.detail.cursor).value
        return (place[0].value, place[1]) if place is not None else None

    def choose_tab(self, name: str) -> None:
        """Show the tab of this name."""
        self.tab = next(tab for tab in TABS if tab.name == name)
        if self.tab is not TABS[0]:
            self._finding = None
        self.draw()

    def show_record(self, i: int | None, run: range | None = None) -> None:
        """Show the record at this index, or the run that its row stands for, on the tabs about records."""
        index = self.feed.index
        self._finding = None
        before, self.run = self.run, run
        same = i is not None and self.loaded is not None and self.loaded.index == i
        same = same or (run is not None and before is not None and run.start == before.start)
        try:
            self.loaded = load(index, i, self.now) if i is not None else None
            other = index.partner(i) if i is not None else None
            if other is not None and self.now is not None and other > self.now:
                other = None
            self.other = load(index, other) if other is not None else None
            self._trouble = ""
        except (OSError, IndexError) as error:
            self.loaded = self.other = None
            self._trouble = f"this record can't be read: {error}"
        if self.tab.about_record:
            self.draw(keep=same)

    def show_finding(self, finding: Finding) -> None:
        """Show a finding in full, on the first tab."""
        self._finding = finding
        self.tab = TABS[0]
        self.draw()

    def growth(self) -> None:
        """Something came: draw a page about the session anew, if one is on top."""
        if self.display and not self.tab.about_record:
            self.draw(keep=True)

    def draw(self, *, keep: bool = False) -> None:
        """Make the lines of the page on top; `keep` keeps the place in it."""
        self.show_tabs()
        try:
            page = self.tab.render(self._view())
        except OSError as error:
            page = Page([text_line(f"this can't be read: {error}", "problem")])
        self.detail.show(page.lines, page.data, keep=keep)

    def _view(self) -> View:
        if self._memory_of is not self.feed.index:
            self._memory, self._memory_of = {}, self.feed.index
        return View(
            self.feed.index,
            self._width,
            self.feed.findings,
            self.loaded,
            self.other,
            self._finding,
            self.run,
            self.now,
            self._trouble,
            self._memory,
            known_when(self.feed, self.now),
            self._other_way,
        )

    @on(Detail.FoldAll)
    def _fold_all(self, event: Detail.FoldAll) -> None:
        event.stop()
        for loaded in (self.loaded, self.other):
            if loaded is not None and loaded.tree is not None:
                loaded.tree.fold_all(event.folded)
        self.draw(keep=True)

    def reveal(self, needle: str) -> None:
        """Unfold what holds the text (in lower case)."""
        for loaded in (self.loaded, self.other):
            if loaded is not None and loaded.tree is not None:
                loaded.tree.reveal(needle)
        self.draw(keep=True)

    def show_tabs(self) -> None:
        """Draw the names of the tabs with their keys."""
        paint, view = self.tabs.paint, self._view()
        cells: Cells = [("▌" if self.detail.has_focus else " ", paint.client)]
        for tab in TABS:
            chosen = tab is self.tab
            if chosen or tab.exists(view):
                cells.append((f"{tab.key} ", paint.dim if chosen else paint.faint))
                cells.append((tab.name, paint.title if chosen else paint.dim))
                cells.append(("  ", paint.dim))
        counts = finding_counts(paint, self.judgement, view.when)
        if view.when and sum(text_width(text) for text, _ in (*cells, *counts)) > self.tabs.size.width:
            # The names of the tabs need the room, and the verdict says as well when that is known.
            counts = counts[1:]
        self.tabs.show((cells, counts))
