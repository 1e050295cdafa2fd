"""What stands where: the list gets the lines that it needs, and what it leaves empty explains."""

from __future__ import annotations

from collections.abc import Sequence

from textual.containers import Container
from textual.widget import Widget

from mcptap.tui.session.controllers.detail import DetailController
from mcptap.tui.session.controllers.findings import FindingsController
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.findings_pane import FindingsPane
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.tap_screen import TapScreen

LEAST_ROWS = 4
"""Rows of the timeline that are always there."""


class LayoutController:
    """Sets out the panes. `left` holds the timeline and the findings, `edges` are the lines around all."""

    def __init__(
        self,
        screen: TapScreen,
        edges: Sequence[Widget],
        left: Container,
        timeline: Timeline,
        pane: DetailPane,
        findings_pane: FindingsPane,
        detail: DetailController,
        findings: FindingsController,
    ) -> None:
        self._screen = screen
        self._edges = edges
        self._left = left
        self._timeline = timeline
        self._pane = pane
        self._findings_pane = findings_pane
        self._detail = detail
        self._findings = findings
        self._height: int | None = None

    def set_out(self) -> None:
        """Set out all panes for the present size."""
        self._detail.set_out()
        self.set_out_list()

    def set_out_list(self) -> None:
        """The detail came or went: set out what is beside or above it."""
        self._findings.set_out()
        self.split()

    def split(self) -> None:
        """Leave to the detail below the list what the list does not need, and half of the room at least.

        Where it was opened to tell the cause, and that takes more with its remedy, it gets more.
        """
        height = None
        is_zoomed = any(name.startswith("zoom-") for name in self._screen.classes)
        if self._pane.display and not self._detail.is_wide and not is_zoomed:
            room = self._screen.size.height - sum(map(_height, self._edges))
            below = _height(self._findings_pane)
            half = max(room // 2, 1 + LEAST_ROWS + below)
            cause = 2 + self._pane.lines_of_cause() if self._detail.is_for_cause else 0
            least = 1 + LEAST_ROWS + below
            height = min(1 + self._timeline.count() + below, half, max(least, room - cause))
            height = max(1, min(height, room - LEAST_ROWS))
        if height != self._height:
            self._height = height
            self._left.styles.height = "1fr" if height is None else height


def _height(widget: Widget) -> int:
    """Lines that a widget of a set height takes; none if it is not shown."""
    height = widget.styles.height
    return int(height.value) if widget.display and height is not None else 0
