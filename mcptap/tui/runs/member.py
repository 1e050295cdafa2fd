"""One session of a run as the screen knows it: its index as it grows, and what it came to so far."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from mcptap.captures.summary import Summary
from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.query import Query
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.filtering import RunningFilter
from mcptap.tui.index.opening import feed_of
from mcptap.tui.runs.merged import Part

WRONG = (Outcome.BROKEN, Outcome.WAITING, Outcome.CALLS_FAILED)
"""The outcomes of a session in which something is at fault, the worst first."""


@dataclass(slots=True)
class Member:
    """A session of the run. `close` it."""

    summary: Summary
    feed: Feed
    part: Part
    flags: dict[int, int] = field(default_factory=dict)
    """The level of the worst finding of a record, by index."""
    seen: int = -1
    """The version of the feed that is on the screen."""
    _filter: RunningFilter | None = None

    @property
    def name(self) -> str:
        """The server's name."""
        return self.summary.name

    @property
    def outcome(self) -> Outcome | None:
        """What it came to so far; None if it was not judged yet."""
        return self.feed.findings.outcome if self.feed.findings is not None else None

    @property
    def is_live(self) -> bool:
        """Whether it goes on."""
        return self.feed.status.live

    @property
    def errors(self) -> int:
        """How many errors were found."""
        return self.feed.findings.count(Level.ERROR) if self.feed.findings is not None else 0

    @property
    def first_finding(self) -> Finding | None:
        """What stands first in its report and shows why something went wrong, if anything did."""
        judgement = self.feed.findings
        if judgement is None or judgement.outcome not in WRONG:
            return None
        found = [finding for finding in judgement.findings if not finding.design]
        return next((f for f in found if f.level > Level.INFO), next((f for f in found if f.line), None))

    @property
    def remedy(self) -> str:
        """What to do about that, or about what waits; empty if nothing is known."""
        first, judgement = self.first_finding, self.feed.judgement
        return (first.remedy if first is not None else "") or judgement.advice

    @property
    def live_us(self) -> int | None:
        """The session's own time at this moment, while it is live."""
        return time.time_ns() // 1000 - self.summary.start_wall_us if self.is_live else None

    @property
    def words(self) -> str:
        """The verdict; before there is one, how far it was read."""
        if self.feed.findings is None:
            return "…"
        so_far = "" if self.feed.status.complete else "so far: "
        return so_far + self.feed.findings.verdict

    def take(self) -> bool:
        """Take what the feed brought; whether it brought anything."""
        if self.feed.version == self.seen:
            return False
        self.seen = self.feed.version
        self.part.index = self.feed.index
        if self._filter is not None:
            self.part.picked = self._filter.picked
        worst = self.feed.findings.worst() if self.feed.findings is not None else {}
        self.flags = self.feed.index.flagged_rows(worst)
        return True

    def show_only(self, query: Query) -> None:
        """Let only these records have rows."""
        if self._filter is not None:
            self._filter.cancel()
        self._filter = None
        self.part.picked = None
        if not query.is_empty:
            self._filter = RunningFilter(self.feed.index, query, lambda: None)
            self.part.picked = self._filter.picked
            self._filter.start()

    def close(self) -> None:
        """Stop the filter and the indexer."""
        if self._filter is not None:
            self._filter.cancel()
            self._filter.join()
        self.feed.close()


def opened(summary: Summary, run_start_us: int) -> Member:
    """A session with its indexer started. Raises UserError if it can't be opened."""
    feed = feed_of(summary.path)
    feed.preview()
    feed.start()
    return Member(summary, feed, Part(feed.index, max(0, summary.start_wall_us - run_start_us)))


def at_fault(members: list[Member]) -> list[Member]:
    """The sessions in which something went wrong, the worst first."""
    wrong = [member for member in members if member.outcome in WRONG]
    return sorted(wrong, key=lambda m: (WRONG.index(m.outcome or Outcome.BROKEN), -m.errors))


def _fault(wrong: list[Member]) -> str:
    """What is the matter with these sessions, in words that are true of each."""
    outcomes = {member.outcome for member in wrong}
    if Outcome.BROKEN in outcomes:
        return "Something is wrong"
    if outcomes == {Outcome.WAITING}:
        return "A request has no answer"
    return "Calls failed" if outcomes == {Outcome.CALLS_FAILED} else "Calls failed or have no answer"


def run_words(members: list[Member]) -> str:
    """Which of the servers is at fault, in a sentence."""
    total = len(members)
    unjudged = sum(member.outcome is None for member in members)
    if not members:
        return "No session yet: it appears here by itself when a client starts a server behind mcptap."
    wrong = at_fault(members)
    names = ", ".join(dict.fromkeys(member.name for member in wrong))
    so_far = " so far" if unjudged or any(m.is_live or not m.feed.status.complete for m in members) else ""
    sessions = "1 session" if total == 1 else f"{total} sessions"
    if wrong:
        return f"{_fault(wrong)} in {len(wrong)} of {sessions}{so_far}: {names}."
    if unjudged:
        return f"Looking through {sessions} …"
    unclear = [member.name for member in members if member.outcome is Outcome.UNCLEAR]
    if unclear:
        return f"Nothing is found wrong{so_far}; unclear: {', '.join(dict.fromkeys(unclear))}."
    which = "the session" if total == 1 else f"any of the {sessions}"
    return f"Nothing is wrong in {which}{so_far}."
