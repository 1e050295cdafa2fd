"""The screen of one recording: its panes, what its keys do, and how it grows with the file."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from mcptap.tui.calls.controller import CallsController
from mcptap.tui.index.feed import Feed
from mcptap.tui.session.asking import Asking
from mcptap.tui.session.controllers.copy import CopyController
from mcptap.tui.session.controllers.cursor import CursorController
from mcptap.tui.session.controllers.detail import DetailController
from mcptap.tui.session.controllers.export import ExportController
from mcptap.tui.session.controllers.filter import FilterController
from mcptap.tui.session.controllers.findings import FindingsController
from mcptap.tui.session.controllers.first_look import FirstLook
from mcptap.tui.session.controllers.growth import GrowthController
from mcptap.tui.session.controllers.jump import JumpController
from mcptap.tui.session.controllers.layout import LayoutController
from mcptap.tui.session.controllers.pictures import PicturesController
from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.controllers.rerun import RerunController
from mcptap.tui.session.controllers.search import SearchController
from mcptap.tui.session.controllers.title import TitleController
from mcptap.tui.session.controllers.zoom import ZoomController
from mcptap.tui.session.panes import SessionPanes
from mcptap.tui.session.remarks import Remarks
from mcptap.tui.session.scrubber import Scrubber
from mcptap.tui.session.senses import senses
from mcptap.tui.session.tabs import TAB_KEYS
from mcptap.tui.widgets.detail import Detail
from mcptap.tui.widgets.keys import (
    EVERYWHERE,
    FOLDED,
    LIST,
    PLAY,
    PLAYING,
    SESSION,
    TIMELINE,
    bindings,
)
from mcptap.tui.widgets.line_list import LineList
from mcptap.tui.widgets.prompt import Prompt

TICK = 1 / 14
"""Seconds between looks at what the indexer brought; bursts in between are one update."""


class SessionScreen(SessionPanes):
    """One recording. `feed` must have been started; it is closed with the screen.

    The screen sets out the panes and passes on what happens; what is done is the controllers'.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(SESSION, PLAY, PLAYING),
        *bindings(SESSION, keys=TAB_KEYS),
    ]

    def __init__(self, feed: Feed, record: int | None = None) -> None:
        super().__init__(feed)
        self._first = record
        """The number of the record to go to once it is indexed."""
        timeline, pane = self.timeline, self.pane
        self.play = PlayController(feed, timeline, pane, self.scrubber, changed=self._moment_changed)
        self.filter = FilterController(
            self, timeline, self.prompt, changed=self._filter_changed, grown=self._filter_grown
        )
        self.remarks = Remarks(feed, timeline, self.status, self.show_status)
        self.cursor = CursorController(self, timeline, self.filter, self.play)
        go_to = self.cursor.go_to
        self.search = SearchController(
            self, timeline, pane, self.findings_pane.list, self.prompt, go_to, self.remarks.say
        )
        self.jump = JumpController(self, timeline, self.play, go_to)
        self.asking = Asking(self, timeline, self.filter, self.search, self.jump)
        self.detail = DetailController(self, timeline, pane, changed=self._panes_changed)
        self.findings = FindingsController(
            self, feed, timeline, self.timeline_bar, pane, self.findings_pane, self.verdict, go_to
        )
        zoomed = {"list": timeline, "findings": self.findings_pane.list, "detail": pane.detail}
        self.zoom = ZoomController(self, zoomed, self.redraw)
        self.export = ExportController(self, timeline)
        self.rerun = RerunController(self, feed.path, timeline)
        self.copying = CopyController(
            self, feed.path, timeline, pane, self.findings_pane, self.rerun, feed.made_of
        )
        self.pictures = PicturesController(self, timeline)
        self.layout_of_panes = LayoutController(
            self, self.edges, self.left, timeline, pane, self.findings_pane, self.detail, self.findings
        )
        self.named = TitleController(self, feed, self.play, self.title_bar)
        self.first_look = FirstLook(feed, timeline, self.detail, go_to, self._is_busy)
        self.growth = GrowthController(self, feed, timeline, self.play, self._grown, self._begin_anew)
        self.calls = CallsController(self, feed, timeline, go_to)
        self._senses = senses(timeline, self.play, self.search, self.findings_pane, self.rerun)
        self._bind_actions()

    def on_mount(self) -> None:
        """Draw what is known, and look for more at intervals."""
        self.set_focus(self.timeline)
        self.set_interval(TICK, self.growth.tick)
        self.growth.tick()
        self.named.look_around()

    def on_unmount(self) -> None:
        """Stop what runs beside the screen."""
        self.search.close()
        self.filter.close()
        self.feed.close()

    def on_resize(self) -> None:
        """Panes beside each other on wide terminals, below each other on others."""
        self.layout_of_panes.set_out()
        self.call_after_refresh(self.redraw)

    # -- what is on the screen --

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now, most special first."""
        playing = (PLAYING,) if self.play.is_on else ()
        folded = (FOLDED,) if self.focused_place == TIMELINE and self.timeline.is_on_run else ()
        return (*playing, *folded, self.focused_place, SESSION, PLAY, LIST, EVERYWHERE)

    def can_do(self, action: str) -> bool:
        """Whether an action makes sense at this moment, for the palette."""
        judge = self._senses.get(action)
        return judge is None or judge()

    def redraw(self) -> None:
        """Draw everything that is not drawn by itself."""
        self.findings.redraw()
        self.show_bars()
        if self.pane.display:
            self.pane.show_record(self.timeline.record, self.timeline.run)
            self.pane.draw(keep=True)

    def show_bars(self) -> None:
        """Draw the lines at the edges."""
        self.layout_of_panes.split()
        self.named.draw()
        self.headings.show(([(self.timeline.headings(), self.headings.paint.faint)], []))
        self.show_status()
        self.show_keys()
        self.pane.show_tabs()
        self.play.draw()

    def show_status(self) -> None:
        """Draw the status line."""
        self.remarks.draw(self.cursor.new, self.size.width)

    # -- what the controllers tell --

    def _grown(self) -> None:
        self.cursor.grown(complete=self.feed.status.complete)
        if self._first is not None and self.timeline.index.described >= self._first:
            self.cursor.go_to(self._first - 1)
            self._first = None
        self.findings.take()
        self.cursor.rows_changed()
        self.first_look.take()
        self._refill()
        self.show_bars()

    def _refill(self) -> None:
        """More of the line under the cursor may have come."""
        if self.timeline.is_on_part:
            self.detail.fill_soon()

    def _panes_changed(self) -> None:
        self.layout_of_panes.set_out_list()
        self.show_bars()

    def _is_busy(self) -> bool:
        """Whether the user does something, or looks at something of his own choice."""
        elsewhere = self.focused not in (None, self.timeline)
        return elsewhere or self.play.is_on or self.filter.running is not None

    def _begin_anew(self) -> None:
        self.search.begin_anew()
        self.filter.set("")
        self.play.end()
        self.cursor.begin_anew()
        self.first_look.begin_anew()

    def _moment_changed(self) -> None:
        self.growth.run_clocks()
        self.findings.take()
        self.cursor.rows_changed()
        self._refill()
        self.show_bars()

    def _filter_changed(self) -> None:
        self.findings.show_marks()
        self.show_status()

    def _filter_grown(self) -> None:
        self.cursor.follow()
        self.show_status()

    # -- what the widgets tell --

    @on(LineList.Moved)
    def _moved(self, event: LineList.Moved) -> None:
        event.stop()
        if event.origin is self.timeline:
            self.cursor.moved(at_end=event.at_end)
            self.remarks.drop()
            self.show_status()
            self.show_keys()
            self.detail.fill_soon()
        elif event.origin is self.findings_pane.list:
            self.findings.show_chosen()

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        if event.origin is self.timeline:
            self.detail.open_record()
        elif event.origin is self.findings_pane.list:
            self.findings.go_to_record()
        elif event.origin is self.pane.detail:
            line = self.pane.detail.line_at(self.pane.detail.cursor)
            if line.record is not None:
                self.cursor.go_to(line.record)
                self.set_focus(self.timeline)

    @on(Detail.Folded)
    def _folded(self, event: Detail.Folded) -> None:
        event.stop()
        self.pane.draw(keep=True)

    @on(Detail.CallsWanted)
    def _calls_wanted(self, event: Detail.CallsWanted) -> None:
        event.stop()
        self.calls.open(event.query)

    @on(Scrubber.Sought)
    def _sought(self, event: Scrubber.Sought) -> None:
        self.play.to_time(event.t_us)

    def on_descendant_focus(self) -> None:
        """The footer is about the pane with the focus."""
        self.zoom.follow()
        self.show_bars()
        self.findings.show_chosen(moved=False)

    @on(Prompt.Changed)
    def _typed(self, event: Prompt.Changed) -> None:
        self.asking.take(event)

    # -- what the keys do --

    def action_back(self) -> None:
        """Close the topmost thing: search, zoom, detail, filter, playing; then the screen."""
        in_pane = self.search.here is not None and self.search.unmark()
        if in_pane or self.search.stop() or self.zoom.end() or self.detail.close():
            pass
        elif not self.timeline.has_focus:
            self.set_focus(self.timeline)
        elif self.filter.running is not None:
            self.filter.set("")
        elif not self.search.unmark() and not self.play.end():
            super().action_back()
            return
        self.show_bars()

    def action_filter(self) -> None:
        """Let the user type a filter."""
        self.filter.ask(self.pane.judgement)

    def action_findings(self) -> None:
        """Show the findings and go there, or hide them."""
        self.findings.show_or_hide()
        self.show_bars()

    def action_export(self) -> None:
        """Ask what to export, and how."""
        self.export.ask_what_to_export(self.pane.judgement)

    def _bind_actions(self) -> None:
        """Give the actions of the table of keys that one call to a controller answers to that controller."""
        self.action_neighbour = self.named.go_to_neighbour
        self.action_search = self.search.ask
        self.action_zoom = self.zoom.toggle
        self.action_read_again = self.growth.read_again
        self.action_jump = partial(self.prompt.ask, "jump")
        self.action_fold = self.cursor.fold
        self.action_fold_all = self.cursor.fold_all
        self.action_pair = self.cursor.go_to_other_half
        self.action_next_hit = self.search.next_hit
        self.action_next_problem = self.findings.next_problem
        self.action_tab = self.detail.open_tab
        self.action_play = self.play.play_or_pause
        self.action_stop = self.play.end
        self.action_speed = self.play.change_speed
        self.action_skip_idle = self.play.next_idle_limit
        self.action_step = self.play.step
        self.action_mark = self.export.mark
        self.action_copy = self.copying.ask_what_to_copy
        self.action_pictures = self.pictures.ask
        self.action_editor = self.export.open_in_editor
        self.action_pager = self.export.open_in_pager
        self.action_resend = self.rerun.ask_to_resend
        self.action_probe = self.rerun.ask_to_probe
        self.action_calls = self.calls.open
