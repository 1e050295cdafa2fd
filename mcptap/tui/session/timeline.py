"""The timeline: one row a record, read and decoded when it comes into sight."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.style import Style
from textual.binding import BindingType

from mcptap.text.columns import fit, fit_right, text_width
from mcptap.text.units import duration, elapsed, size
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import ANSWERS, Kind, State
from mcptap.tui.index.rows import Row, make_row, run_row
from mcptap.tui.session.columns import Columns
from mcptap.tui.session.shown_records import ShownRecords
from mcptap.tui.widgets.keys import FOLDED, LIST, TIMELINE, bindings
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.palette import Paint

STATE_WORDS = {
    State.NONE: "",
    State.PENDING: "pending",
    State.ANSWERED: "ok",
    State.ERROR: "error",
    State.TOOL_ERROR: "isError",
    State.CANCELLED: "cancelled",
    State.UNANSWERED: "unanswered",
    State.LATE: "late",
    State.UNASKED: "unasked",
    State.UNREADABLE: "unreadable",
    State.REPEATED: "repeated",
}
STATE_GLYPHS = {
    State.PENDING: "◌",
    State.ERROR: "✗",
    State.TOOL_ERROR: "✗",
    State.CANCELLED: "⊘",
    State.UNANSWERED: "∅",
    State.LATE: "⧖",
    State.UNASKED: "?",
    State.UNREADABLE: "▒",
    State.REPEATED: "?",
}
BAD_STATES = frozenset(
    (
        State.ERROR,
        State.TOOL_ERROR,
        State.UNANSWERED,
        State.UNASKED,
        State.UNREADABLE,
        State.REPEATED,
    )
)


PLAIN_KINDS = frozenset(
    (Kind.STDERR, Kind.EVENT, Kind.HEADER, Kind.PART, Kind.DAMAGED, Kind.BLANK, Kind.POLLUTION)
)
"""What is no message has no id, latency or state: its text begins where theirs would be."""

CALL, CALL_SIGN = "tools/call", "ƒ"
"""Nearly all requests of a session are calls: a sign leaves the room to the tools' names."""

USUAL_NAME = 24
"""Columns of a name as long as any usual one, while no name of the session is known yet."""


class Timeline(ShownRecords):
    """The rows of a session: messages, what is no message, and what becomes of requests."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(TIMELINE, FOLDED, LIST)
    scroll_margin: ClassVar[int] = 1

    def __init__(self, index: RecordIndex, **options: Any) -> None:
        self.flags: dict[int, int] = {}
        """Level of the worst finding of a record, by index."""
        self.marked: set[int] = set()
        self.live_us: int | None = None
        """The session's time at this moment, while it is live or played."""
        self._set_for: tuple[int, ...] = ()
        self._longest, self._names = 0, 0
        super().__init__(index, **options)

    def is_fixed(self, y: int) -> bool:
        """A row whose record is not described yet, or that waits for an answer, may change."""
        i = self.record_at(y)
        if i >= self.index.described or self.index.kinds[i] == Kind.PART:
            return False
        return self.index.kinds[i] != Kind.REQUEST or self.index.state(i, self.now) != State.PENDING

    def draw(self, y: int, width: int) -> Cells:
        """Draw the row of a record."""
        i = self.record_at(y)
        paint = self.paint
        try:
            run = self.run_at(y)
            row = make_row(self.index, i, self.now) if run is None else run_row(self.index, run)
        except (OSError, IndexError) as error:
            return [(fit(f"   record {i + 1:,} can't be read: {error}", width), paint.problem)]
        columns = self._columns(width)
        state = self.index.state(i, self.now)
        cells: Cells = [self._flag(i)]
        if columns.number:
            cells.append((fit_right(f"{i + 1}", columns.number - 1) + " ", paint.faint))
        cells.append((fit_right(elapsed(row.t_us), columns.time - 1) + " ", paint.dim))
        cells.append((row.glyph + " ", self._way_style(row)))
        if row.kind in PLAIN_KINDS:
            used = sum(text_width(text) for text, _ in cells)
            return [*cells, *self._plain(row, width - used, columns.label)]
        cells += self._what(row, columns.name)
        if columns.id:
            cells.append((fit_right(_short_id(row.id), columns.id - 1) + " ", paint.faint))
        cells.append(self._latency(i, state, columns.latency))
        if columns.state:
            cells.append(self._state(row, state, columns.state))
        if columns.size:
            known = i < self.index.described and row.kind not in (Kind.EVENT, Kind.HEADER)
            text = size(self.index.sizes[i], short=True) if known else ""
            cells.append((fit_right(text, columns.size - 1) + " ", paint.faint))
        if not columns.excerpt:
            return cells
        room = columns.excerpt + 1
        if not columns.state:
            told = self._state(row, state, 0)
            cells.append(told)
            room -= text_width(told[0])
        return [*cells, *self._excerpt(row, state, room)]

    def headings(self) -> str:
        """What stands in the columns, above them."""
        return self._columns(max(1, self.size.width - 1)).headings()

    def _plain(self, row: Row, columns: int, least: int) -> Cells:
        """A row that is no message: a label, then its text over the columns that it does not need."""
        paint = self.paint
        label, style, text_style = " ".join(filter(None, (row.method, row.name))), paint.dim, paint.dim
        if row.kind == Kind.STDERR:
            label, style, text_style = f"stderr {row.name}".rstrip(), paint.stderr, paint.plain
        elif row.kind == Kind.POLLUTION:
            where = "pollution" if row.channel == "s2c" else "stdin pollution"
            label = row.answers or f"{where} · {row.method}"
            style = text_style = paint.pollution
        elif row.kind == Kind.DAMAGED:
            style = paint.problem
        elif row.kind == Kind.HEADER:
            style, text_style = paint.plain, paint.faint
        most = columns * 2 // 3 if row.answers else columns // 2
        # Label and text of one colour need more than a space between them.
        room = max(min(least, columns // 2), min(text_width(label) + (2 if style is text_style else 1), most))
        return [(fit(label, room - 1) + " ", style), (fit(row.excerpt, columns - room), text_style)]

    def unsearched(self, width: int) -> int:
        """Flag, number, time and way are not what a message says."""
        return 4 if self._columns(width).number else 3

    def _columns(self, width: int) -> Columns:
        total = max(len(self.index), 1)
        last_us = self.index.times[-1] if self.index.described else 0
        names = self.index.names
        if len(names) < self._names:
            self._longest = self._names = 0
        for name in names[self._names :]:
            self._longest = max(self._longest, len(name))
        self._names = len(names)
        needed = (width, len(str(total)) + 2, len(elapsed(last_us)) + 2, self._longest or USUAL_NAME)
        if needed != self._set_for:
            self._set_for = needed
            self._strips.clear()
        return Columns(*needed)

    def _flag(self, i: int) -> tuple[str, Style]:
        level = self.flags.get(i)
        if i in self.marked:
            return "◆", self.paint.bright
        if level is None:
            return " ", self.paint.dim
        return "●", (self.paint.dim, self.paint.stderr, self.paint.problem)[level]

    def _way_style(self, row: Row) -> Style:
        paint = self.paint
        if row.kind == Kind.POLLUTION:
            return paint.pollution
        if row.kind == Kind.DAMAGED:
            return paint.problem
        return {"c2s": paint.client, "s2c": paint.server, "stderr": paint.stderr}.get(row.channel, paint.dim)

    def _what(self, row: Row, columns: int) -> Cells:
        """Method (a sign for calls) dim and tool bright; on the answer both are said again, dimmed."""
        paint = self.paint
        answer = row.kind in ANSWERS
        method, name = CALL_SIGN if row.method == CALL and row.name else row.method, row.name
        if answer and not method:
            return [(fit("answer", columns), paint.dim)]
        if not name:
            quiet = answer or row.kind == Kind.NOTIFICATION
            return [(fit(method, columns), paint.dim if quiet else paint.bright)]
        room = columns - 1 - text_width(method) - 1
        if room < min(text_width(name), 8):
            left = columns - text_width(name) - 2
            method = fit(method, max(4, left)) if left >= 6 else ""
            room = columns - 1 - text_width(method) - (1 if method else 0)
        lead = method + " " if method else ""
        return [
            (lead, paint.faint if answer else paint.dim),
            (fit(name, room) + " ", paint.dim if answer else paint.title),
        ]

    def _latency(self, i: int, state: State, columns: int) -> tuple[str, Style]:
        paint = self.paint
        if state == State.PENDING and self.live_us is not None:
            age = max(0, self.live_us - self.index.times[i])
            return fit_right(duration(age, short=True), columns - 1) + " ", paint.stderr
        latency = self.index.latency(i, self.now)
        if latency is None:
            return " " * columns, paint.dim
        return fit_right(self.index.took(latency, short=True), columns - 1) + " ", heat(self.paint, latency)

    def _state(self, row: Row, state: State, columns: int) -> tuple[str, Style]:
        paint = self.paint
        if state == State.NONE:
            return " " * columns, paint.dim
        if state == State.ANSWERED:
            return fit("  ok" if row.kind in ANSWERS else "", columns), paint.faint
        word = "no answer" if state == State.PENDING and self.index.is_cut else STATE_WORDS[state]
        text = f"{STATE_GLYPHS[state]} {word}"
        columns = columns or text_width(text) + 1
        if state in BAD_STATES:
            return fit(text, columns), paint.problem
        return fit(text, columns), paint.stderr if state != State.CANCELLED else paint.dim

    def _excerpt(self, row: Row, state: State, columns: int) -> Cells:
        """What the message is about; of a bad answer brighter, since it says why."""
        is_bad = state in BAD_STATES and row.kind in ANSWERS
        return [(fit(row.excerpt, columns), self.paint.plain if is_bad else self.paint.faint)]


def heat(paint: Paint, latency: int) -> Style:
    """Log scale: below a tenth of a second nobody waits, above ten seconds clients give up."""
    if latency < 100_000:
        return paint.faint
    if latency < 1_000_000:
        return paint.plain
    return paint.stderr if latency < 10_000_000 else paint.problem


def _short_id(text: str) -> str:
    """The end of a long id tells more than its beginning."""
    return text if text_width(text) <= 6 else "…" + text[-5:]
