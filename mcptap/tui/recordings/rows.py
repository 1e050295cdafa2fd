"""Recordings as rows of a list."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.style import Style
from textual.binding import BindingType

from mcptap.captures.summary import Summary
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.recording import made_here
from mcptap.recording.reader import State
from mcptap.text.columns import fit, fit_right, text_width
from mcptap.text.units import duration, size, when
from mcptap.tui.widgets.keys import LIST, SESSIONS, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.outcomes import WORDS, outcome_sign
from mcptap.tui.widgets.text import visible

STATES = {
    State.LIVE: ("●", "live"),
    State.FINISHED: ("·", "ended"),
    State.CRASHED: ("✗", "cut off"),
    State.UNKNOWN: ("?", "unknown"),
}


class Entry:
    """One line of the list: a session, or a probe below the session that it was made for."""

    __slots__ = ("is_probe", "summary")

    def __init__(self, summary: Summary, is_probe: bool) -> None:
        self.summary = summary
        self.is_probe = is_probe

    def matches(self, words: list[str]) -> bool:
        """Whether all words occur in what the line says."""
        s = self.summary
        said = f"{s.name} {s.client} {STATES[s.state][1]} {s.path} {' '.join(s.header.argv)}".casefold()
        if s.problems and s.problems.get("error"):
            said += " error"
        return all(word in said for word in words)


LEAST_CLIENT = 8
"""With fewer columns left the client is not named."""


class SessionList(LineList):
    """The recordings as rows."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(SESSIONS, LIST)

    def __init__(self, **options: Any) -> None:
        self.entries: list[Entry] = []
        super().__init__(**options)

    def show(self, entries: list[Entry]) -> None:
        """Show these; the cursor stays on its recording."""
        chosen = self.chosen
        self.entries = entries
        if chosen is not None:
            paths = [entry.summary.path for entry in entries]
            if chosen.path in paths:
                self.cursor = paths.index(chosen.path)
        self.forget()
        self.changed()

    @property
    def chosen_entry(self) -> Entry | None:
        """The line under the cursor."""
        return self.entries[self.cursor] if self.cursor < len(self.entries) else None

    @property
    def chosen(self) -> Summary | None:
        """The recording under the cursor."""
        entry = self.chosen_entry
        return entry.summary if entry is not None else None

    def count(self) -> int:
        """How many there are."""
        return len(self.entries)

    def name_width(self, width_: int) -> int:
        """Columns for the server's name: as many as the longest one takes, within reason."""
        most = 26 if width_ < 110 else 36
        longest = max(
            (26 if e.is_probe else text_width(visible(e.summary.name)) for e in self.entries), default=0
        )
        return max(16, min(longest, most))

    def start_width(self) -> int:
        """Columns for the start: a time of today takes fewer than a date."""
        return max((text_width(when(entry.summary.start_wall_us)) for entry in self.entries), default=8)

    def draw(self, y: int, width_: int) -> Cells:
        """One recording."""
        entry, paint = self.entries[y], self.paint
        s = entry.summary
        glyph, word = STATES[s.state]
        live = s.state is State.LIVE
        state_style = paint.server if live else paint.stderr if s.state is State.CRASHED else paint.dim
        name = fit(
            ("└ probe of the same start" if entry.is_probe else visible(s.name)), self.name_width(width_)
        )
        cells: Cells = [
            (f"{glyph} ", state_style),
            (name + " ", paint.faint if entry.is_probe else paint.title),
            (fit(when(s.start_wall_us), self.start_width()) + " ", paint.dim),
            (fit(word, 8), state_style),
            (fit_right(duration(s.length_us, short=True), 7) + " ", paint.dim),
            (fit_right(("" if s.is_exact else "~") + _short(s.messages), 7) + " ", paint.dim),
        ]
        cells += self._problems(s)
        if width_ >= 110:
            cells.append((fit_right(size(s.size, short=True), 7) + "  ", paint.faint))
        used = sum(text_width(text) for text, _ in cells)
        room = width_ - used
        if room >= LEAST_CLIENT:
            client = _client(s)
            split = room if room < 44 else 24
            cells.append((fit(client, split), paint.plain if s.client else paint.faint))
            if room > split:
                command = visible(" ".join(made_here.masker().argv(s.header.argv)))
                cells.append((fit(" " + command, room - split), paint.faint))
        return cells

    def _problems(self, s: Summary) -> Cells:
        paint = self.paint
        if s.problems is None:
            return [(fit("…" if s.is_exact else "", 14), paint.faint)]
        cells: Cells = []
        styles: tuple[tuple[str, str, Style], ...] = (
            ("error", "✗", paint.problem),
            ("warning", "▲", paint.stderr),
            ("info", "·", paint.faint),
        )
        used = 0
        if not s.problems.get("error") and not s.problems.get("warning"):
            outcome = Outcome(s.outcome)
            glyph, style = outcome_sign(paint, outcome, 0)
            text = f"{glyph} {WORDS[outcome]}".rstrip() + " "
            cells.append((text, style))
            used = text_width(text)
        for level, glyph, style in styles:
            number = s.problems.get(level, 0)
            text = f"{glyph}{_short(number)} " if number else ""
            if text:
                cells.append((text, style))
                used += text_width(text)
        cells.append((" " * max(0, 14 - used), paint.dim))
        return cells


def _client(summary: Summary) -> str:
    """Who spoke to the server: the client as it named itself, or mcptap where that played it."""
    if summary.header.probe:
        return visible(summary.client)
    parent = summary.parent_name
    played = parent if parent.startswith("mcptap ") else ""
    return visible(" as ".join(filter(None, (played, summary.client)))) or "unknown client"


def _short(number: int) -> str:
    return f"{number:,}" if number < 100_000 else size(number, short=True)
