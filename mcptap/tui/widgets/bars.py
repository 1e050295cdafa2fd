"""Lines at the edges: verdict, status, keys, headings. Each is drawn whole when it is told something new."""

from __future__ import annotations

from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip

from mcptap.text.columns import cut, text_width
from mcptap.tui.widgets.keys import Key
from mcptap.tui.widgets.line_list import Cells
from mcptap.tui.widgets.painted import Painted


class Bar(Painted):
    """A few lines of cells. `show` gives them anew; each is set out left and right."""

    DEFAULT_CSS = """
    Bar { height: 1; width: 1fr; }
    """

    def __init__(self, *, raised: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self._raised = raised
        self._rows: list[tuple[Cells, Cells]] = []
        self._strips: list[Strip] = []

    def show(self, *rows: tuple[Cells, Cells]) -> None:
        """Show these rows: cells for the left and for the right of each."""
        shown = list(rows)
        if shown == self._rows:
            return
        self._rows = shown
        self._strips = []
        self.refresh()

    def repaint(self) -> None:
        """Take the colours of the present theme."""
        super().repaint()
        self._strips = []

    def on_resize(self) -> None:
        """Set out anew."""
        self._strips = []

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows; called by Textual."""
        columns, height = self.size
        if len(self._strips) != height:
            ground = self.paint.under_bars if self._raised else self.paint.under
            self._strips = [
                _set_out(self._rows[y] if y < len(self._rows) else ([], []), columns, ground)
                for y in range(height)
            ]
        return self.finished(self._strips[crop.y : crop.bottom], crop)


def _set_out(row: tuple[Cells, Cells], columns: int, ground: Style) -> Strip:
    left, right = row
    used_left = min(sum(text_width(text) for text, _ in left), columns * 2 // 3)
    right = list(right)
    while right and used_left + 2 + sum(text_width(text) for text, _ in right) > columns:
        del right[0]
    used_right = sum(text_width(text) for text, _ in right)
    room = columns - used_right - (1 if right else 0)
    segments: list[Segment] = []
    for text, style in left:
        text = cut(text, room)
        if room <= 0:
            break
        segments.append(Segment(text, style))
        room -= text_width(text)
    used = sum(segment.cell_length for segment in segments)
    segments.append(Segment(" " * max(0, columns - used - used_right)))
    segments += [Segment(text, style) for text, style in right]
    strip = Strip(segments).adjust_cell_length(columns)
    return Strip(Segment.apply_style(strip, ground), columns)


class KeyBar(Bar):
    """The footer: keys for the focused pane, never cut in half. A click on one presses it."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._places: list[tuple[int, int, str]] = []
        """Where each key stands: from which column, up to which one, and the key."""

    def show_keys(self, keys: list[Key], columns: int) -> None:
        """Show as many keys as fit; the last two (help and quit) always."""
        paint = self.paint
        fixed = keys[-2:]
        room = columns - 1 - sum(_key_width(key) for key in fixed)
        chosen = []
        for key in keys[:-2]:
            if _key_width(key) <= room:
                chosen.append(key)
                room -= _key_width(key)
        cells: Cells = [(" ", paint.dim)]
        self._places = []
        at = 1
        for key in [*chosen, *fixed]:
            self._places.append((at, at + _key_width(key), key.keys.split(",")[0]))
            at += _key_width(key)
            cells += [(_first_key(key), paint.bright), (f" {key.label}   ", paint.dim)]
        self.show((cells, []))

    def on_click(self, event: events.Click) -> None:
        """Press the key that stands there."""
        for start, end, key in self._places:
            if start <= event.x < end:
                event.stop()
                self.app.simulate_key(key)


def _first_key(key: Key) -> str:
    return key.display.split(" ")[0]


def _key_width(key: Key) -> int:
    return text_width(_first_key(key)) + text_width(key.label) + 4
