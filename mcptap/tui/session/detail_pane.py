"""The pane beside or below the timeline: tabs, and under them the page that the chosen tab shows."""

from __future__ import annotations

from typing import Any

from textual import on
from textual.app import ComposeResult
from textual.containers import Container, Horizontal

from mcptap.diagnosis.engine.finding import Finding
from mcptap.recording.format.decode import decode_record
from mcptap.recording.format.model import Event, Header
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.index import Kind
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.session.facts_view import capability_lines, launch_lines, statistics_lines
from mcptap.tui.session.findings_view import finding_lines, finding_page
from mcptap.tui.session.record_view import Loaded, exact_bytes, load, message_lines
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.detail import TABS, Detail, tab_title
from mcptap.tui.widgets.document import Line, text_line
from mcptap.tui.widgets.hexdump import remarks
from mcptap.tui.widgets.line_list import Scrollbar
from mcptap.tui.widgets.text import count

EVENTS_SHOWN = 200
"""Events that the launch page lists; a session has a handful."""

BYTES_SHOWN = 8 << 20


class DetailPane(Container):
    """Shows one record, one finding, or a page about the session.

    `show_record` and `show_finding` fill it; `tab` says which page is on top.
    """

    DEFAULT_CSS = """
    DetailPane { layout: vertical; height: 1fr; }
    DetailPane Horizontal { height: 1fr; }
    """

    def __init__(self, feed: Feed, **options: Any) -> None:
        super().__init__(**options)
        self.feed = feed
        self.tabs = Bar(id="tabs")
        self.detail = Detail(id="detail")
        self.scrollbar = Scrollbar(self.detail)
        self.tab = TABS[0]
        self.now: int | None = None
        """The index of the last record that counts as seen, while the session is played."""
        self.loaded: Loaded | None = None
        self.other: Loaded | None = None
        self._finding: Finding | None = None
        self._trouble = ""
        self._facts_version = -1

    def compose(self) -> ComposeResult:
        """Tabs, page, scrollbar."""
        yield self.tabs
        with Horizontal():
            yield self.detail
            yield self.scrollbar

    @property
    def judgement(self) -> Judgement:
        """What the diagnosis said last."""
        judged = self.feed.findings
        return judged if isinstance(judged, Judgement) else Judgement()

    def choose_tab(self, tab: str) -> None:
        """Show another page."""
        self.tab = tab
        self._finding = None if tab != "message" else self._finding
        self.draw()

    def show_record(self, i: int | None) -> None:
        """Show the record at this index on the tabs that are about records."""
        index = self.feed.index
        self._finding = None
        same = i is not None and self.loaded is not None and self.loaded.index == i
        try:
            self.loaded = load(index, i) if i is not None else None
            other = index.partner(i) if i is not None else None
            if other is not None and self.now is not None and other > self.now:
                other = None
            self.other = load(index, other) if other is not None else None
            self._trouble = ""
        except (OSError, IndexError) as error:
            self.loaded = self.other = None
            self._trouble = f"this record can't be read: {error}"
        if self.tab in ("message", "bytes"):
            self.draw(keep=same)

    def show_finding(self, finding: Finding) -> None:
        """Show a finding in full."""
        self._finding = finding
        self.tab = "message"
        self.draw()

    def growth(self) -> None:
        """Something came: draw the pages about the session anew, if one is on top."""
        if self.display and self.tab not in ("message", "bytes"):
            self.draw(keep=True)

    def draw(self, *, keep: bool = False) -> None:
        """Make the lines of the page on top; `keep` keeps the place in it."""
        self.show_tabs()
        columns = max(20, self.detail.size.width - 2)
        if self.tab == "bytes" and self.loaded is not None:
            self._draw_bytes(self.loaded, keep)
        else:
            self.detail.show_lines(self._lines(columns), keep=keep)
        self.scrollbar.update()

    @on(Detail.FoldAll)
    def _fold_all(self, event: Detail.FoldAll) -> None:
        event.stop()
        for loaded in (self.loaded, self.other):
            if loaded is not None and loaded.tree is not None:
                loaded.tree.fold_all(event.folded)
        self.draw(keep=True)

    def show_tabs(self) -> None:
        """Draw the names of the tabs."""
        tab_title(self.tabs, self.tab, self.detail.has_focus)

    def _lines(self, columns: int) -> list[Line]:
        if self.tab == "launch":
            return self._launch(columns)
        judgement = self.judgement
        if self.tab == "capabilities":
            if self.feed.findings is None:
                return [text_line("not worked out yet: the recording is being indexed", "dim")]
            return capability_lines(judgement, judgement.statistics, columns)
        if self.tab == "statistics":
            if self.feed.findings is None:
                return [text_line("not worked out yet: the recording is being indexed", "dim")]
            return statistics_lines(judgement.statistics, judgement.statistics.last_us, columns)
        if self._finding is not None:
            return finding_page(self._finding, columns)
        if self.loaded is None:
            return [text_line(self._trouble or "No record is chosen.", "problem" if self._trouble else "dim")]
        loaded = self.loaded
        if loaded.index == 0:
            return self._launch(columns)
        found: list[Line] = []
        for finding in judgement.of_record(loaded.number):
            found += finding_lines(finding, columns, of_record=True)
        index = self.feed.index
        state = index.state(loaded.index, self.now)
        return message_lines(index, loaded, self.other, columns, state, found)

    def _draw_bytes(self, loaded: Loaded, keep: bool) -> None:
        try:
            data = exact_bytes(self.feed.index, loaded) if loaded.total <= BYTES_SHOWN else loaded.data
        except OSError as error:
            self.detail.show_lines([text_line(f"the bytes can't be read: {error}", "problem")])
            return
        of = f" of {loaded.total:,}" if len(data) < loaded.total else ""
        heading = [
            Line(
                [
                    (f"record {loaded.number:,}  ", "title"),
                    (count(len(data), "byte") + of, "dim"),
                    (" ", "rule"),
                ]
            )
        ]
        if not getattr(loaded.record, "is_exact", True):
            said = "not the exact bytes: another program rewrote this record"
            heading.append(Line([("▒ " + said, "pollution")]))
        heading += [Line([("▒ " + said, "pollution")]) for said in remarks(data)]
        self.detail.show_bytes(heading, data, keep=keep)

    def _launch(self, columns: int) -> list[Line]:
        index = self.feed.index
        header = Header({})
        events: list[Event] = []
        try:
            first = load(index, 0).record if len(index) else None
            if isinstance(first, Header):
                header = first
            for i in event_indices(index.kinds):
                record = decode_record(index.read(i), i + 1)
                if isinstance(record, Event):
                    events.append(record)
        except OSError as error:
            return [text_line(f"the launch facts can't be read: {error}", "problem")]
        return launch_lines(header, events, columns)


def event_indices(kinds: bytearray) -> list[int]:
    """Indices of the events, the first and the last ones if there are many."""
    found = []
    at = kinds.find(Kind.EVENT)
    while at >= 0:
        found.append(at)
        at = kinds.find(Kind.EVENT, at + 1)
        if len(found) > EVENTS_SHOWN:
            del found[EVENTS_SHOWN // 2]
    return found
