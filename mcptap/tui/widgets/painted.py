"""The base of all widgets that draw themselves: they know the colours of the theme."""

from __future__ import annotations

from textual.widget import Widget

from mcptap.tui.widgets.palette import DARK_PAINT, Paint, paint_of


class Painted(Widget):
    """A widget that draws in the colours of the app's theme."""

    paint: Paint = DARK_PAINT

    def repaint(self) -> None:
        """Take the colours of the present theme; a subclass draws itself anew."""
        if self.is_attached:
            self.paint = paint_of(self.app.theme)
