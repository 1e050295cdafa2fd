"""The screen of calls: sorted and filtered, with the bars of all on the session's time axis."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal

from mcptap.query import Query
from mcptap.tui.calls.bar_rows import empty_words, status_row, title_row
from mcptap.tui.calls.calls_list import CallsList
from mcptap.tui.calls.filter import CallsFilter
from mcptap.tui.calls.headings import Headings
from mcptap.tui.calls.rows import Rows, Wanted
from mcptap.tui.calls.running import RunningCalls
from mcptap.tui.calls.sorting import Sort
from mcptap.tui.calls.spans import Moment, answer_of
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.kinds import Kind
from mcptap.tui.session.controllers.copy import CopyController
from mcptap.tui.session.controllers.detail import DetailController
from mcptap.tui.session.controllers.export import ExportController
from mcptap.tui.session.controllers.rerun import RerunController
from mcptap.tui.session.controllers.zoom import ZoomController
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.tabs import TAB_KEYS
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.detail import Detail
from mcptap.tui.widgets.keys import CALLS, DETAIL, EVERYWHERE, LIST, SESSION, bindings
from mcptap.tui.widgets.line_list import LineList
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.tap_screen import TapScreen

TICK = 1 / 14
CLOCK = 0.5
"""Seconds between steps of the bars that grow."""

FAILED = (Kind.ERROR, Kind.TOOL_ERROR, Kind.UNREADABLE)


class CallsScreen(TapScreen):
    """The calls of the recording that `feed` reads, as of the moment that `timeline` shows."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(CALLS), *bindings(SESSION, keys=TAB_KEYS)]
    CSS = """
    CallsScreen { layout: vertical; }
    #calls-body { height: 1fr; layout: vertical; }
    #calls-left { height: 1fr; width: 1fr; layout: vertical; }
    #calls-list { height: 1fr; }
    #calls-empty { height: 1; display: none; }
    #calls-lower { height: 1fr; display: none; }
    CallsScreen.wide #calls-body { layout: horizontal; }
    CallsScreen.wide #calls-lower { width: 45%; height: 1fr; border-left: vkey $rule; }
    CallsScreen.zoom-detail #calls-left { max-width: 0; max-height: 0; }
    CallsScreen.zoom-detail #calls-lower { width: 1fr; border-left: none; }
    CallsScreen.zoom-list #calls-lower { max-width: 0; max-height: 0; }
    """

    def __init__(self, feed: Feed, timeline: Timeline, go_to: Callable[[int], None], query: str = "") -> None:
        super().__init__()
        self.feed = feed
        self.calls = CallsList(feed.index, id="calls")
        self.title_bar = Bar(id="title", raised=True)
        self.prompt = Prompt(id="prompt")
        self.headings = Headings()
        self.empty = Bar(id="calls-empty")
        self.pane = DetailPane(feed, other_way="x shows both among all records", id="calls-lower")
        self.detail = DetailController(self, self.calls, self.pane, changed=self.show_bars)
        zoomed = {"list": self.calls, "detail": self.pane.detail}
        self.zoom = ZoomController(self, zoomed, self.redraw)
        self.export = ExportController(self, self.calls)
        self.rerun = RerunController(self, feed.path, self.calls)
        self.copying = CopyController(self, feed.path, self.calls, self.pane, None, self.rerun, feed.made_of)
        self.running = RunningCalls(feed.index, self._found)
        self.shown_version = -1
        """The version of the feed that is on the screen."""
        self._timeline = timeline
        self._go_to = go_to
        self.filter = CallsFilter(self.prompt, query, self._filter_changed)
        self._wanted = Wanted(self.filter.query)
        self._here: int | None = timeline.record
        """The request under the cursor, which stays there when rows move."""
        self._follows = False
        self._clock_at = 0.0

    def compose(self) -> ComposeResult:
        """The widgets of the screen."""
        yield self.title_bar
        yield self.prompt
        with Container(id="calls-body"):
            with Container(id="calls-left"):
                yield self.headings
                yield self.empty
                with Horizontal(id="calls-list"):
                    yield self.calls
                    yield Scrollbar(self.calls)
            yield self.pane
        yield self.status
        yield self.keybar

    def on_mount(self) -> None:
        """Draw what is known, and look for more at intervals."""
        self.set_focus(self.calls)
        self.filter.remind()
        self.running.ask(self._wanted)
        self.running.start()
        self.set_interval(TICK, self.tick)
        self.tick()

    def on_unmount(self) -> None:
        """Stop what runs beside the screen."""
        self.running.cancel()

    def on_resize(self) -> None:
        """Panes beside each other on wide terminals, below each other on others."""
        self.detail.set_out()
        self.call_after_refresh(self.redraw)

    # -- what is on the screen --

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now, most special first."""
        return (DETAIL if self.pane.detail.has_focus else CALLS, LIST, EVERYWHERE)

    def redraw(self) -> None:
        """Draw everything that is not drawn by itself."""
        self.show_bars()
        if self.pane.display:
            self.pane.show_record(self.calls.record)
            self.pane.draw(keep=True)

    def show_bars(self) -> None:
        """Draw the lines at the edges."""
        is_past = self.calls.now is not None
        self.title_bar.show(title_row(self.title_bar.paint, self.pane.judgement, is_past=is_past))
        self.headings.show((self.calls.headings(), []))
        self._show_empty()
        self._show_status()
        self.show_keys()
        self.pane.show_tabs()

    def _show_empty(self) -> None:
        """Say why there is no row."""
        self.empty.display = not self.calls.count()
        if self.empty.display:
            words = empty_words(self.feed, self._wanted, is_busy=self.running.is_busy)
            self.empty.show(([(f"   {words}", self.empty.paint.dim)], []))

    def _show_status(self) -> None:
        total = self.calls.count()
        self.status.show(
            status_row(
                self.status.paint,
                self.feed,
                self._wanted,
                (min(self.calls.cursor + 1, total), total),
                self.size.width,
                is_busy=self.running.is_busy,
                is_past=self.calls.now is not None,
            )
        )

    # -- growth and time --

    def tick(self) -> None:
        """Take what came since the last look, and let the bars grow."""
        if self.feed.index is not self.running.index:
            self._begin_anew()
        moment, now = self._moment(), time.monotonic()
        grew = self.feed.version != self.shown_version or moment.now != self.calls.now
        if not grew and (moment.clock_us is None or now - self._clock_at < CLOCK):
            return
        self._clock_at, self.shown_version = now, self.feed.version
        axis = self.calls.axis_us
        self.calls.at_moment(moment)
        self.calls.goes_on = moment.clock_us is not None
        self.calls.flags = self.pane.judgement.worst() if self.feed.findings is not None else {}
        if grew or self._wanted.sort in (Sort.LATENCY, Sort.STATUS):
            self.running.grown(moment)
        if grew or self.calls.axis_us != axis:
            self.calls.forget()
        else:
            self.calls.refresh()
        self.pane.growth()
        self.show_bars()

    def _moment(self) -> Moment:
        return Moment(self._timeline.now, self._timeline.live_us)

    def _begin_anew(self) -> None:
        """The file is another one."""
        self.running.cancel()
        self.calls.index = self.feed.index
        self.calls.rows = Rows(self._wanted)
        self.calls.forget()
        self.running = RunningCalls(self.feed.index, self._found)
        self.running.ask(self._wanted)
        self.running.start()

    def _found(self) -> None:
        """Called from the thread that looks for calls."""
        self.app.call_later(self._take_found)

    def _take_found(self) -> None:
        """Show the rows as they are now, with the cursor on the call that it was on."""
        calls, rows = self.calls, self.running.rows
        is_new = rows.wanted is not calls.rows.wanted
        calls.rows = rows
        row = None if self._here is None else rows.row_of(self._here)
        if self._follows and not is_new:
            row = len(rows) - 1
        if row is not None and row >= 0:
            calls.stay_at(row)
        calls.forget()
        calls.changed()
        if is_new:
            calls.go(0 if self._here is None or row is None else row, centre=True)
        self._note_matches()
        self.show_bars()
        if self.pane.display and (self.pane.loaded is None or self.pane.loaded.index != calls.record):
            self.detail.fill_soon()

    def _note_matches(self) -> None:
        self.filter.note(self.calls.count(), is_busy=self.running.is_busy)

    def _filter_changed(self, query: Query) -> None:
        self.show_calls(replace(self._wanted, query=query))

    def show_calls(self, wanted: Wanted) -> None:
        """Show other calls, or the same in another order."""
        if wanted.sort is not self._wanted.sort or wanted.falls != self._wanted.falls:
            self._here = None
        self._wanted = wanted
        self._follows = False
        self.running.ask(wanted)
        self.show_bars()

    # -- what the widgets tell --

    @on(LineList.Moved)
    def _moved(self, event: LineList.Moved) -> None:
        event.stop()
        if event.origin is self.calls:
            self._here = self.calls.record
            self._follows = event.at_end and self._wanted.sort is Sort.TIME and not self._wanted.falls
            self._show_status()
            self.detail.fill_soon()

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        if event.origin is self.calls:
            self.detail.open_record()
        elif event.origin is self.pane.detail:
            line = self.pane.detail.line_at(self.pane.detail.cursor)
            if line.record is not None:
                self._leave_for(line.record)

    @on(Detail.Folded)
    def _folded(self, event: Detail.Folded) -> None:
        event.stop()
        self.pane.draw(keep=True)

    @on(Detail.CallsWanted)
    def _calls_wanted(self, event: Detail.CallsWanted) -> None:
        event.stop()
        self.filter.typed(event.query)
        self._leave_prompt()

    @on(Headings.Clicked)
    def _heading_clicked(self, event: Headings.Clicked) -> None:
        event.stop()
        sort = self.calls.sort_at(event.x)
        if sort is self._wanted.sort:
            self.action_reverse()
        elif sort is not None:
            self.show_calls(Wanted(self._wanted.query, sort, sort.falls))

    def on_descendant_focus(self) -> None:
        """The footer is about the pane with the focus."""
        self.zoom.follow()
        self.show_bars()

    @on(Prompt.Changed)
    def _typed(self, event: Prompt.Changed) -> None:
        event.stop()
        if type(event) is Prompt.Changed:
            self.filter.typed(event.text)

    @on(Prompt.Entered)
    def _entered(self, event: Prompt.Entered) -> None:
        event.stop()
        if self.filter.typed(event.text):
            self._leave_prompt()

    @on(Prompt.Left)
    def _left(self, event: Prompt.Left) -> None:
        event.stop()
        self.filter.left()
        self._leave_prompt()

    def _leave_prompt(self) -> None:
        self.filter.remind()
        self._note_matches()
        self.set_focus(self.calls)

    # -- what the keys do --

    def action_back(self) -> None:
        """Close the topmost thing: the detail, the filter; then the screen."""
        if self.zoom.end() or self.detail.close():
            self.show_bars()
        elif not self.calls.has_focus:
            self.set_focus(self.calls)
        elif not self.filter.end():
            super().action_back()

    def action_choose(self) -> None:
        """Open the call under the cursor, or go to what is shown of it."""
        self.detail.open_record()

    def action_zoom(self) -> None:
        """The pane with the focus alone, or all again."""
        self.zoom.toggle()

    def action_back_to_timeline(self) -> None:
        """Leave the timeline where it was."""
        self.app.pop_screen()

    def action_timeline(self) -> None:
        """Go to the request under the cursor among all records."""
        if self.calls.record is not None:
            self._leave_for(self.calls.record)

    def _leave_for(self, i: int) -> None:
        self.app.pop_screen()
        self._go_to(i)

    def action_filter(self) -> None:
        """Let the user type a filter."""
        self.filter.ask(self.pane.judgement.statistics)

    def action_export(self) -> None:
        """Ask what to export, and how."""
        self.export.ask_what_to_export(self.pane.judgement)

    def action_copy(self) -> None:
        """Ask what to copy of the call under the cursor."""
        self.copying.ask_what_to_copy()

    def action_resend(self) -> None:
        """Ask how to send the request to a fresh server."""
        self.rerun.ask_to_resend()

    def action_editor(self) -> None:
        """Open the request in the user's editor."""
        self.export.open_in_editor()

    def action_pager(self) -> None:
        """Open the request in the user's pager."""
        self.export.open_in_pager()

    def action_sort(self) -> None:
        """Sort by the next column."""
        sort = self._wanted.sort.following
        self.show_calls(Wanted(self._wanted.query, sort, sort.falls))

    def action_reverse(self) -> None:
        """Sort the other way round."""
        self.show_calls(replace(self._wanted, falls=not self._wanted.falls))

    def action_tab(self, name: str) -> None:
        """Show a tab of the detail."""
        self.detail.open_tab(name)

    def action_next_problem(self, direction: int) -> None:
        """To the next call (1) that failed or has no answer, or the one before (-1)."""
        y = self.calls.cursor + direction
        while 0 <= y < self.calls.count():
            if self._is_problem(self.calls.record_at(y)):
                self.calls.go(y, centre=True)
                return
            y += direction
        self.notify("No further call failed or waits " + ("below." if direction > 0 else "above."))

    def _is_problem(self, i: int) -> bool:
        index = self.feed.index
        answer = answer_of(index, i, self.calls.moment)
        if answer is not None:
            return index.kinds[answer] in FAILED
        return not index.one_sided and i not in index.cancelled
