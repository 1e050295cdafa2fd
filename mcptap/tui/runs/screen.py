"""The screen of a run: its servers, and one timeline over all of them."""

from __future__ import annotations

import time

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal

from mcptap.captures.runs import Run, runs_of
from mcptap.captures.summary import Summary, with_probes
from mcptap.errors import UserError
from mcptap.query import Query, QueryError, parse
from mcptap.recording.reader import State
from mcptap.text.units import when
from mcptap.tui.recordings.collection import Collection
from mcptap.tui.runs.member import Member, at_fault, opened, run_words
from mcptap.tui.runs.merged import Place
from mcptap.tui.runs.search import RunSearch
from mcptap.tui.runs.servers import ServerList, cause_rows
from mcptap.tui.runs.timeline import RunTimeline
from mcptap.tui.session.controllers.cursor import NO_RUN
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.keys import EVERYWHERE, LIST, RUNS
from mcptap.tui.widgets.line_list import LineList
from mcptap.tui.widgets.outcomes import outcome_sign
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.tap_screen import OpenRecording, TapScreen
from mcptap.tui.widgets.text import visible

TICK = 1 / 14
"""Seconds between looks at what the indexers brought."""
CLOCK = 0.5
"""Seconds between steps of the clocks."""
LOOK = 1.0
"""Seconds between looks for further sessions."""
MOST_SERVERS = 8
"""Rows that the list of servers takes at most."""


class RunOverview(TapScreen):
    """The run that the recording at `path` is of; without one the newest, then always the newest.

    Sessions that join it appear by themselves.
    """

    CSS = """
    RunOverview { layout: vertical; }
    #run-verdict { height: 1; }
    #servers { height: 3; }
    #cause { height: 4; border-top: solid $rule; }
    #run-headings { border-top: solid $rule; height: 2; }
    #run-list { height: 1fr; }
    """

    def __init__(self, folders: list[str] | None = None, path: str | None = None) -> None:
        super().__init__()
        self.collection = Collection(folders)
        self.members: list[Member] = []
        self.follows_newest = path is None
        self._path = path
        self.verdict = Bar(id="run-verdict", raised=True)
        self.prompt = Prompt(id="prompt")
        self.servers = ServerList(id="servers")
        self.cause = Bar(id="cause")
        self.headings = Bar(id="run-headings")
        self.timeline = RunTimeline(id="run-timeline")
        self.timeline_bar = Scrollbar(self.timeline)
        self.search = RunSearch(self, self.timeline, self.say)
        self._remark = ""
        """What the last search came to, for the status line."""
        self._remark_at: Place | None = None
        """The record for which it was said."""
        self._query: Query = parse("")
        self._before = ""
        self._follow = False
        """Whether the cursor goes with the end."""
        self._count = 0
        self._chose = False
        """Whether the user moved through the servers: until then the cursor is on the one at fault."""
        self._clock_at = 0.0
        self._newer = ""
        """The path of a newer run's first session, while this one is live."""

    def compose(self) -> ComposeResult:
        """Verdict, servers, timeline."""
        yield self.verdict
        yield self.prompt
        yield self.servers
        yield self.cause
        yield self.headings
        with Horizontal(id="run-list"):
            yield self.timeline
            yield self.timeline_bar
        yield self.status
        yield self.keybar

    def on_mount(self) -> None:
        """Look for the run's sessions, and go on looking."""
        self.set_focus(self.timeline)
        self.redraw()
        self._look()
        self.set_interval(LOOK, self._look)
        self.set_interval(TICK, self.tick)

    def on_unmount(self) -> None:
        """Stop the search and the indexers."""
        self._close()

    def on_resize(self) -> None:
        """Set out for the new width."""
        self.call_after_refresh(self.redraw)

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now."""
        return (RUNS, LIST, EVERYWHERE)

    # -- which sessions --

    @work(thread=True, exclusive=True, group="look")
    def _look(self) -> None:
        if self.is_current or not self.collection.is_loaded:
            self.collection.look(lambda: None)
            if self.is_running:
                self.app.call_from_thread(self._found)

    def _found(self) -> None:
        runs = [run for run in self._runs() if not run.sessions[0].header.probe]
        own = next((run for run in runs if self._path is not None and run.holds(self._path)), None)
        newest = runs[0] if runs else None
        if own is None and self._path is not None and not self.members:
            self.notify("The recording is not among those of its folder.", severity="warning")
        if own is None:
            own = newest if self._path is None else None
        elif newest is not None and newest.start_wall_us > own.start_wall_us:
            is_over = all(s.state is not State.LIVE for s in own.sessions)
            self._newer = newest.sessions[0].path
            if self.follows_newest and is_over:
                self.notify(f"A new run began: {visible(newest.client)}.")
                own = newest
        if own is not None:
            self._show_run(own)
        self.redraw()

    def _runs(self) -> list[Run]:
        groups = with_probes(self.collection.summaries)
        return runs_of(session for session, _ in groups)

    def _show_run(self, run: Run) -> None:
        """Open what is not open; another run takes the place of this one."""
        if self.members and not run.holds(self.members[0].summary.path):
            self._close()
        self._path = run.sessions[0].path
        if self._newer == self._path:
            self._newer = ""
        known = {member.summary.path: member for member in self.members}
        added: list[Member] = []
        for summary in run.sessions:
            if summary.path not in known:
                try:
                    known[summary.path] = opened(summary, run.start_wall_us)
                except UserError as error:
                    self.notify(str(error), severity="error")
                    continue
                added.append(known[summary.path])
                known[summary.path].show_only(self._query)
        if added:
            self.members = [known[s.path] for s in run.sessions if s.path in known]
            before = self.place
            self.servers.members = self.members
            self.servers.changed()
            self.timeline.show(self.members)
            if before is not None:
                self._go_to(*before)
            self.servers.styles.height = max(1, min(MOST_SERVERS, len(self.members)))
            self.redraw()

    def _close(self) -> None:
        self.search.close()
        for member in self.members:
            member.close()
        self.members = []

    # -- drawing --

    @property
    def place(self) -> tuple[Summary, int] | None:
        """The session and the index of the record under the cursor."""
        place = self.timeline.place
        return (self.timeline.members[place[0]].summary, place[1]) if place is not None else None

    def tick(self) -> None:
        """Take what came, and let clocks go on."""
        taken = sum(member.take() for member in self.members)
        count = self.timeline.count()
        if taken or count != self._count:
            self._count = count
            self.timeline.grown(follow=self._follow)
            self.redraw()
        now = time.monotonic()
        if now - self._clock_at >= CLOCK and any(member.is_live for member in self.members):
            self._clock_at = now
            self.servers.forget()
            self.timeline.refresh()

    def redraw(self) -> None:
        """Draw what stands around the lists."""
        paint = self.verdict.paint
        wrong = at_fault(self.members)
        words = run_words(self.members)
        if wrong and wrong[0].outcome is not None:
            glyph, style = outcome_sign(paint, wrong[0].outcome, wrong[0].errors)
        else:
            is_good = bool(self.members) and words.startswith("Nothing is wrong")
            glyph, style = ("✓", paint.server) if is_good else ("·", paint.dim)
        client = self._client()
        self.verdict.show(
            ([(f" {glyph} ", style), (visible(words), paint.bright)], [(f"{visible(client)} ", paint.dim)])
        )
        if wrong and not self._chose:
            self.servers.go(self.members.index(wrong[0]))
        self.servers.forget()
        chosen = self.servers.chosen
        self.cause.show(*cause_rows(paint, chosen, self.size.width) if chosen is not None else [])
        self.headings.show(([(self.timeline.headings(), paint.faint)], []))
        total, row = self.timeline.count(), self.timeline.cursor + 1
        place = [(f" {min(row, total):,}", paint.bright), (f" / {total:,}", paint.dim)]
        place.append((f"   {visible(self._remark)}", paint.dim))
        hidden = sum(not member.part.is_shown for member in self.members)
        said = [
            ("L: a newer run" if self._newer else "", paint.stderr),
            (f"{hidden} hidden, o shows all" if hidden else "", paint.dim),
            ("live" if any(member.is_live for member in self.members) else "", paint.server),
        ]
        self.status.show((place, [(f"{words} ", style) for words, style in said if words]))
        self.prompt.note("" if self._query.is_empty else f"{total:,} match")
        self.show_keys()

    def _client(self) -> str:
        if not self.members:
            return ""
        run = Run([member.summary for member in self.members])
        return f"run of {run.client or 'an unknown client'}, {when(run.start_wall_us)}"

    # -- what can be done --

    @on(LineList.Moved)
    def _moved(self, event: LineList.Moved) -> None:
        event.stop()
        if event.origin is self.timeline:
            self._follow = event.at_end
            if self.timeline.place != self._remark_at:
                self._remark = ""
            self.timeline.here = self.timeline.place
        self._chose = self._chose or (event.origin is self.servers and self.servers.has_focus)
        self.redraw()

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        """Open the session: at the record, or from the list of servers at what shows its fault."""
        event.stop()
        if event.origin is self.servers:
            member = self.servers.chosen
            if member is not None:
                first = member.first_finding
                self.post_message(
                    OpenRecording(member.summary.path, record=first.line if first is not None else None)
                )
            return
        place = self.place
        if place is not None:
            self.post_message(OpenRecording(place[0].path, record=place[1] + 1))

    def _go_to(self, summary: Summary, i: int) -> None:
        for number, member in enumerate(self.timeline.members):
            if member.summary.path == summary.path and self.timeline.count():
                self.timeline.go(self.timeline.merged.row_of((number, i)), centre=True)

    def action_pair(self) -> None:
        """From a request to its answer, and back."""
        place = self.timeline.place
        member = self.timeline.members[place[0]] if place is not None else None
        other = member.feed.index.partner(place[1]) if member is not None and place is not None else None
        if member is None or other is None:
            self.notify("This record has no other half.")
        else:
            self._go_to(member.summary, other)

    def action_next_problem(self, step: int) -> None:
        """To the next record, of any server, with a finding; or the one before."""
        merged, here = self.timeline.merged, self.timeline.cursor
        rows = sorted(
            merged.row_of((number, i))
            for number, member in enumerate(self.timeline.members)
            if member.part.is_shown
            for i in member.flags
            if i < member.feed.index.described
        )
        further = [row for row in rows if (row > here if step > 0 else row < here)]
        if further:
            self.timeline.go(further[0] if step > 0 else further[-1], centre=True)
        elif any(member.outcome is None for member in self.members):
            self.notify("Not all sessions were judged yet.")
        else:
            self.notify("No further finding." if rows else "Nothing was found in these sessions.")

    def action_only(self) -> None:
        """Only the records of this server, or those of all again."""
        members = self.members
        if not all(member.part.is_shown for member in members):
            chosen = None
        elif self.servers.has_focus:
            chosen = self.servers.chosen
        else:
            place = self.timeline.place
            chosen = self.timeline.members[place[0]] if place is not None else None
        for member in members:
            member.part.is_shown = chosen is None or member is chosen
        self.timeline.grown()
        self.redraw()

    def action_fold(self) -> None:
        """Unfold the run of stderr under the cursor, or fold it again."""
        place = self.timeline.place
        index = self.timeline.members[place[0]].feed.index if place is not None else None
        run = index.folds.run_of(place[1]) if index is not None and place is not None else None
        if index is None or place is None or run is None:
            self.notify(NO_RUN)
            return
        index.folds.fold(run.start, folded=index.folds.shown_by(place[1]) is None)
        self.timeline.grown()
        self.redraw()

    def action_newest(self) -> None:
        """To the latest run, and on with whatever comes."""
        runs = [run for run in self._runs() if not run.sessions[0].header.probe]
        if runs:
            self.follows_newest = True
            self._newer = ""
            self._show_run(runs[0])

    def action_filter(self) -> None:
        """Let the user type a filter, for all servers at once."""
        self._before = self._query.text
        statistics = [member.feed.judgement.statistics for member in self.members]
        self.prompt.seen = {
            "method": sorted({method for each in statistics for _, method in each.methods}),
            "tool": sorted({tool for each in statistics for tool in each.tools}),
        }
        self.prompt.ask("filter", self._before)

    def action_search(self) -> None:
        """Let the user type what is to be searched for, in the records of all servers."""
        self.prompt.ask("search")

    def action_next_hit(self, direction: int) -> None:
        """To the next hit (1) of the search, or the one before (-1)."""
        self.search.next_hit(direction)

    def say(self, words: str) -> None:
        """Put words into the status line, until the cursor moves."""
        self._remark, self._remark_at = words, self.timeline.place
        self.redraw()

    @on(Prompt.Changed)
    def _typed(self, event: Prompt.Changed) -> None:
        event.stop()
        if event.mode == "search":
            self._searched(event)
            return
        text = self._before if isinstance(event, Prompt.Left) else event.text
        try:
            query = parse(text)
        except QueryError:
            return
        if query.text != self._query.text:
            self._query = query
            for member in self.members:
                member.show_only(query)
            self.timeline.grown()
            self.redraw()
        if type(event) is not Prompt.Changed:
            self._remind()

    def _searched(self, event: Prompt.Changed) -> None:
        if type(event) is not Prompt.Changed:
            self._remind()
            if event.text and isinstance(event, Prompt.Entered):
                self.search.entered(event.text)

    def _remind(self) -> None:
        """Leave the filter in the prompt without the focus; without a filter the prompt goes."""
        if self._query.is_empty:
            self.prompt.close()
        else:
            self.prompt.show("filter", self._query.text)
        self.set_focus(self.timeline)

    def action_back(self) -> None:
        """End the search, take the filter away, else close the screen."""
        if self.search.stop():
            return
        if self._query.is_empty:
            super().action_back()
            return
        self._query = parse("")
        for member in self.members:
            member.show_only(self._query)
        self.prompt.close()
        self.timeline.grown()
        self.redraw()
