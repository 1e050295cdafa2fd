"""What the prompt was told, and who is to do it: a filter, a search, a jump."""

from __future__ import annotations

from mcptap.tui.session.controllers.filter import FilterController
from mcptap.tui.session.controllers.jump import JumpController
from mcptap.tui.session.controllers.search import SearchController
from mcptap.tui.session.timeline import Timeline
from mcptap.tui.widgets.prompt import Prompt
from mcptap.tui.widgets.tap_screen import TapScreen


class Asking:
    """Hands on what was typed, by the mode in which it was asked for."""

    def __init__(
        self,
        screen: TapScreen,
        timeline: Timeline,
        filtered: FilterController,
        search: SearchController,
        jump: JumpController,
    ) -> None:
        self._screen = screen
        self._timeline = timeline
        self._filter = filtered
        self._search = search
        self._enter = {"search": search.entered, "jump": jump.entered}

    def take(self, event: Prompt.Changed) -> None:
        """Something was typed, entered, or left."""
        if type(event) is not Prompt.Changed:
            event.stop()
        if event.mode == "filter":
            self._take_filter(event)
        elif isinstance(event, Prompt.Entered | Prompt.Left):
            self._filter.remind()
            # The text is for the pane that had the focus, which gets it back.
            asked = self._search.asked if event.mode in ("page", "findings") else None
            self._screen.set_focus(self._timeline if asked is None else asked.lines)
            if isinstance(event, Prompt.Entered) and event.text:
                enter = self._enter[event.mode] if asked is None else asked.entered
                enter(event.text)

    def _take_filter(self, event: Prompt.Changed) -> None:
        if isinstance(event, Prompt.Left):
            self._filter.left()
        elif not isinstance(event, Prompt.Entered):
            self._filter.typed(event.text)
            return
        elif not self._filter.entered(event.text):
            return
        self._screen.set_focus(self._timeline)
