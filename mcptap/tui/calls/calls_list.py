"""The list of calls: a row each, drawn from the columns of the index; arguments are read if there is room."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.style import Style
from textual.binding import BindingType

from mcptap.text.columns import fit, fit_right, text_width
from mcptap.text.units import counted, elapsed, size
from mcptap.tui.calls.rows import Rows, Wanted
from mcptap.tui.calls.sorting import Sort
from mcptap.tui.calls.spans import Moment, Span, answer_of, span
from mcptap.tui.calls.waterfall import axis_end, bar, scale, state_style
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.index.kinds import ChannelCode, Kind, State
from mcptap.tui.index.rows import make_row
from mcptap.tui.session.record_list import RecordList
from mcptap.tui.session.timeline import STATE_GLYPHS, STATE_WORDS, heat
from mcptap.tui.widgets.keys import LIST, bindings
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.text import visible


class Columns:
    """How wide the columns are; 0 where there is no room for one."""

    def __init__(self, columns: int, number: int, time: int) -> None:
        self.flag = 1
        self.number = number if columns >= 96 else 0
        self.time = time
        self.arrow = 2
        self.latency = 10
        self.state = 13 if columns >= 50 else 2
        self.size = 7 if columns >= 64 else 0
        fixed = self.flag + self.number + self.time + self.arrow + self.latency + self.state + self.size
        rest = columns - fixed
        self.name = max(10, min(rest - 12, 20 if columns < 90 else 26))
        rest = max(0, rest - self.name)
        self.excerpt = min(60, rest // 2) if rest >= 56 else 0
        self.bar = rest - self.excerpt

    def places(self) -> list[tuple[Sort | None, str, int, bool]]:
        """Headings: by what a click on one sorts, its word, its width, whether it is set to the right."""
        return [
            (None, "", self.flag, False),
            (Sort.TIME, "record", self.number, True),
            (Sort.TIME, "time", self.time, True),
            (None, "", self.arrow, False),
            (Sort.TOOL, "tool", self.name, False),
            (Sort.LATENCY, "latency", self.latency, True),
            (Sort.STATUS, "status", self.state, False),
            (Sort.SIZE, "size", self.size, True),
            (None, "arguments" if self.excerpt else "", self.excerpt, False),
        ]


class CallsList(RecordList):
    """The calls of an index in the order of `rows`, as of `moment`."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(LIST)
    scroll_margin: ClassVar[int] = 1

    def __init__(self, index: RecordIndex, **options: Any) -> None:
        self.index = index
        self.rows = Rows(Wanted())
        self.moment = Moment()
        self.goes_on = False
        """Whether time goes on: the session is live or played."""
        self.flags: dict[int, int] = {}
        """Level of the worst finding of a record, by index."""
        super().__init__(**options)

    def at_moment(self, moment: Moment) -> None:
        """Show the calls as of this moment."""
        self.moment, self.now = moment, moment.now

    @property
    def axis_us(self) -> int:
        """The time at the right end of the axis."""
        return axis_end(self.moment.end_us(self.index), goes_on=self.goes_on)

    def count(self) -> int:
        """Calls that are shown."""
        return len(self.rows)

    def stay_at(self, row: int) -> None:
        """The call under the cursor is in this row now: it keeps its place in the view."""
        self._set_top(self.top + row - self.cursor)
        self.cursor = row

    def record_at(self, y: int) -> int:
        """The index of the request in this row."""
        return self.rows.at(y)

    def shown(self, most: int) -> tuple[str, list[int]]:
        """The requests of the rows, with their answers."""
        halves: set[int] = set()
        for i in self.rows.calls:
            answer = answer_of(self.index, i, self.moment)
            halves |= {i} if answer is None else {i, answer}
            if len(halves) > most:
                break
        records = sorted(halves)[:most]
        return f"the calls of this list ({counted(len(records), 'record')})", records

    def is_fixed(self, y: int) -> bool:
        """The row of a call that waits goes on changing."""
        return self.index.state(self.rows.at(y), self.now) != State.PENDING

    def columns(self, width: int) -> Columns:
        """The columns for this width of the list."""
        total = max(len(self.index), 1)
        return Columns(width, max(7, len(f"{total:,}") + 1), len(elapsed(self.moment.end_us(self.index))) + 2)

    def headings(self) -> Cells:
        """The words above the columns; that by which it is sorted has an arrow."""
        paint, wanted = self.paint, self.rows.wanted
        columns = self.columns(self.size.width - 1)
        cells: Cells = [(" ", paint.dim)]
        for sort, word, width, right in columns.places():
            is_it = sort is wanted.sort and word != "record"
            text = word + ((" ↓" if wanted.falls else " ↑") if is_it else "")
            said = fit_right(text, width - 1) + " " if right and width else fit(text, width)
            cells.append((said, paint.bright if is_it else paint.dim))
        if columns.bar:
            cells.append((scale(self.axis_us, columns.bar), paint.faint))
        return cells

    def sort_at(self, x: int) -> Sort | None:
        """By what a click on this column of the headings sorts."""
        at = 1
        for sort, _, width, _ in self.columns(self.size.width - 1).places():
            at += width
            if x < at:
                return sort
        return Sort.TIME

    def draw(self, y: int, width: int) -> Cells:
        """Draw the row of a call."""
        i, index, paint = self.rows.at(y), self.index, self.paint
        columns = self.columns(width)
        found = span(index, i, self.moment)
        cells: Cells = [self._flag(i)]
        if columns.number:
            cells.append((fit_right(f"{i + 1:,}", columns.number - 1) + " ", paint.faint))
        cells.append((fit_right(elapsed(found.start_us), columns.time - 1) + " ", paint.dim))
        cells.append(("→ ", paint.client) if index.channels[i] == ChannelCode.C2S else ("← ", paint.server))
        cells += self._what(i, columns.name)
        cells.append(self._latency(found, columns.latency))
        cells.append(self._state(i, found.state, columns.state))
        if columns.size:
            answer = answer_of(index, i, self.moment)
            said = size(index.sizes[answer], short=True) if answer is not None else ""
            cells.append((fit_right(said, columns.size - 1) + " ", paint.faint))
        if columns.excerpt:
            cells.append((fit(self._arguments(i), columns.excerpt - 1) + " ", paint.faint))
        if columns.bar:
            cells += bar(paint, found, self.axis_us, columns.bar)
        return cells

    def _flag(self, i: int) -> tuple[str, Style]:
        answer = answer_of(self.index, i, self.moment)
        levels = [self.flags[k] for k in (i, answer) if k is not None and k in self.flags]
        if not levels:
            return " ", self.paint.dim
        return "●", (self.paint.dim, self.paint.stderr, self.paint.problem)[max(levels)]

    def _what(self, i: int, columns: int) -> Cells:
        """A tool by its name alone; any other method with what it is about."""
        paint, index = self.paint, self.index
        method, name = visible(index.name(index.methods[i])), visible(index.name(index.tools[i]))
        if method == "tools/call" and name:
            return [(fit(name, columns - 1) + " ", paint.title)]
        room = columns - 1 - text_width(method) - 1
        if not name or room < 6:
            return [(fit(method, columns - 1) + " ", paint.dim)]
        return [(method + " ", paint.dim), (fit(name, room) + " ", paint.plain)]

    def _latency(self, found: Span, columns: int) -> tuple[str, Style]:
        if found.state == State.NONE:
            return " " * columns, self.paint.dim
        said = fit_right(self.index.took(found.waited_us, short=True), columns - 1) + " "
        waits = found.state == State.PENDING
        return said, self.paint.stderr if waits else heat(self.paint, found.waited_us)

    def _state(self, i: int, state: State, columns: int) -> tuple[str, Style]:
        if self.index.kinds[i] == Kind.NULL_ID:
            text, style = "✗ id is null", self.paint.problem
        elif state == State.ANSWERED:
            text, style = "  ok", self.paint.faint
        else:
            text = f"{STATE_GLYPHS.get(state, ' ')} {STATE_WORDS[state]}"
            style = state_style(self.paint, state)
        return fit(text if columns > 2 else text[:1], columns), style

    def _arguments(self, i: int) -> str:
        try:
            return make_row(self.index, i).excerpt
        except (OSError, IndexError):
            return ""
