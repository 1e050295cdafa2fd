"""Verdict, findings and problems, on the screen of one recording."""

from __future__ import annotations

from collections.abc import Iterator

from mcptap.diagnosis.engine.finding import Level
from mcptap.tui.index.index import Kind
from mcptap.tui.session.bars import findings_title, verdict_rows
from mcptap.tui.session.base import SessionBase

BAD_KINDS = (Kind.ERROR, Kind.TOOL_ERROR, Kind.POLLUTION, Kind.DAMAGED, Kind.UNREADABLE)


class SessionFindings(SessionBase):
    """What the diagnosis says, and the way from problem to problem."""

    def take_findings(self) -> None:
        """Show what the diagnosis said last, if that is new."""
        judged = self.feed.findings
        if judged is self.seen_findings:
            return
        self.seen_findings = judged
        judgement = self.pane.judgement
        self.findings.show(judgement.findings)
        self.timeline.flags = judgement.worst()
        self.timeline.forget()
        self.show_findings_pane()
        rows = verdict_rows(self.verdict.paint, judgement, self.feed, self.size.width)
        self.verdict.styles.height = len(rows)
        self.verdict.show(*rows)
        self.show_marks()
        if self.pane.display and self.pane.tab.about_record:
            self.pane.draw(keep=True)
        self.pane.growth()

    def show_findings_pane(self) -> None:
        """Show the pane if there is anything above info in it, or if it was asked for."""
        found = self.findings.findings
        wanted = self.findings_wanted
        if wanted is None:
            wanted = any(f.level > Level.INFO and not f.design for f in found)
        pane = self.query_one("#findings-pane")
        pane.display = bool(found) and wanted
        room = 3 if self.size.height < 30 else 5 if self.size.height < 45 else 9
        pane.styles.height = 1 + min(len(found), room)
        self.findings_title.show(findings_title(self.findings_title.paint, found))

    def show_marks(self) -> None:
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
            self.findings_wanted = False
            self.set_focus(self.timeline)
        elif not self.findings.findings:
            self.notify("There are no findings." if self.feed.status.complete else "No findings so far.")
            return
        else:
            self.findings_wanted = True
            pane.display = True
            self.set_focus(self.findings)
        self.show_findings_pane()
        self.show_bars()

    def action_next_problem(self, direction: int) -> None:
        """To the next record with a finding, an error or no answer."""
        start = self.timeline.record
        if start is None:
            return
        found = [i for i in self._problems(start, direction) if i >= 0]
        if found:
            self.go_to(min(found) if direction > 0 else max(found))
        else:
            self.notify("No further problem " + ("below." if direction > 0 else "above."))

    def _problems(self, start: int, direction: int) -> Iterator[int]:
        """The nearest problem of each sort, -1 where there is none; bytes are searched, not records."""
        index = self.index
        for kind in BAD_KINDS:
            if direction > 0:
                yield index.kinds.find(kind, start + 1)
            else:
                yield index.kinds.rfind(kind, 0, start)
        others = [i for i, level in self.timeline.flags.items() if level]
        if index.ended_us is not None:
            others += index.open_requests
        if direction > 0:
            yield min((i for i in others if i > start), default=-1)
        else:
            yield max((i for i in others if i < start), default=-1)
