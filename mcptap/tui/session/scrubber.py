"""The line on which a session is played: play or pause, speed, a scrubber with ticks at the findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual import events
from textual.message import Message

from mcptap.text.columns import cut, text_width
from mcptap.text.units import duration, elapsed
from mcptap.tui.index.index import RecordIndex
from mcptap.tui.session.playback import Playback
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.line_list import Cells

RIGHT = 30


class Scrubber(Bar):
    """Shows a `Playback`; a click goes to that moment."""

    class Sought(Message):
        """A moment was clicked: `t_us`."""

        def __init__(self, t_us: int) -> None:
            super().__init__()
            self.t_us = t_us

    def __init__(self, **options: Any) -> None:
        super().__init__(raised=True, **options)
        self._track = (0, 1)
        self._end_us = 0

    def draw_playback(self, playback: Playback, index: RecordIndex, ticks: Iterable[int], known: str) -> None:
        """Draw the moment, ticks at these records, what is pending and `known` then."""
        paint = self.paint
        digits = 3 if playback.end_us < 60_000_000 else 1
        speed = f"×{playback.speed:g}"
        idle = f"skip>{duration(playback.idle_limit, short=True)}" if playback.idle_limit else "no skip"
        head: Cells = [
            (" ► " if playback.playing else " ‖ ", paint.server if playback.playing else paint.stderr),
            (f"{speed:<5}", paint.bright),
            (f"{idle:<11}", paint.faint),
            (f"{elapsed(int(playback.position_us), digits):>10} ", paint.plain),
        ]
        pending = index.pending_at(playback.head)
        word = "unanswered" if playback.at_end and index.ended_us is not None else "pending"
        said = f" {elapsed(playback.end_us, digits)}  {pending:,} {word}"
        if known:
            said += f" · {known}"
        used = sum(text_width(text) for text, _ in head)
        columns = self.size.width
        room = max(8, columns - used - min(text_width(said), columns // 3) - 3)
        said = cut(said, columns - used - room - 3) + " "
        self._track = (used, room)
        self._end_us = max(1, playback.end_us)
        marks = set()
        for i in ticks:
            if i < index.described:
                marks.add(min(room - 1, index.times[i] * room // self._end_us))
        at = min(room - 1, int(playback.position_us * room / self._end_us))
        cells = head
        for x in range(room):
            if x == at:
                cells.append(("●", paint.bright))
            elif x in marks:
                cells.append(("┃", paint.problem))
            else:
                cells.append(("━" if x < at else "─", paint.client if x < at else paint.faint))
        self.show((_merged(cells), [(said, paint.dim)]))

    def on_click(self, event: events.Click) -> None:
        """Go to the moment that was clicked."""
        start, room = self._track
        if start <= event.x < start + room:
            self.post_message(self.Sought((event.x - start) * self._end_us // room))


def _merged(cells: Cells) -> Cells:
    merged: Cells = []
    for text, style in cells:
        if merged and merged[-1][1] is style:
            merged[-1] = (merged[-1][0] + text, style)
        else:
            merged.append((text, style))
    return merged
