"""The timeline of a run: the records of all its servers, each with the name of its own."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.style import Style
from textual.binding import BindingType

from mcptap.text.columns import fit, fit_right, text_width
from mcptap.text.units import duration, elapsed
from mcptap.tui.index.kinds import ANSWERS, Kind, State
from mcptap.tui.index.rows import Row, make_row, run_row
from mcptap.tui.runs.member import Member
from mcptap.tui.runs.merged import MergedRows, Place
from mcptap.tui.session.timeline import BAD_STATES, CALL, CALL_SIGN, STATE_GLYPHS, STATE_WORDS
from mcptap.tui.widgets.keys import LIST, RUNS, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.text import visible

SERVER = 14
LATENCY = 8
STATE = 13
LEAST_EXCERPT = 12


class RunTimeline(LineList):
    """The records of the shown sessions by their time."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(LIST, RUNS)
    scroll_margin: ClassVar[int] = 1

    def __init__(self, **options: Any) -> None:
        self.members: list[Member] = []
        self.merged = MergedRows()
        self.here: Place | None = None
        """The record that the cursor was put on: it stays there."""
        super().__init__(**options)

    def show(self, members: list[Member]) -> None:
        """Show these sessions."""
        self.members = members
        self.here = None
        self.merged = MergedRows([member.part for member in members])
        self.forget()
        self.changed()

    def count(self) -> int:
        """Rows of all sessions that are shown."""
        return len(self.merged)

    @property
    def place(self) -> Place | None:
        """The record under the cursor."""
        try:
            return self.merged.at(self.cursor)
        except IndexError:
            return None

    def go(self, y: int, *, centre: bool = False) -> None:
        """Put the cursor on a row; its record is noted at once, or rows that come could take it along."""
        super().go(y, centre=centre)
        self.here = self.place

    def grown(self, *, follow: bool = False) -> None:
        """There may be more or fewer rows, anywhere: the cursor stays on its record, or at the end."""
        count = self.count()
        if follow:
            self.cursor = max(0, count - 1)
            self.top = max(0, count - max(1, self.size.height))
        elif self.here is not None:
            row = min(self.merged.row_of(self.here), max(0, count - 1))
            self.top, self.cursor = max(0, self.top + row - self.cursor), row
        self.forget()
        self.changed()

    def unsearched(self, width: int) -> int:  # noqa: ARG002 - the same at each width
        """A search looks at no flag, time, server's name and arrow."""
        return 4

    def is_fixed(self, y: int) -> bool:  # noqa: ARG002 - a record that comes late may push any row down
        """Rows are drawn anew: there are few of them, and earlier records of other servers may come."""
        return False

    def draw(self, y: int, width: int) -> Cells:
        """Draw the row of a record."""
        paint = self.paint
        try:
            number, i = self.merged.at(y)
            member = self.members[number]
            run = member.feed.index.folds.shown_by(i) if member.part.picked is None else None
            row = make_row(member.feed.index, i) if run is None else run_row(member.feed.index, run)
        except (OSError, IndexError) as error:
            return [(fit(f"   this record can't be read: {error}", width), paint.problem)]
        index = member.feed.index
        server = self.server_width()
        time_us = member.part.start_us + row.t_us
        state = index.state(i)
        cells: Cells = [
            self._flag(member, i),
            (fit_right(elapsed(time_us), self._time_width()) + " ", paint.dim),
            (fit(visible(member.name), server) + " ", self._server_style(member)),
            (row.glyph + " ", self._way_style(row)),
        ]
        method = CALL_SIGN if row.method == CALL and row.name else row.method
        label = row.answers or " ".join(filter(None, (method, row.name)))
        if row.kind == Kind.STDERR:
            label = f"stderr {row.name}".rstrip()
        name = self._name_width(width - sum(text_width(text) for text, _ in cells))
        is_quiet = row.kind in ANSWERS or row.kind == Kind.NOTIFICATION or not row.name
        cells.append((fit(label, name) + " ", paint.dim if is_quiet else paint.bright))
        cells += [self._latency(member, i, state), self._state(state)]
        room = width - sum(text_width(text) for text, _ in cells)
        if room >= LEAST_EXCERPT:
            bright = row.kind == Kind.POLLUTION or (state in BAD_STATES and row.kind in ANSWERS)
            style = paint.pollution if row.kind == Kind.POLLUTION else paint.plain if bright else paint.faint
            cells.append((fit(" " + row.excerpt, room), style))
        return cells

    def headings(self) -> str:
        """What stands in the columns, above them."""
        time, server, width = self._time_width(), self.server_width(), self.size.width - 1
        name = self._name_width(width - 1 - time - 1 - server - 1 - 2)
        said = [" ", fit_right("time", time), " ", fit("server", server), "   ", fit("message", name), " "]
        said += [fit_right("took", LATENCY - 1), "   ", fit("state", STATE - 2), " content"]
        return " " + fit("".join(said), width)

    @staticmethod
    def _name_width(room: int) -> int:
        """Columns for the message, of those behind the server's."""
        return max(10, min(26, room - LATENCY - STATE - LEAST_EXCERPT - 2))

    def server_width(self) -> int:
        """Columns for the servers' names."""
        names = [text_width(visible(member.name)) for member in self.members]
        return min(SERVER, max([text_width("server"), *names]))

    def _time_width(self) -> int:
        return len(elapsed(max((m.part.end_us for m in self.members), default=0))) + 1

    def _server_style(self, member: Member) -> Style:
        """Servers that are at fault stand out; no hue, since hues mean directions and states."""
        return self.paint.title if member.first_finding is not None else self.paint.plain

    def _flag(self, member: Member, i: int) -> tuple[str, Style]:
        level = member.flags.get(i)
        if level is None:
            return " ", self.paint.dim
        return "●", (self.paint.dim, self.paint.stderr, self.paint.problem)[level]

    def _way_style(self, row: Row) -> Style:
        paint = self.paint
        if row.kind == Kind.POLLUTION:
            return paint.pollution
        ways = {"c2s": paint.client, "s2c": paint.server, "stderr": paint.stderr}
        return ways.get(row.channel, paint.dim)

    def _latency(self, member: Member, i: int, state: State) -> tuple[str, Style]:
        if state == State.PENDING and member.live_us is not None:
            age = max(0, member.live_us - member.feed.index.times[i])
            return fit_right(duration(age, short=True), LATENCY - 1) + " ", self.paint.stderr
        latency = member.feed.index.latency(i)
        return fit_right(
            member.feed.index.took(latency, short=True) if latency is not None else "", 7
        ) + " ", self.paint.faint

    def _state(self, state: State) -> tuple[str, Style]:
        paint = self.paint
        if state in (State.NONE, State.ANSWERED):
            return " " * STATE, paint.dim
        text = fit(f"{STATE_GLYPHS[state]} {STATE_WORDS[state]}", STATE)
        return text, paint.problem if state in BAD_STATES else paint.stderr
