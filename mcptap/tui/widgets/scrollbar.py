"""The column beside a list that shows where the view is in the whole."""

from __future__ import annotations

from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip

from mcptap.tui.widgets.line_list import LineList
from mcptap.tui.widgets.painted import Painted


class Scrollbar(Painted):
    """One column beside a list: where the view is in the whole, and marks that the list gives."""

    DEFAULT_CSS = """
    Scrollbar { width: 1; height: 1fr; }
    """

    def __init__(self, target: LineList, **options: Any) -> None:
        super().__init__(**options)
        self.target = target
        target.view_changed = self.update
        self._drawn = (0, 0)
        self._marks: dict[int, Style] = {}
        self._grabbed = False

    def marks(self, marks: dict[int, Style], height: int) -> None:
        """Show marks at these rows of the column, which was `height` high when they were made."""
        if height == self.size.height and marks != self._marks:
            self._marks = marks
            self.refresh()

    def update(self) -> None:
        """Draw anew if the view moved."""
        if self._thumb() != self._drawn:
            self.refresh()

    def _thumb(self) -> tuple[int, int]:
        height, count = self.size.height, self.target.count()
        if count <= self.target.size.height or height < 2:
            return 0, 0
        length = max(1, height * self.target.size.height // count)
        room = count - self.target.size.height
        start = (height - length) * self.target.top // room
        if self.target.top > 0 and start == 0 and height > length:
            start = 1
        return start, start + length

    def render_lines(self, crop: Region) -> list[Strip]:
        """The column; called by Textual."""
        palette = self.paint.palette
        start, end = self._drawn = self._thumb()
        rail = Style(color=palette.raised, bgcolor=palette.ground)
        thumb = Style(color=palette.rule, bgcolor=palette.ground)
        strips = []
        for y in range(crop.y, crop.bottom):
            mark = self._marks.get(y)
            if mark is not None:
                ground = palette.rule if start <= y < end else palette.ground
                segment = Segment("•", mark + Style(bgcolor=ground))
            elif start <= y < end:
                segment = Segment("█", thumb)
            else:
                segment = Segment("│", rail)
            strips.append(Strip([segment], 1))
        return self.finished(strips, crop)

    def on_resize(self) -> None:
        """Marks belong to a height."""
        self._marks = {}

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go where it was pressed, and follow the mouse."""
        self._grabbed = True
        self.capture_mouse()
        self._go(event.y)

    def on_mouse_up(self) -> None:
        """Let go."""
        self._grabbed = False
        self.release_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follow the mouse while it is held."""
        if self._grabbed:
            self._go(event.y)

    def _go(self, y: float) -> None:
        height = max(2, self.size.height)
        at = max(0.0, min(1.0, y / (height - 1)))
        target = self.target
        target.scroll(round(at * max(0, target.count() - target.size.height)) - target.top)
