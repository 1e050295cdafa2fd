"""The base of all screens: which keys make sense on it, its footer, its colours, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.message import Message
from textual.screen import ModalScreen, Screen

from mcptap.tui.widgets.bars import Bar, KeyBar
from mcptap.tui.widgets.keys import EVERYWHERE, footer
from mcptap.tui.widgets.painted import Painted


class OpenRecording(Message):
    """The recording at this path is to be shown on a screen of its own; the app does it.

    `is_probe`: the same client started the server once more right after, for the session proper.
    `instead`: in place of the screen that is on top. `record`: the number of the record to begin at.
    """

    def __init__(
        self, path: str, *, is_probe: bool = False, instead: bool = False, record: int | None = None
    ) -> None:
        super().__init__()
        self.path = path
        self.is_probe = is_probe
        self.instead = instead
        self.record = record


class OpenRun(Message):
    """The run that the recording at this path is of is to be shown, with what else lies in these folders."""

    def __init__(self, path: str, folders: list[str] | None) -> None:
        super().__init__()
        self.path = path
        self.folders = folders


class TapScreen(Screen[None]):
    """A screen with a status line and a line of keys, which a subclass puts where they belong."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.status = Bar(id="status", raised=True)
        self.keybar = KeyBar(id="keys")

    @property
    def places(self) -> tuple[str, ...]:
        """The parts of the table of keys that apply now, the most special first."""
        return (EVERYWHERE,)

    def can_do(self, action: str) -> bool:  # noqa: ARG002 - for subclasses
        """Whether the action of this name makes sense now; the palette offers no others."""
        return True

    def redraw(self) -> None:
        """Draw what the screen sets out itself, for another width or other colours."""

    def show_keys(self) -> None:
        """Draw the line of keys."""
        self.keybar.show_keys(footer(*self.places), self.size.width)

    def theme_changed(self) -> None:
        """Draw everything in the colours of another theme."""
        for widget in self.walk_children(Painted):
            widget.repaint()
        self.redraw()

    def action_back(self) -> None:
        """Close the screen, unless it is the first one."""
        if len(self.app.screen_stack) > 2:
            self.app.pop_screen()

    def run_outside(self, run: Callable[[], str]) -> str:
        """Hand the terminal over while `run` runs; return what it returns, or why it could not run."""
        try:
            with self.app.suspend():
                return run()
        except Exception as error:
            return f"the terminal can't be handed over: {error}"
        finally:
            self.app.refresh()


class TapModal(ModalScreen[None], TapScreen):
    """A box over another screen."""
