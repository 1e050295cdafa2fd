"""The base of all widgets that draw themselves: they know the colours of the theme."""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from mcptap.tui.widgets.palette import DARK_PAINT, Paint, paint_of


class Painted(Widget):
    """A widget that draws in the colours of the app's theme."""

    ALLOW_SELECT = False
    paint: Paint = DARK_PAINT

    def on_mount(self) -> None:
        """Take the colours of the theme."""
        self.repaint()

    def repaint(self) -> None:
        """Take the colours of the present theme, and draw anew."""
        if self.is_attached:
            self.paint = paint_of(self.app.theme)
            self.refresh()

    def finished(self, strips: list[Strip], crop: Region) -> list[Strip]:
        """Full lines as Textual wants them from `render_lines`: without colour if need be, and cropped."""
        filters = self.get_line_filters()
        if filters:
            background = self.background_colors[1]
            for each in filters:
                strips = [strip.apply_filter(each, background) for strip in strips]
        if crop.width != self.size.width:
            strips = [strip.crop(crop.x, crop.right) for strip in strips]
        return strips
