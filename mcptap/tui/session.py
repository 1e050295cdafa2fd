"""The screen of one recording: verdict, timeline, findings, detail, and what moves between them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Horizontal
from textual.screen import Screen
from textual.timer import Timer

from mcptap.diagnosis.finding import Level
from mcptap.query import QueryError, parse
from mcptap.tui.bars import Bar, KeyBar
from mcptap.tui.detail import Detail
from mcptap.tui.detail_pane import DetailPane
from mcptap.tui.feed import Feed
from mcptap.tui.filtering import Sieve
from mcptap.tui.finder import Finder
from mcptap.tui.findings_view import FindingsList
from mcptap.tui.index import Kind, State
from mcptap.tui.keys import DETAIL, EVERYWHERE, FINDINGS, LIST, PLAY, SESSION, TIMELINE, bindings, footer
from mcptap.tui.line_list import LineList, Scrollbar
from mcptap.tui.playback import Playback, parse_place
from mcptap.tui.player import Scrubber
from mcptap.tui.prompt import Prompt
from mcptap.tui.session_actions import SessionActions, resenders
from mcptap.tui.session_bars import findings_title, known_capabilities, status_row, verdict_rows
from mcptap.tui.text import count
from mcptap.tui.timeline_view import Timeline

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


class SessionScreen(SessionActions, Screen[None]):
    """One recording. `feed` must have been started; it is closed with the screen."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SESSION, PLAY)
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
        self.status = Bar(id="status", raised=True)
        self.keybar = KeyBar(id="keys")
        self.playback: Playback | None = None
        self.sieve: Sieve | None = None
        self.finder = Finder(feed.index)
        self.remark = ""
        """What the last search or jump came to, for the status line."""
        self._detail_open = False
        self._following = False
        self._new_since: int | None = None
        self._seen_version = -1
        self._seen_count = 0
        self._was_complete = False
        self._seen_findings: object = None
        self._findings_hidden = False
        self._filter_kept = ""
        self._rest_timer: Timer | None = None
        self._played_at = 0.0
        self._clock_at = 0.0
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
        self._show_findings_pane()
        self.call_after_refresh(self.show_all)

    def theme_changed(self) -> None:
        """Draw in the colours of another theme."""
        self.show_all()

    def show_all(self) -> None:
        """Draw everything that is not drawn by itself."""
        self._seen_findings = None
        self._take_findings()
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
        if name == "resend":
            return bool(resenders)
        return True

    # -- growth --

    def tick(self) -> None:
        """Take what came since the last look, and let clocks go on."""
        now = time.monotonic()
        if self.playback is not None:
            self._play_on(now)
        if self.feed.version != self._seen_version:
            self._seen_version = self.feed.version
            self._take_growth()
        elif self.feed.status.live and now - self._clock_at >= CLOCK:
            self._clock_at = now
            self._run_clocks()

    def _take_growth(self) -> None:
        timeline = self.timeline
        self._tell_trouble()
        if self.feed.index is not self.index:
            self._take_new_index()
        self._run_clocks()
        before, self._seen_count = self._seen_count, timeline.count()
        timeline.grown()
        if self._following and self.playback is None:
            timeline.go(timeline.count() - 1)
        elif self._was_complete and self._new_since is None and timeline.count() > before:
            self._new_since = before
        self._was_complete = self._was_complete or self.feed.status.complete
        self.timeline_bar.update()
        self._take_findings()
        self.pane.growth()
        self.show_bars()

    def _run_clocks(self) -> None:
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
        self._set_filter("")
        self._end_play()
        self._told_trouble = ""
        self._was_complete = False
        self._new_since = None
        self._seen_findings = None
        self.timeline.flags = {}
        self.timeline.marked = set()
        self.timeline.forget()
        self.timeline.go(0)

    # -- findings --

    def _take_findings(self) -> None:
        judged = self.feed.findings
        if judged is self._seen_findings:
            return
        self._seen_findings = judged
        judgement = self.pane.judgement
        self.findings.show(judgement.findings)
        self.timeline.flags = judgement.worst()
        self.timeline.forget()
        self._show_findings_pane()
        rows = verdict_rows(self.verdict.paint, judgement, self.feed, self.size.width)
        self.verdict.styles.height = len(rows)
        self.verdict.show(*rows)
        self._show_marks()
        if self.pane.display and self.pane.tab == "message":
            self.pane.draw(keep=True)

    def _show_findings_pane(self) -> None:
        found = self.findings.findings
        worth = any(f.level > Level.INFO and not f.design for f in found)
        pane = self.query_one("#findings-pane")
        pane.display = bool(found) and (worth or self.findings.has_focus) and not self._findings_hidden
        room = 3 if self.size.height < 30 else 5 if self.size.height < 45 else 9
        pane.styles.height = 1 + min(len(found), room)
        self.findings_title.show(findings_title(self.findings_title.paint, found))

    def _show_marks(self) -> None:
        """Ticks beside the timeline where findings are."""
        height, total = self.timeline_bar.size.height, self.timeline.count()
        if height < 2 or total <= self.timeline.size.height:
            self.timeline_bar.marks({}, height)
            return
        paint = self.timeline.paint
        styles = {0: paint.dim, 1: paint.stderr, 2: paint.problem}
        marks = {}
        for i, level in sorted(self.timeline.flags.items(), key=lambda item: item[1]):
            row = self.timeline.row_of(i)
            if row is not None and level:
                marks[row * height // total] = styles[level]
        self.timeline_bar.marks(marks, height)

    def action_findings(self) -> None:
        """Show the findings and go there, or hide them."""
        pane = self.query_one("#findings-pane")
        if pane.display and self.findings.has_focus:
            self._findings_hidden = True
            self.set_focus(self.timeline)
        elif not self.findings.findings:
            self.notify("There are no findings." if self.feed.status.complete else "No findings so far.")
            return
        else:
            self._findings_hidden = False
            pane.display = True
            self.set_focus(self.findings)
        self._show_findings_pane()
        self.show_bars()

    # -- bars --

    def show_bars(self) -> None:
        """Draw the lines at the edges."""
        self.show_status()
        self.keybar.show_keys(footer(*self.places[:3], EVERYWHERE), self.size.width)
        self.pane.show_tabs()
        if self.playback is not None:
            worst = (i for i, level in self.timeline.flags.items() if level)
            known = known_capabilities(self.index, self.pane.judgement, self.playback.head)
            self.scrubber.draw_playback(self.playback, self.index, worst, known)

    def show_status(self) -> None:
        """Draw the status line."""
        new = 0
        if self._new_since is not None and not self._following:
            new = max(0, self.timeline.count() - self._new_since)
        row = status_row(self.status.paint, self.timeline, self.feed, new, self.remark, self.size.width)
        self.status.show(row)

    # -- cursor and detail --

    @on(LineList.Moved)
    def _moved(self, event: LineList.Moved) -> None:
        event.stop()
        origin = event.origin
        if origin is self.timeline:
            self._following = event.at_end
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
            if self.pane.tab not in ("message", "bytes"):
                self.pane.tab = "message"
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
            self._moment_changed()
        picked = self.timeline.picked
        row = self.timeline.row_of(i)
        if picked is not None and (row is None or self.timeline.record_at(row) != i):
            self.notify("The filter was taken away: it hid that record.")
            self._set_filter("")
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

    def action_next_problem(self, direction: int) -> None:
        """To the next record with a finding, an error or no answer."""
        start = self.timeline.record
        if start is None:
            return
        for i in self._problems(start, direction):
            self.go_to(i)
            return
        self.notify("No further problem " + ("below." if direction > 0 else "above."))

    def _problems(self, start: int, direction: int) -> Iterator[int]:
        index, flags = self.index, self.timeline.flags
        bad = {Kind.ERROR, Kind.TOOL_ERROR, Kind.POLLUTION, Kind.DAMAGED, Kind.UNREADABLE}
        lost = (State.UNANSWERED,)
        end = index.described if direction > 0 else -1
        for i in range(start + direction, end, direction):
            kind = index.kinds[i]
            if kind in bad or flags.get(i, 0) > 0 or (kind == Kind.REQUEST and index.state(i) in lost):
                yield i

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
            self._set_filter("")
        elif self.timeline.needle:
            self.timeline.needle = ""
            self.timeline.forget()
        elif self.playback is not None:
            self._end_play()
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

    # -- filter, search, places --

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
            self._set_filter(event.text, keep_prompt=True)

    @on(Prompt.Entered)
    def _entered(self, event: Prompt.Entered) -> None:
        event.stop()
        if event.mode == "filter":
            try:
                parse(event.text)
            except QueryError:
                return  # what is wrong, and where, stands below the line
            self._set_filter(event.text, keep_prompt=True)
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
            self._set_filter(self._filter_kept)
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

    def _set_filter(self, text: str, *, keep_prompt: bool = False) -> None:
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
        self._show_marks()
        self.show_status()

    def _sifted(self) -> None:
        """Called from the sieve's thread."""
        self.app.call_later(self._take_sifted)

    def _take_sifted(self) -> None:
        if self.sieve is None:
            return
        timeline = self.timeline
        timeline.changed()
        if self._following and self.playback is None:
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
        self.timeline.needle = text.casefold()
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
        self.finder.find(start, direction, lambda hit: app.call_later(self._found, hit))

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
            self._moment_changed()
        self.go_to(i)

    # -- playing --

    def action_play(self) -> None:
        """Play from the cursor; pause, go on."""
        if self.playback is None:
            self.playback = Playback(self.index.times, self.timeline.record or 0)
            self.scrubber.display = True
        self._played_at = time.monotonic()
        self.playback.play_or_pause()
        self._moment_changed()

    def action_stop(self) -> None:
        """End playing: all records again."""
        self._end_play()
        self.show_bars()

    def action_speed(self, steps: int) -> None:
        """Faster or slower."""
        if self.playback is not None:
            self.playback.change_speed(steps)
            self.show_bars()

    def action_skip_idle(self) -> None:
        """Another limit for pauses."""
        if self.playback is not None:
            self.playback.next_idle_limit()
            self.show_bars()

    def action_step(self, records: int) -> None:
        """One record forward or back; begins at the cursor."""
        if self.playback is None:
            self.playback = Playback(self.index.times, self.timeline.record or 0)
            self.scrubber.display = True
        self.playback.step(records)
        self._moment_changed()

    @on(Scrubber.Sought)
    def _sought(self, event: Scrubber.Sought) -> None:
        if self.playback is not None:
            self.playback.to_time(event.t_us)
            self._moment_changed()

    def _play_on(self, now: float) -> None:
        playback = self.playback
        if playback is None or not playback.playing:
            return
        elapsed, self._played_at = now - self._played_at, now
        if playback.advance(elapsed) or not playback.playing:
            self._moment_changed()
        elif now - self._clock_at >= 0.2:
            self._clock_at = now
            self._run_clocks()
            self.show_bars()

    def _moment_changed(self) -> None:
        """Show the session as it was when the record at the head had come."""
        playback, timeline = self.playback, self.timeline
        if playback is None:
            return
        back = timeline.now is not None and playback.head < timeline.now
        timeline.now = self.pane.now = playback.head
        if back or timeline.now is None:
            timeline.forget()
        self._run_clocks()
        timeline.changed()
        timeline.go(timeline.count() - 1)
        self.timeline_bar.update()
        self.show_bars()

    def _end_play(self) -> None:
        if self.playback is None:
            return
        self.playback = None
        self.timeline.now = self.pane.now = None
        self.scrubber.display = False
        self._run_clocks()
        self.timeline.forget()
        self.timeline.changed()
        self.timeline_bar.update()
