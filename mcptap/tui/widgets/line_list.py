"""A list of lines with a cursor, of which only those on screen exist.

Every list of the screen is one of these: timeline, detail, findings, recordings. What makes it
quick, measured on the timeline of a million records:

- A line is drawn once and its `Strip` kept, with its cursor twin; Textual caches the terminal
  sequences inside a strip, so scrolling by a line costs one new line, not forty. For that,
  `render_lines` hands out the strips themselves: the style cache of Textual would copy each.
- It scrolls by a number of its own. A virtual size would lay out the screen anew with each
  record that comes.
- The scrollbar is a widget of one column beside it, so that its thumb touches no line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from mcptap.tui.widgets.hits import Cells, marked
from mcptap.tui.widgets.painted import Painted

__all__ = ["Cells", "LineList"]

KEPT_STRIPS = 600


class LineList(Painted, can_focus=True):
    """The base of all lists. A subclass says `count` and `draw`, and may say more.

    `cursor` and `top` are line numbers from 0. A line's look may depend on nothing but its number
    and what `forget` is called for.
    """

    DEFAULT_CSS = """
    LineList { width: 1fr; height: 1fr; }
    """
    scroll_margin: ClassVar[int] = 0
    """Lines that are kept in sight beyond the cursor."""

    class Moved(Message):
        """The cursor stands on another line."""

        def __init__(self, origin: LineList) -> None:
            super().__init__()
            self.origin = origin
            self.at_end = origin.at_end()
            """Whether that was the last line when it moved; by now there may be more."""

        @property
        def control(self) -> LineList:
            """The list it came from."""
            return self.origin

        def can_replace(self, message: Message) -> bool:
            """Of several that wait, the last one counts."""
            return isinstance(message, LineList.Moved) and message.origin is self.origin

    class Chosen(Message):
        """Enter was pressed, or a line clicked twice."""

        def __init__(self, origin: LineList) -> None:
            super().__init__()
            self.origin = origin

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.cursor = 0
        self.top = 0
        self.needle = ""
        """What is searched for, in lower case: it is marked wherever it stands."""
        self.view_changed: Callable[[], None] = lambda: None
        """Called when another part of the list, or of more or fewer lines, is in sight: for a scrollbar."""
        self._drawn_loose = True
        self._strips: dict[int, Strip] = {}
        self._blank = Strip([])
        self.repaint()

    # -- what a subclass says --

    def count(self) -> int:
        """How many lines there are."""
        return 0

    def draw(self, y: int, width: int) -> Cells:  # noqa: ARG002 - for subclasses
        """Draw line `y`: text and style, `width` columns in all, made safe by `text.visible`."""
        return [(" " * width, self.paint.plain)]

    def unsearched(self, width: int) -> int:  # noqa: ARG002 - for subclasses
        """How many cells at the beginning of a line no search looks at."""
        return 0

    def is_fixed(self, y: int) -> bool:  # noqa: ARG002 - for subclasses
        """Whether the look of the line can be kept."""
        return True

    # -- drawing --

    def repaint(self) -> None:
        """Take the colours of the present theme."""
        super().repaint()
        self._bar = Segment("▌", self.paint.client)
        self._bar_away = Segment("▌", self.paint.faint)
        self._no_bar = Segment(" ")
        self.forget()

    def forget(self, lines: Iterable[int] | None = None) -> None:
        """Draw lines anew: those given, or all."""
        if lines is None:
            self._strips.clear()
            self._blank = Strip([])
            if self.is_attached:
                self.refresh()
            return
        for y in lines:
            if self._strips.pop(y, None) is not None:
                self._refresh_line(y)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The visible lines as strips; called by Textual."""
        width = self.size.width
        if self._blank.cell_length != width:
            self._strips.clear()
            self._blank = Strip([Segment(" " * width, self.paint.under)], width)
        last = self.count()
        top = self.top
        rows = range(top + crop.y, top + crop.bottom)
        return self.finished([self._strip(y, width) if y < last else self._blank for y in rows], crop)

    def _strip(self, y: int, width: int) -> Strip:
        if self.has_cursor and self.is_under_cursor(y):
            paint, drawn = self.paint, (Segment(*cell) for cell in self._cells(y, width - 1))
            if self.has_focus:
                return _joined([self._bar, *drawn], paint.under_cursor, width, paint.over_cursor)
            return _joined([self._bar_away, *drawn], paint.under_resting_cursor, width)
        strip = self._strips.get(y)
        if strip is None:
            segments = [self._no_bar, *(Segment(*cell) for cell in self._cells(y, width - 1))]
            strip = _joined(segments, self.paint.under, width)
            if self.is_fixed(y):
                if len(self._strips) >= KEPT_STRIPS:
                    for old in list(self._strips)[: KEPT_STRIPS // 2]:
                        del self._strips[old]
                self._strips[y] = strip
        return strip

    def _cells(self, y: int, width: int) -> Cells:
        cells = self.draw(y, width)
        return marked(cells, self.needle, self.paint.hit, self.unsearched(width)) if self.needle else cells

    def mark(self, text: str) -> None:
        """Mark a text wherever it stands; an empty one: nothing."""
        if self.needle != text.lower():
            self.needle = text.lower()
            self.forget()

    has_cursor = True

    def is_under_cursor(self, y: int) -> bool:
        """Whether the line is drawn as the chosen one."""
        return y == self.cursor

    def _refresh_line(self, y: int) -> None:
        if self.top <= y < self.top + self.size.height:
            self.refresh(Region(0, y - self.top, self.size.width, 1))

    # -- moving --

    @property
    def page(self) -> int:
        """Lines that a page key moves by."""
        return max(1, self.size.height - 1)

    def at_end(self) -> bool:
        """Whether the cursor is on the last line."""
        return self.cursor >= self.count() - 1

    def go(self, y: int, *, centre: bool = False) -> None:
        """Put the cursor on a line and have it in sight, in the middle if it was not."""
        y = max(0, min(y, self.count() - 1))
        before, self.cursor = self.cursor, y
        height = max(1, self.size.height)
        margin = min(self.scroll_margin, (height - 1) // 2)
        top = self.top
        if y < top + margin or y >= top + height - margin:
            nearest = y - margin if y < top + margin else y - height + 1 + margin
            top = y - height // 2 if centre else nearest
        if self._set_top(top) or not self.is_attached:
            self.refresh()
        elif before != y:
            self._refresh_line(before)
            self._refresh_line(y)
        if before != y:
            self.post_message(self.Moved(self))

    def _set_top(self, top: int) -> bool:
        top = max(0, min(top, self.count() - max(1, self.size.height)))
        if top == self.top:
            return False
        self.top = top
        self.view_changed()
        return True

    def scroll(self, lines: int) -> None:
        """Move the view; the cursor is taken along only where it would leave it."""
        if not self._set_top(self.top + lines):
            return
        last = self.top + max(1, self.size.height) - 1
        cursor = max(self.top, min(self.cursor, last))
        if cursor != self.cursor:
            self.cursor = cursor
            self.post_message(self.Moved(self))
        self.refresh()

    def changed(self) -> None:
        """The number of lines is another one: keep cursor and view inside, draw anew."""
        count = self.count()
        if self.cursor >= count:
            self.cursor = max(0, count - 1)
        self._set_top(self.top)
        self._drawn_loose = self._is_loose()
        self.view_changed()
        if self.is_attached:
            self.refresh()

    def grown(self) -> None:
        """There are more lines, at the end: draw anew only if what is in sight may look different."""
        loose, self._drawn_loose = self._drawn_loose, self._is_loose()
        self.view_changed()
        if loose or self._drawn_loose:
            self.refresh()

    def _is_loose(self) -> bool:
        """Whether the view has room for further lines, or a line in it whose look may change."""
        bottom = self.top + max(1, self.size.height)
        if bottom > self.count():
            return True
        return not all(self.is_fixed(y) for y in range(self.top, bottom))

    def action_move(self, lines: int) -> None:
        """Move the cursor by lines."""
        self.go(self.cursor + lines)

    def action_page(self, pages: int) -> None:
        """Move view and cursor by pages."""
        step = self.page * pages
        self._set_top(self.top + step)
        self.refresh()
        self.go(self.cursor + step)

    def action_half_page(self, halves: int) -> None:
        """Move the cursor by half pages."""
        self.go(self.cursor + halves * max(1, self.page // 2))

    def action_first(self) -> None:
        """To the first line."""
        self.go(0)

    def action_last(self) -> None:
        """To the last line."""
        self.go(self.count() - 1)

    def action_choose(self) -> None:
        """What Enter does."""
        if self.count():
            self.post_message(self.Chosen(self))

    # -- events --

    def on_focus(self) -> None:
        """Show the cursor as active."""
        self._refresh_line(self.cursor)

    def on_blur(self) -> None:
        """Show the cursor as resting."""
        self._refresh_line(self.cursor)

    def on_resize(self) -> None:
        """Keep the cursor in sight; a list that is put away keeps its place."""
        if not self.size.height:
            return
        self._strips.clear()
        self._set_top(self.top)
        height = max(1, self.size.height)
        if not self.top <= self.cursor < self.top + height:
            self._set_top(self.cursor - height // 2)
        self.refresh()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Three lines down."""
        event.stop()
        self.scroll(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Three lines up."""
        event.stop()
        self.scroll(-3)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor there; the second click chooses."""
        y = self.top + int(event.y)
        if y < self.count():
            self.go(y)
            if event.chain == 2:
                self.action_choose()


def _joined(segments: list[Segment], under: Style, width: int, over: Style | None = None) -> Strip:
    strip = Strip(segments).adjust_cell_length(width)
    return Strip(Segment.apply_style(strip, under, over), width)
