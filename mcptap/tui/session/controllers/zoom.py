"""One pane alone on the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mcptap.tui.widgets.line_list import LineList
from mcptap.tui.widgets.tap_screen import TapScreen


class ZoomController:
    """Owns which pane has the screen for itself; it is always the one with the focus.

    `panes` by the name in the style sheet's classes `zoom-NAME`. `changed` is called when all is set out.
    """

    def __init__(self, screen: TapScreen, panes: Mapping[str, LineList], changed: Callable[[], None]) -> None:
        self.pane = ""
        """The name of the pane; empty if all are shown."""
        self._screen = screen
        self._panes = panes
        self._changed = changed

    def toggle(self) -> None:
        """The pane with the focus alone, or all again."""
        self._set("" if self.pane else self._focused())

    def follow(self) -> None:
        """The focus is in another pane."""
        if self.pane and self._focused() not in ("", self.pane):
            self._set(self._focused())

    def end(self) -> bool:
        """All panes again; whether one was alone."""
        was = bool(self.pane)
        if was:
            self._set("")
        return was

    def _focused(self) -> str:
        return next((name for name, pane in self._panes.items() if pane.has_focus), "")

    def _set(self, name: str) -> None:
        self.pane = name
        for each in self._panes:
            self._screen.set_class(each == name, f"zoom-{each}")
        self._screen.call_after_refresh(self._changed)
