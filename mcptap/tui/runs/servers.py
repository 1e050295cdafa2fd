"""The servers of a run: which is at fault, and with what."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import BindingType

from mcptap.text.columns import fit, fit_right, text_width
from mcptap.text.paragraphs import fold
from mcptap.text.units import duration
from mcptap.tui.runs.member import Member
from mcptap.tui.widgets.keys import LIST, RUNS, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.outcomes import outcome_sign
from mcptap.tui.widgets.palette import Paint
from mcptap.tui.widgets.text import visible

NAME = 20
CAUSE = 3
"""Rows for what one session came to, and what to do."""


def cause_rows(paint: Paint, member: Member, columns: int) -> list[tuple[Cells, Cells]]:
    """What a session came to, whole, and what to do about it."""
    room = max(20, columns - 4)
    remedy = fold(visible(member.remedy), room) if member.remedy else []
    said = fold(visible(f"{member.name}: {member.words}"), room)
    most = CAUSE - min(len(remedy), 1)
    if len(said) > most:
        said = [*said[: most - 1], said[most - 1][: room - 2] + " …"]
    rows: list[tuple[Cells, Cells]] = [([("   ", paint.dim), (line, paint.bright)], []) for line in said]
    for k, line in enumerate(remedy[: CAUSE - len(said)]):
        rows.append(([(" → " if k == 0 else "   ", paint.client), (line, paint.plain)], []))
    return rows


class ServerList(LineList):
    """A line a session: what it came to, and whether its records are on the timeline."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(LIST, RUNS)

    def __init__(self, **options: Any) -> None:
        self.members: list[Member] = []
        super().__init__(**options)

    def count(self) -> int:
        """How many sessions there are."""
        return len(self.members)

    @property
    def chosen(self) -> Member | None:
        """The session under the cursor."""
        return self.members[self.cursor] if self.cursor < len(self.members) else None

    def draw(self, y: int, width: int) -> Cells:
        """Draw a session."""
        member, paint = self.members[y], self.paint
        shown = member.part.is_shown
        if member.outcome is None:
            sign = (" … ", paint.faint)
        else:
            glyph, style = outcome_sign(paint, member.outcome, member.errors)
            sign = (f" {glyph} ", style)
        live = "● live" if member.is_live else "ended" if member.feed.status.complete else ""
        length_us = member.live_us if member.live_us is not None else member.feed.status.ended_us
        length = duration(length_us, short=True) if length_us is not None else ""
        cells: Cells = [
            sign,
            (fit(visible(member.name), self.name_width()) + " ", paint.title if shown else paint.faint),
            (fit(live, 6), paint.server if member.is_live else paint.dim),
            (fit_right(length, 7) + "  ", paint.dim),
        ]
        room = width - sum(text_width(text) for text, _ in cells)
        words = member.words if shown else f"(hidden) {member.words}"
        cells.append((fit(visible(words), room), paint.plain if shown else paint.faint))
        return cells

    def name_width(self) -> int:
        """Columns for the names, as many as the longest takes, within reason."""
        return min(NAME, max((text_width(visible(m.name)) for m in self.members), default=6))
