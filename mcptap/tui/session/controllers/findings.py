"""Verdict, findings and problems: what the diagnosis says, and the way from problem to problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcptap.diagnosis.engine.finding import Level
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.judgement import Judgement
from mcptap.tui.index.kinds import Kind
from mcptap.tui.session.bar_rows import known_when, verdict_rows
from mcptap.tui.session.controllers.detail import WIDE
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.findings_pane import FindingsPane
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.tap_screen import TapScreen

LOW = 36
"""With fewer lines, timeline, findings and detail have no room below each other."""

BAD_KINDS = (Kind.ERROR, Kind.TOOL_ERROR, Kind.POLLUTION, Kind.DAMAGED, Kind.UNREADABLE)


class FindingsController:
    """Shows each new judgement. `go_to` goes to the record at an index."""

    def __init__(
        self,
        screen: TapScreen,
        feed: Feed,
        timeline: Timeline,
        timeline_bar: Scrollbar,
        pane: DetailPane,
        findings: FindingsPane,
        verdict: Bar,
        go_to: Callable[[int], None],
    ) -> None:
        self._screen = screen
        self._feed = feed
        self._timeline = timeline
        self._timeline_bar = timeline_bar
        self._pane = pane
        self._findings = findings
        self._verdict = verdict
        self._go_to = go_to
        self._shown: Judgement | None = None
        """The judgement that is on the screen."""
        self._is_played = False
        """Whether it is shown as that of another moment."""
        self._wanted: bool | None = None
        """Whether the user wants to see the findings; None: they are shown if they are worth it."""

    def take(self) -> None:
        """Show what the diagnosis said last, if that is new."""
        is_played = self._timeline.now is not None
        if self._feed.findings is not self._shown or is_played is not self._is_played:
            self.redraw()
        elif is_played:
            self._flag()

    def redraw(self) -> None:
        """Show what the diagnosis said last."""
        self._shown = self._feed.findings
        now = self._timeline.now
        self._is_played, self._findings.when = now is not None, known_when(self._feed, now)
        judgement = self._pane.judgement
        self._findings.list.show(judgement.findings)
        self._flag()
        self._timeline.forget()
        self.set_out()
        rows = verdict_rows(self._verdict.paint, judgement, self._feed, self._screen.size.width, now)
        self._verdict.styles.height = len(rows)
        self._verdict.show(*rows)
        self.show_marks()
        if self._pane.display and self._pane.tab.about_record:
            self._pane.draw(keep=True)
        self._pane.growth()

    def _flag(self) -> None:
        """Flag the records of which something was found by the moment that is shown."""
        timeline = self._timeline
        now = timeline.now
        is_past = now is not None and now < timeline.index.described - 1
        flags = timeline.index.flagged_rows(self._pane.judgement.worst(now if is_past else None))
        if flags != timeline.flags:
            timeline.flags = flags
            timeline.forget()

    def set_out(self) -> None:
        """Show the pane if there is anything above info in it, or if it was asked for.

        On a small terminal the detail explains the first finding, and the others wait for their key. Where
        all that was found is about the causing record, the detail tells it, and it is not said twice.
        """
        found, (columns, lines) = self._findings.list.findings, self._screen.size
        wanted = self._wanted
        if wanted is None:
            worth = [f for f in found if f.level > Level.INFO and not f.design]
            is_small = columns < WIDE and lines < LOW
            is_one = all(f.line == self._pane.judgement.record for f in worth)
            wanted = bool(worth) and not (self._pane.display and (is_small or is_one))
        self._findings.set_out(wanted, lines)

    def show_marks(self) -> None:
        """Show ticks beside the timeline where findings are."""
        bar, timeline = self._timeline_bar, self._timeline
        height, total = bar.size.height, timeline.count()
        if height < 2 or total <= timeline.size.height:
            bar.marks({}, height)
            return
        paint = timeline.paint
        styles = {0: paint.dim, 1: paint.stderr, 2: paint.problem}
        marks = {}
        for i, level in sorted(timeline.flags.items(), key=lambda item: item[1]):
            row = timeline.row_of(i)
            if row is not None and level:
                marks[row * height // total] = styles[level]
        bar.marks(marks, height)

    def show_or_hide(self) -> None:
        """Show the findings and go there; hide them if one is there."""
        if self._findings.display and self._findings.list.has_focus:
            self._wanted = False
            self._screen.set_focus(self._timeline)
        elif not self._findings.list.findings:
            complete = self._feed.status.complete
            self._screen.notify("There are no findings." if complete else "No findings so far.")
            return
        else:
            self._wanted = self._findings.display = True
            self._screen.set_focus(self._findings.list)
        self.set_out()

    def show_chosen(self, *, moved: bool = True) -> None:
        """Show the finding under the cursor in the detail pane, if both panes are in use.

        Who only comes by (not `moved`) keeps a page about the session that is open.
        """
        chosen = self._findings.list.chosen
        shown = self._pane.display and (moved or self._pane.tab.about_record)
        if chosen is not None and self._findings.list.has_focus and shown:
            self._pane.show_finding(chosen)

    def go_to_record(self) -> None:
        """Go to the record that shows the finding under the cursor."""
        chosen = self._findings.list.chosen
        if chosen is not None and chosen.line:
            self._go_to(chosen.line - 1)
            self._screen.set_focus(self._timeline)

    def next_problem(self, direction: int) -> None:
        """To the next record (1) with a finding, an error or no answer, or the one before (-1)."""
        start = self._timeline.record
        if start is None:
            return
        found = [i for i in self._problems(start, direction) if i >= 0]
        if found:
            self._go_to(min(found) if direction > 0 else max(found))
        else:
            self._screen.notify("No further problem " + ("below." if direction > 0 else "above."))

    def _problems(self, start: int, direction: int) -> Iterator[int]:
        """The nearest problem of each sort, -1 where there is none; bytes are searched, not records."""
        index = self._timeline.index
        for kind in BAD_KINDS:
            if direction > 0:
                yield index.kinds.find(kind, start + 1)
            else:
                yield index.kinds.rfind(kind, 0, start)
        others = [i for i, level in self._timeline.flags.items() if level]
        if index.ended_us is not None:
            others += index.open_requests
        if direction > 0:
            yield min((i for i in others if i > start), default=-1)
        else:
            yield max((i for i in others if i < start), default=-1)
