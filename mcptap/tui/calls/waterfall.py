"""Calls as bars on the axis of the session's time: where each began, how long it took, what it came to."""

from __future__ import annotations

from rich.style import Style

from mcptap.text.columns import fit, text_width
from mcptap.text.units import duration
from mcptap.tui.calls.spans import Span
from mcptap.tui.index.kinds import State
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.palette import Paint

ENDS = {
    State.PENDING: "◌",
    State.UNANSWERED: "∅",
    State.ERROR: "✗",
    State.TOOL_ERROR: "✗",
    State.CANCELLED: "⊘",
    State.UNREADABLE: "▒",
}
"""What stands at the end of a bar; that of a call that went well ends with nothing."""

_SECOND = 1_000_000
STEPS = tuple(
    step * _SECOND
    for step in (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400)
)
"""Lengths of the axis of a session that goes on, so that it is not drawn anew with each second."""


def axis_end(end_us: int, *, goes_on: bool) -> int:
    """The time at the right end of the axis, in µs: at least 1."""
    if not goes_on:
        return max(1, end_us)
    for step in STEPS:
        if end_us < step:
            return step
    day = STEPS[-1]
    return -(-(end_us + 1) // day) * day


def bar(paint: Paint, span: Span, axis_us: int, columns: int) -> Cells:
    """The bar of a call in half columns; at least one half."""
    halves = 2 * columns
    start = min(halves - 1, span.start_us * halves // axis_us)
    end = max(start + 1, min(halves, -(-span.end_us * halves // axis_us)))
    style = state_style(paint, span.state)
    cells: Cells = [(" " * (start // 2), paint.dim)]
    used = start // 2
    mark = ENDS.get(span.state, "")
    line = ""
    if start % 2:
        line, start = "╺", start + 1
    full = max(0, end - start)
    line += ("┅" if span.state == State.PENDING else "━") * (full // 2) + ("╸" if full % 2 else "")
    if mark:
        room = columns - used
        line = line[: room - 1] if len(line) >= room else line
        # A short bar is all mark: what became of the call counts more than its half column.
        line = line[:-1] + mark if line.endswith("╸") or len(line) == 1 or not line else line + mark
    line = line[: columns - used]
    cells += [(line, style), (" " * (columns - used - len(line)), paint.dim)]
    return cells


def state_style(paint: Paint, state: State) -> Style:
    """The colour of a state: amber while somebody waits, red where it went wrong."""
    if state == State.PENDING:
        return paint.stderr
    if state == State.UNREADABLE:
        return paint.pollution
    if state in (State.UNANSWERED, State.ERROR, State.TOOL_ERROR):
        return paint.problem
    return paint.server if state == State.ANSWERED else paint.dim


def scale(axis_us: int, columns: int) -> str:
    """The labels of the axis: its start, its middle if there is room, its end."""
    end, middle = duration(axis_us, short=True), duration(axis_us // 2, short=True)
    room = columns - text_width(end)
    if room < 2:
        return " " * columns
    left = "0".ljust(columns // 2) + middle
    return fit(left if text_width(left) < room else "0", room) + end
