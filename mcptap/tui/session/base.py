"""The ground of the screen of one recording: its panes, how they grow, and the way between them.

`session_find`, `session_play` and `session_actions` put on it what one can do; `session` is the whole.
"""

from __future__ import annotations

import time
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.timer import Timer

from mcptap.tui.index.feed import Feed
from mcptap.tui.index.filtering import Sieve
from mcptap.tui.index.finder import Finder
from mcptap.tui.session.bars import known_capabilities, status_row
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.findings_list import FindingsList
from mcptap.tui.session.playback import Playback
from mcptap.tui.session.player import Scrubber
from mcptap.tui.session.tabs import TAB_KEYS, TABS
from mcptap.tui.session.timeline_view import Timeline
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.detail import Detail
from mcptap.tui.widgets.keys import (
    DETAIL,
    EVERYWHERE,
    FINDINGS,
    LIST,
    PLAY,
    SESSION,
    TIMELINE,
    bindings,
)
from mcptap.tui.widgets.line_list import LineList, Scrollbar
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.tap_screen import TapScreen

WIDE = 160
"""From so many columns on the detail stands beside the timeline, and always."""

TICK = 1 / 14
"""Seconds between looks at what the indexer brought; bursts in between are one update."""

CLOCK = 0.5
"""Seconds between steps of the clocks of pending calls: two a second are enough for an eye."""

REST = 0.05
"""The detail is filled once the cursor has rested so long: a held key draws one list only."""


class TimelinePane(Timeline):
    """The timeline with the keys of its pane."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(TIMELINE, LIST)


class SessionBase(TapScreen):
    """One recording. `feed` must have been started; it is closed with the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(SESSION, PLAY), *bindings(SESSION, keys=TAB_KEYS)]
    CSS = """
    SessionScreen { layout: vertical; }
    #verdict { height: 1; }
    #body { height: 1fr; layout: vertical; }
    #left { height: 1fr; width: 1fr; layout: vertical; }
    #list { height: 1fr; }
    #findings-pane { height: 4; display: none; }
    #lower { height: 1fr; display: none; }
    #scrubber { display: none; }
    SessionScreen.wide #body { layout: horizontal; }
    SessionScreen.wide #lower { width: 45%; height: 1fr; border-left: vkey $rule; }
    """

    def __init__(self, feed: Feed) -> None:
        super().__init__()
        self.feed = feed
        self.index = feed.index
        self.verdict = Bar(id="verdict", raised=True)
        self.prompt = Prompt(id="prompt")
        self.timeline = TimelinePane(feed.index, id="timeline")
        self.timeline_bar = Scrollbar(self.timeline)
        self.findings_title = Bar()
        self.findings = FindingsList(id="findings")
        self.findings_bar = Scrollbar(self.findings)
        self.pane = DetailPane(feed, id="lower")
        self.scrubber = Scrubber(id="scrubber")
        self.playback: Playback | None = None
        self.sieve: Sieve | None = None
        self.finder = Finder(feed.index)
        self.remark = ""
        """What the last search or jump came to, for the status line."""
        self._detail_open = False
        self.following = False
        self._new_since: int | None = None
        self._seen_version = -1
        self._seen_count = 0
        self._seen_hidden = 0
        self._here = 0
        """The index of the record under the cursor, which stays there when rows go."""
        self._was_complete = False
        self.seen_findings: object = None
        self.findings_wanted: bool | None = None
        """Whether the user wants to see the findings; None: they are shown if they are worth it."""
        self._rest_timer: Timer | None = None
        self.clock_at = 0.0
        self._told_trouble = ""

    def compose(self) -> ComposeResult:
        """The widgets of the screen."""
        yield self.verdict
        yield self.prompt
        with Container(id="body"):
            with Container(id="left"):
                with Horizontal(id="list"):
                    yield self.timeline
                    yield self.timeline_bar
                with Container(id="findings-pane"):
                    yield self.findings_title
                    with Horizontal():
                        yield self.findings
                        yield self.findings_bar
            yield self.pane
        yield self.scrubber
        yield self.status
        yield self.keybar

    def on_mount(self) -> None:
        """Draw what is known, and look for more at intervals."""
        self.set_focus(self.timeline)
        self.set_interval(TICK, self.tick)
        self.tick()

    def on_unmount(self) -> None:
        """Stop what runs beside the screen."""
        self.finder.cancel()
        if self.sieve is not None:
            self.sieve.cancel()
        self.feed.close()

    def on_resize(self) -> None:
        """Panes beside each other on wide terminals, below each other on others."""
        self.set_class(self._is_wide, "wide")
        self.pane.display = self._is_wide or self._detail_open
        self.show_findings_pane()
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draw everything that is not drawn by itself."""
        self.seen_findings = None
        self.take_findings()
        self.show_bars()
        if self.pane.display:
            self.pane.show_record(self.timeline.record)
            self.pane.draw(keep=True)

    @property
    def _is_wide(self) -> bool:
        return self.size.width >= WIDE

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now, most special first."""
        focused = DETAIL if self.pane.detail.has_focus else FINDINGS if self.findings.has_focus else TIMELINE
        return (focused, SESSION, PLAY, LIST, EVERYWHERE)

    def can_do(self, name: str) -> bool:
        """Whether an action makes sense at this moment, for the palette."""
        i = self.timeline.record
        if name in ("speed", "skip_idle", "stop"):
            return self.playback is not None
        if name == "next_hit":
            return bool(self.finder.text)
        if name == "pair":
            return i is not None and self.index.partner(i) is not None
        if name == "findings":
            return bool(self.findings.findings)
        return True

    # -- growth --

    def tick(self) -> None:
        """Take what came since the last look, and let clocks go on."""
        now = time.monotonic()
        if self.playback is not None:
            self.play_on(now)
        if self.feed.version != self._seen_version:
            self._seen_version = self.feed.version
            self._take_growth()
        elif self.feed.status.live and now - self.clock_at >= CLOCK:
            self.clock_at = now
            self.run_clocks()

    def _take_growth(self) -> None:
        timeline = self.timeline
        self._tell_trouble()
        if self.feed.index is not self.index:
            self._take_new_index()
        self.run_clocks()
        before, self._seen_count = self._seen_count, timeline.count()
        if len(self.index.hidden) != self._seen_hidden:
            self._seen_hidden = len(self.index.hidden)
            timeline.rows_changed(self._here)
        timeline.grown()
        if self.following and self.playback is None:
            timeline.go(timeline.count() - 1)
        elif self._was_complete and self._new_since is None and timeline.count() > before:
            self._new_since = before
        self._was_complete = self._was_complete or self.feed.status.complete
        self.timeline_bar.update()
        self.take_findings()
        self.show_bars()

    def run_clocks(self) -> None:
        """The session's own time, by which pending calls are aged; none once it has ended."""
        timeline, index = self.timeline, self.index
        if self.playback is not None:
            timeline.live_us = int(self.playback.position_us)
        elif self.feed.status.live and self.feed.start_wall_us:
            timeline.live_us = time.time_ns() // 1000 - self.feed.start_wall_us
        else:
            timeline.live_us = None
        if timeline.live_us is not None and index.open_requests:
            timeline.refresh()

    def _tell_trouble(self) -> None:
        trouble = self.feed.status.trouble
        if trouble == self._told_trouble:
            return
        self._told_trouble = trouble
        if trouble == "deleted":
            self.notify(
                "The file was deleted. What was read of it can still be looked at.", severity="warning"
            )
        elif trouble in ("replaced", "truncated"):
            self.notify(f"The file was {trouble} while it was open: it is read anew.", severity="warning")
            try:
                self.feed.restart()
            except OSError as error:
                self.notify(f"It can't be opened any more: {error.strerror}", severity="error")
        elif trouble:
            self.notify(f"Indexing stopped: {trouble}", severity="error", timeout=20)

    def _take_new_index(self) -> None:
        """The file is another one: everything begins anew."""
        self.index = self.timeline.index = self.feed.index
        self.finder.cancel()
        self.finder = Finder(self.index)
        self.set_filter("")
        self.end_play()
        self._told_trouble = ""
        self._was_complete = False
        self._new_since = None
        self.seen_findings = None
        self.timeline.flags = {}
        self.timeline.marked = set()
        self.timeline.forget()
        self.timeline.go(0)

    # -- bars --

    def show_bars(self) -> None:
        """Draw the lines at the edges."""
        self.show_status()
        self.show_keys()
        self.pane.show_tabs()
        if self.playback is not None:
            worst = (i for i, level in self.timeline.flags.items() if level)
            known = known_capabilities(self.index, self.pane.judgement, self.playback.head)
            self.scrubber.draw_playback(self.playback, self.index, worst, known)

    def show_status(self) -> None:
        """Draw the status line."""
        new = 0
        if self._new_since is not None and not self.following:
            new = max(0, self.timeline.count() - self._new_since)
        row = status_row(self.status.paint, self.timeline, self.feed, new, self.remark, self.size.width)
        self.status.show(row)

    # -- cursor and detail --

    @on(LineList.Moved)
    def _moved(self, event: LineList.Moved) -> None:
        event.stop()
        origin = event.origin
        if origin is self.timeline:
            self.following = event.at_end
            self._here = self.timeline.record or 0
            if event.at_end:
                self._new_since = None
            self.remark = ""
            self.show_status()
            self.timeline_bar.update()
            if self.pane.display:
                if self._rest_timer is not None:
                    self._rest_timer.stop()
                self._rest_timer = self.set_timer(REST, self._fill_detail)
        elif origin is self.findings:
            self.findings_bar.update()
            if self.pane.display and self.findings.chosen is not None and self.findings.has_focus:
                self.pane.show_finding(self.findings.chosen)
        else:
            self.pane.scrollbar.update()

    @on(Detail.Folded)
    def _folded(self, event: Detail.Folded) -> None:
        event.stop()
        self.pane.draw(keep=True)

    def _fill_detail(self) -> None:
        self.pane.now = self.timeline.now
        self.pane.show_record(self.timeline.record)

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        if event.origin is self.timeline:
            if not self.pane.tab.about_record:
                self.pane.tab = TABS[0]
            # The first Enter opens it and leaves the cursor in the list, which it then follows.
            self._open_detail(focus=self.pane.display)
        elif event.origin is self.findings:
            finding = self.findings.chosen
            if finding is not None and finding.line:
                self.go_to(finding.line - 1)
                self.set_focus(self.timeline)
        elif event.origin is self.pane.detail:
            line = self.pane.detail.line_at(self.pane.detail.cursor)
            if line.record is not None:
                self.go_to(line.record)
                self.set_focus(self.timeline)

    def _open_detail(self, *, focus: bool) -> None:
        self._detail_open = self.pane.display = True
        if focus:
            self.set_focus(self.pane.detail)
        self.call_after_refresh(self._detail_opened)

    def _detail_opened(self) -> None:
        self.timeline.go(self.timeline.cursor)
        self._fill_detail()
        self.pane.draw(keep=True)
        self.show_bars()
        self.timeline_bar.update()

    def on_descendant_focus(self) -> None:
        """The footer is about the pane with the focus."""
        self.show_bars()
        if self.findings.has_focus and self.pane.display and self.findings.chosen is not None:
            self.pane.show_finding(self.findings.chosen)

    def go_to(self, i: int) -> None:
        """Put the cursor on the record at this index, past the filter and the moment if need be."""
        if self.playback is not None and i > self.playback.head:
            self.playback.to_record(i)
            self.moment_changed()
        picked = self.timeline.picked
        row = self.timeline.row_of(i)
        if picked is not None and (row is None or self.timeline.record_at(row) != i):
            self.notify("The filter was taken away: it hid that record.")
            self.set_filter("")
            row = self.timeline.row_of(i)
        if row is not None:
            self.timeline.go(row, centre=True)

    def action_tab(self, name: str) -> None:
        """Show another page of the detail."""
        self.pane.choose_tab(name)
        self._open_detail(focus=False)

    def action_pair(self) -> None:
        """From a request to its answer, and back."""
        i = self.timeline.record
        other = self.index.partner(i) if i is not None else None
        if other is None:
            self.notify("This record has no other half." if i is not None else "No record is chosen.")
            return
        if self.timeline.now is not None and other > self.timeline.now:
            self.notify("The answer has not come at this moment.")
            return
        self.go_to(other)

    def action_back(self) -> None:
        """Close the topmost thing: search, detail, filter, playing; then the screen."""
        if self.finder.is_running:
            self.finder.cancel()
            self.remark = "search stopped"
        elif self._detail_open:
            self._detail_open = False
            self.pane.display = self._is_wide
            self.set_focus(self.timeline)
            self.call_after_refresh(self._detail_closed)
        elif not self.timeline.has_focus:
            self.set_focus(self.timeline)
        elif self.timeline.picked is not None:
            self.set_filter("")
        elif self.timeline.needle:
            self.timeline.needle = ""
            self.timeline.forget()
        elif self.playback is not None:
            self.end_play()
        elif len(self.app.screen_stack) > 2:
            self.app.pop_screen()
            return
        self.show_bars()

    def _detail_closed(self) -> None:
        self.timeline.go(self.timeline.cursor)
        self.timeline_bar.update()

    def action_next_pane(self) -> None:
        """Focus the next pane."""
        self.focus_next()

    def action_previous_pane(self) -> None:
        """Focus the pane before."""
        self.focus_previous()

    # -- what the other parts say --

    def take_findings(self) -> None:
        """Show what the diagnosis said last, if that is new."""
        raise NotImplementedError

    def show_marks(self) -> None:
        """Show ticks beside the timeline where findings are."""
        raise NotImplementedError

    def show_findings_pane(self) -> None:
        """Show the findings pane, or not, in its proper height."""
        raise NotImplementedError

    def set_filter(self, text: str, *, keep_prompt: bool = False) -> None:
        """Show only what the filter lets through; one that can't be understood changes nothing."""
        raise NotImplementedError

    def play_on(self, now: float) -> None:
        """Let the time of a session that is played go on; `now` is of `time.monotonic`."""
        raise NotImplementedError

    def moment_changed(self) -> None:
        """Show the session as it was at the moment of the playback."""
        raise NotImplementedError

    def end_play(self) -> None:
        """Show all records again."""
        raise NotImplementedError
