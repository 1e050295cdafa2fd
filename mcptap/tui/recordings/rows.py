"""Recordings as rows of a list."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

from rich.style import Style
from textual.binding import BindingType

from mcptap.captures.runs import Run
from mcptap.captures.summary import Summary
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.masking.masker import Masker
from mcptap.recording import made_here
from mcptap.recording.reader import State
from mcptap.report.recordings import problems_of
from mcptap.text.columns import fit, fit_right, text_width
from mcptap.text.units import counted, duration, size, when
from mcptap.tui.recordings.order import Entry, went_wrong, worst
from mcptap.tui.widgets.keys import LIST, SESSIONS, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.outcomes import outcome_sign
from mcptap.tui.widgets.text import visible

STATE_GLYPHS = {State.LIVE: "●", State.FINISHED: "·", State.CRASHED: "✗", State.UNKNOWN: "?"}

PROBLEMS = 17
"""Columns for what a session came to."""
WITH_CLIENT = 90
"""From so many columns on there is room for more than what a session came to."""
LEAST_CLIENT = 8
"""With fewer columns left the client is not named."""
WITH_SIZE = 110
"""From so many columns on the file's size is told."""
CLIENT = 24

UNNAMED = "server"
"""What a server is called whose name a capture does not tell; its file tells more."""

_WELL = Outcome.HEALTHY.value


class SessionList(LineList):
    """The recordings as rows."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SESSIONS, LIST)

    def __init__(self, **options: Any) -> None:
        self.entries: list[Entry] = []
        self.marked: list[str] = []
        """Paths of the marked recordings, in the order in which they were marked."""
        self.awaits: Callable[[str], bool] = lambda _: True
        """Whether the recording at a path, not judged so far, is going to be."""
        self._name_width, self._start_width = 0, 8
        super().__init__(**options)

    def show(self, entries: list[Entry]) -> None:
        """Show these; the cursor stays on its line."""
        chosen = self.chosen_entry
        self.entries = entries
        self._name_width = max((text_width(_name(entry)) for entry in entries), default=0)
        self._start_width = max((text_width(when(e.summary.start_wall_us)) for e in entries), default=8)
        if chosen is not None:
            keys = [entry.key for entry in entries]
            if chosen.key in keys:
                before, self.cursor = self.cursor, keys.index(chosen.key)
                self.top = max(0, self.top + self.cursor - before)
        self.forget()
        self.changed()

    @property
    def chosen_entry(self) -> Entry | None:
        """The line under the cursor."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    @property
    def chosen(self) -> Summary | None:
        """The recording under the cursor; None on the line of a run."""
        entry = self.chosen_entry
        return entry.summary if entry is not None and entry.run is None else None

    def count(self) -> int:
        """How many there are."""
        return len(self.entries)

    def name_width(self, width_: int) -> int:
        """Columns for the server's name: as many as the longest one takes, within reason."""
        most = 18 if width_ < WITH_CLIENT else 24 if width_ < WITH_SIZE else 36
        return max(16, min(self._name_width, most))

    def start_width(self) -> int:
        """Columns for the start: a time of today takes fewer than a date."""
        return self._start_width

    def heading(self, width_: int, sorted_by: str, *, reverse: bool) -> str:
        """The names of the columns; the one that the list is sorted by has a sign."""

        def named(word: str, columns: int, *, right: bool = False) -> str:
            is_it = word == sorted_by
            sign = "↑" if reverse != (word == "server") else "↓"
            return (fit_right if right else fit)(f"{word}{sign if is_it else ''}", columns)

        name, start = self.name_width(width_), self.start_width()
        names = f"    {named('server', name)} {named('start', start)} {'state':9}"
        names += (
            f"{named('length', 7, right=True)} {named('msgs', 7, right=True)} {named('problems', PROBLEMS)}"
        )
        if width_ >= WITH_SIZE:
            names += named("size", 6, right=True) + "  "
        room = width_ - text_width(names)
        return names + (f"{'client':{CLIENT}} command" if room >= 44 else "client" if room >= 8 else "")

    def draw(self, y: int, width_: int) -> Cells:
        """One recording, or one run."""
        entry, paint = self.entries[y], self.paint
        if entry.run is not None:
            return self._run(entry.run, entry, width_)
        s = entry.summary
        state_style = self._state_style(s.state)
        name = fit(_name(entry), self.name_width(width_))
        length = duration(s.length_us, short=True) if s.length_us or not s.origin else ""
        cells: Cells = [
            ("◆" if s.path in self.marked else " ", paint.bright),
            (f"{STATE_GLYPHS[s.state]} ", state_style),
            (name + " ", paint.faint if entry.is_probe else paint.title),
            (fit(when(s.start_wall_us), self.start_width()) + " ", paint.dim),
            (fit(s.state.word, 9), state_style),
            (fit_right(length, 7) + " ", paint.dim),
            (fit_right(("" if s.is_exact else "~") + _short(s.messages), 7) + " ", paint.dim),
            self._problems(s),
        ]
        if width_ >= WITH_SIZE:
            cells.append((fit_right(size(s.size, short=True), 6) + "  ", paint.faint))
        room = width_ - sum(text_width(text) for text, _ in cells)
        if room >= LEAST_CLIENT:
            split = room if room < 44 else CLIENT
            cells.append((fit(client_of(s), split), paint.plain if s.client else paint.faint))
            if room > split:
                cells.append((fit(" " + command_of(s), room - split), paint.faint))
        return cells

    def _run(self, run: Run, entry: Entry, width_: int) -> Cells:
        paint, sessions = self.paint, run.sessions
        state = state_of(run)
        length_us = run.end_wall_us - run.start_wall_us
        messages = sum(s.messages for s in sessions)
        about = "" if all(s.is_exact for s in sessions) else "~"
        cells: Cells = [
            (" ▾ ", self._state_style(state)),
            (fit(_name(entry), self.name_width(width_)) + " ", paint.bright),
            (fit(when(run.start_wall_us), self.start_width()) + " ", paint.dim),
            (fit(state.word, 9), self._state_style(state)),
            (fit_right(duration(length_us, short=True), 7) + " ", paint.dim),
            (fit_right(about + _short(messages), 7) + " ", paint.dim),
            self._of_servers(run),
        ]
        room = width_ - sum(text_width(text) for text, _ in cells)
        cells.append((fit(" " + ", ".join(map(visible, run.servers)), room), paint.faint))
        return cells

    def _state_style(self, state: State) -> Style:
        styles = {State.LIVE: self.paint.server, State.CRASHED: self.paint.stderr}
        return styles.get(state, self.paint.dim)

    def _of_servers(self, run: Run) -> tuple[str, Style]:
        """How many of the sessions of a run went wrong, or at least wait."""
        sessions, paint = run.sessions, self.paint
        bad = [s for s in sessions if went_wrong(s)]
        if not bad:
            # Not judged counts more than healthy here: a run is well when all of it is.
            return self._problems(min(sessions, key=lambda s: (s.problems is not None, s.outcome == _WELL)))
        first = worst(run)
        glyph, style = outcome_sign(paint, Outcome(first.outcome), (first.problems or {}).get("error", 0))
        return fit(f"{glyph} {len(bad)} of {counted(len(sessions), 'session')}", PROBLEMS), style

    def _problems(self, s: Summary) -> tuple[str, Style]:
        """What a session came to, in the words that `mcptap ls` has for it."""
        if s.problems is None:
            return fit("…" if self.awaits(s.path) else "?", PROBLEMS), self.paint.faint
        glyph, style = outcome_sign(self.paint, Outcome(s.outcome), s.problems.get("error", 0))
        return fit(f"{glyph} {problems_of(s)[0]}", PROBLEMS), style


def state_of(run: Run) -> State:
    """Live if anything in a run is; else the worst that became of a session."""
    states = {s.state for s in run.sessions}
    return next(s for s in (State.LIVE, State.CRASHED, State.UNKNOWN, State.FINISHED) if s in states)


@cache
def _masker() -> Masker:
    return made_here.masker()


def command_of(summary: Summary) -> str:
    """The command line of the server, without secrets."""
    return visible(" ".join(_masker().argv(summary.header.argv)))


def client_of(summary: Summary) -> str:
    """Who spoke to the server: the client as it named itself, or mcptap where that played it."""
    if summary.header.probe:
        return visible(summary.client)
    parent = summary.parent_name
    played = parent if parent.startswith("mcptap ") else ""
    return visible(" as ".join(filter(None, (played, summary.client)))) or "unknown client"


def _name(entry: Entry) -> str:
    if entry.run is not None:
        return f"run of {visible(entry.run.client) or 'an unknown client'}"
    if entry.is_probe:
        return "└ probe of the same start"
    s = entry.summary
    name = os.path.basename(s.path) if s.origin and s.name == UNNAMED else s.name
    return ("  " if entry.in_run else "") + visible(name)


def _short(number: int) -> str:
    return f"{number:,}" if number < 100_000 else size(number, short=True)
