"""The screen of one recording: verdict, timeline, detail, findings."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.screen import Screen
from textual.timer import Timer

from mcptap.tui.bars import Bar, KeyBar
from mcptap.tui.detail import Detail, tab_title
from mcptap.tui.document import Line, text_line
from mcptap.tui.feed import Feed
from mcptap.tui.hexdump import remarks
from mcptap.tui.keys import (
    DETAIL,
    EVERYWHERE,
    FINDINGS,
    LIST,
    PLAY,
    SESSION,
    TIMELINE,
    bindings,
    footer,
)
from mcptap.tui.line_list import Cells, LineList, Scrollbar
from mcptap.tui.record_view import Loaded, exact_bytes, load, message_lines
from mcptap.tui.text import count
from mcptap.tui.timeline_view import Timeline

WIDE = 160
"""From so many columns on the detail stands beside the timeline, and always."""

TICK = 1 / 14
"""Seconds between looks at what the indexer brought; bursts in between are one update."""

REST = 0.05
"""The detail is filled once the cursor has rested so long: a held key draws one list only."""


class TimelinePane(Timeline):
    """The timeline with the keys of its pane."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(TIMELINE, LIST)


class SessionScreen(Screen[None]):
    """One recording. `feed` must have been started; it is closed with the screen."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SESSION, PLAY)
    CSS = """
    SessionScreen { layout: vertical; }
    #verdict { height: 1; }
    #body { height: 1fr; layout: vertical; }
    #left { height: 1fr; width: 1fr; layout: vertical; }
    #list { height: 1fr; }
    #lower { height: 1fr; display: none; layout: vertical; }
    #lower.open { display: block; }
    SessionScreen.wide #body { layout: horizontal; }
    SessionScreen.wide #lower { display: block; width: 44%; height: 1fr; border-left: solid $rule; }
    #detail-pane { height: 1fr; }
    """

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self.feed = feed
        self.index = feed.index
        self.timeline = TimelinePane(feed.index, id="timeline")
        self.timeline_bar = Scrollbar(self.timeline)
        self.detail = Detail(id="detail")
        self.detail_bar = Scrollbar(self.detail)
        self.tabs = Bar(id="tabs")
        self.verdict = Bar(id="verdict", raised=True)
        self.status = Bar(id="status", raised=True)
        self.keybar = KeyBar(id="keys")
        self.tab = "message"
        self.loaded: Loaded | None = None
        self.other: Loaded | None = None
        self._seen_version = -1
        self._rest_timer: Timer | None = None
        self._following = False

    def compose(self) -> ComposeResult:
        """The widgets of the screen."""
        yield self.verdict
        with Container(id="body"):
            with Container(id="left"), Horizontal(id="list"):
                yield self.timeline
                yield self.timeline_bar
            with Container(id="lower"):
                yield self.tabs
                with Horizontal(id="detail-pane"):
                    yield self.detail
                    yield self.detail_bar
        yield self.status
        yield self.keybar

    def on_mount(self) -> None:
        """Draw what is known, and look for more at intervals."""
        self.timeline.focus()
        self.set_interval(TICK, self.tick)
        self.tick()

    def on_unmount(self) -> None:
        """Stop indexing."""
        self.feed.close()

    def on_resize(self) -> None:
        """Beside each other on wide terminals, below each other on others."""
        self.set_class(self.size.width >= WIDE, "wide")
        self.call_after_refresh(self._show_bars)

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now, most special first."""
        focused = TIMELINE if self.timeline.has_focus else DETAIL if self.detail.has_focus else FINDINGS
        return (focused, SESSION, PLAY, LIST, EVERYWHERE)

    # -- growth --

    def tick(self) -> None:
        """Take what came since the last look."""
        if self.feed.version == self._seen_version:
            return
        self._seen_version = self.feed.version
        timeline = self.timeline
        stay = self._following
        timeline.changed()
        if stay:
            timeline.go(timeline.count() - 1)
        self.timeline_bar.update()
        self._show_bars()

    # -- bars --

    def _show_bars(self) -> None:
        self._show_status()
        self._show_keys()
        tab_title(self.tabs, self.tab, self.detail.has_focus)

    def _show_status(self) -> None:
        paint = self.status.paint
        timeline, index, status = self.timeline, self.index, self.feed.status
        number = timeline.record
        total = len(index)
        left: Cells = [(" ", paint.dim)]
        left.append((f"{(number or 0) + 1:,}", paint.plain))
        left.append((f" / {total:,}", paint.dim))
        if not status.complete:
            share = 100 * index.described // max(1, total)
            left.append((f"  indexing {share} %", paint.stderr))
        right: Cells = []
        for found, noun, style in (
            (index.pollution, "pollution", paint.pollution),
            (index.errors, "error", paint.problem),
            (index.tool_errors, "isError", paint.problem),
            (len(index.open_requests), "pending" if index.ended_us is None else "unanswered", paint.stderr),
        ):
            if found:
                right.append((f"{found:,} {noun}  ", style))
        self.status.show((left, right))

    def _show_keys(self) -> None:
        self.keybar.show_keys(footer(*self.places), self.size.width)

    # -- cursor and detail --

    @on(LineList.Moved)
    def _moved(self, event: LineList.Moved) -> None:
        origin = event.origin
        if origin is self.timeline:
            self._following = self.timeline.at_end() and self.feed.status.live
            self._show_status()
            self.timeline_bar.update()
            if self._detail_open:
                if self._rest_timer is not None:
                    self._rest_timer.stop()
                self._rest_timer = self.set_timer(REST, self._fill_detail)
        elif isinstance(event, Detail.Folded):
            self._draw_detail(keep=True)
        else:
            self.detail_bar.update()

    @property
    def _detail_open(self) -> bool:
        return bool(self.query_one("#lower").display)

    def _fill_detail(self) -> None:
        """Load the record under the cursor, and show it."""
        i = self.timeline.record
        self.loaded = self.other = None
        if i is not None:
            try:
                self.loaded = load(self.index, i)
                other = self.index.partner(i)
                self.other = load(self.index, other) if other is not None else None
            except OSError as error:
                self.notify(f"record {i + 1} can't be read: {error}", severity="error")
        self._draw_detail()

    def _draw_detail(self, *, keep: bool = False) -> None:
        detail, loaded = self.detail, self.loaded
        columns = max(20, detail.size.width - 1)
        if loaded is None:
            detail.show_lines([text_line("no record here", "dim")])
            return
        if self.tab == "bytes":
            data = exact_bytes(self.index, loaded)
            heading = [
                Line([(f"record {loaded.number:,} · {count(len(data), 'byte')}", "title"), (" ", "rule")])
            ]
            heading += [Line([("  ▒ " + said, "pollution")]) for said in remarks(data)]
            detail.show_bytes(heading, data, keep=keep)
        else:
            state = self.index.state(loaded.index)
            lines = message_lines(self.index, loaded, self.other, columns, state, [])
            detail.show_lines(lines, keep=keep)
        self.detail_bar.update()

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        if event.origin is self.timeline:
            self.query_one("#lower").add_class("open")
            self.detail.focus()
            self.call_after_refresh(self._opened)

    def _opened(self) -> None:
        self.timeline.go(self.timeline.cursor)
        self._fill_detail()
        self._show_bars()
        self.timeline_bar.update()

    def on_descendant_focus(self) -> None:
        """The footer is about the pane with the focus."""
        self._show_bars()

    # -- actions --

    def action_back(self) -> None:
        """Close the detail, else leave the screen."""
        if self.query_one("#lower").has_class("open"):
            self.query_one("#lower").remove_class("open")
            self.timeline.focus()
            self.call_after_refresh(self.timeline_bar.update)
            return
        if len(self.app.screen_stack) > 2:
            self.app.pop_screen()

    def action_next_pane(self) -> None:
        """Focus the next pane."""
        self.focus_next()

    def action_previous_pane(self) -> None:
        """Focus the pane before."""
        self.focus_previous()

    def action_tab(self, name: str) -> None:
        """Show another tab of the detail."""
        self.tab = name
        lower = self.query_one("#lower")
        if not lower.display:
            lower.add_class("open")
        self.call_after_refresh(self._opened)
