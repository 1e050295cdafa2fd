"""The lines of the list: sessions in some order, below their run if they are of one, above their probes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mcptap.captures.runs import Run, runs_of
from mcptap.captures.summary import Summary, with_probes
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.query import Query
from mcptap.tui.recordings.filter import SessionRow


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the list: a session, a probe below the session that it was made for, or a run."""

    summary: Summary
    """The session; of a run the one that tells most of it (`worst`)."""
    is_probe: bool = False
    run: Run | None = None
    """The run, if the line stands for all its sessions."""
    in_run: bool = False
    """Whether the line stands below that of its run."""

    @property
    def key(self) -> str:
        """Tells this line from all others, also when the list changed."""
        return f"run of {self.run.sessions[0].path}" if self.run is not None else self.summary.path


@dataclass(frozen=True, slots=True)
class Order:
    """A column to sort by: its word, and the key, which is sorted in falling order."""

    word: str
    key: Callable[[Summary], Any]


_RANK = {outcome.value: len(Outcome) - place for place, outcome in enumerate(Outcome)}


def badness(summary: Summary) -> tuple[int, int, int]:
    """The worse a session went, the greater. One that was not judged stands below all."""
    found = summary.problems or {}
    return _RANK.get(summary.outcome, 0), found.get("error", 0), found.get("warning", 0)


ORDERS = (
    Order("start", lambda s: s.start_wall_us),
    Order("problems", badness),
    Order("length", lambda s: s.length_us),
    Order("msgs", lambda s: s.messages),
    Order("size", lambda s: s.size),
    Order("server", lambda s: tuple(-ord(c) for c in s.name.casefold())),
)
"""In the order in which a key goes through them. Names rise where numbers fall."""


def went_wrong(summary: Summary) -> bool:
    """Whether something is broken, failed, or waits."""
    return summary.outcome in (Outcome.BROKEN, Outcome.WAITING, Outcome.CALLS_FAILED)


def worst(run: Run) -> Summary:
    """The session of a run that went worst; the first of them, since others may follow from it."""
    return max(run.sessions, key=badness)


def entries(
    summaries: Iterable[Summary], query: Query, now_us: int, order: Order, *, reverse: bool = False
) -> list[Entry]:
    """The lines: runs only where the list is in the order of time, since elsewhere they fall apart."""
    groups = with_probes(summaries)
    probes = {session.path: found for session, found in groups}
    wanted = {
        session.path
        for session, found in groups
        if query.is_empty or any(query.matches(SessionRow(s, now_us)) for s in (session, *found))
    }
    lines: list[Entry] = []

    def add(session: Summary, *, in_run: bool = False) -> None:
        lines.append(Entry(session, in_run=in_run))
        lines.extend(Entry(probe, True, in_run=in_run) for probe in probes[session.path])

    if order is not ORDERS[0]:
        sessions = [session for session, _ in groups if session.path in wanted]
        for session in sorted(sessions, key=order.key, reverse=not reverse):
            add(session)
        return lines
    runs = runs_of(session for session, _ in groups)
    for run in reversed(runs) if reverse else runs:
        shown = [session for session in run.sessions if session.path in wanted]
        if shown and len(run.sessions) > 1:
            lines.append(Entry(worst(run), run=run))
        for session in shown:
            add(session, in_run=len(run.sessions) > 1)
    return lines
