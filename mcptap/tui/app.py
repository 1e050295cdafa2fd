"""The application: themes, the screens, and what belongs to no screen."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any, ClassVar

from textual import on
from textual.app import App
from textual.binding import BindingType

from mcptap.tui.widgets.keys import EVERYWHERE, bindings
from mcptap.tui.widgets.palette import DARK, DARK_THEME, LIGHT, LIGHT_THEME, theme
from mcptap.tui.widgets.tap_screen import OpenRecording, TapScreen
from mcptap.tui.widgets.text import visible

CSS = """
Screen { background: $background; color: $foreground; overflow: hidden; scrollbar-size: 0 0; }
ModalScreen { background: $background 60%; align: center middle; }
.box { border: round $rule; background: $background; padding: 0 1; }
Input { height: 1; border: none; padding: 0 1; background: $raised; }
Input:focus { border: none; background: $raised; }
Toast { background: $raised; padding: 0 1; margin: 0; width: auto; max-width: 80; }
Toast { border-left: outer $primary; }
ToastRack { margin-bottom: 2; }
"""


def _key_commands() -> Any:
    """The palette's commands; imported when the palette is opened."""
    from mcptap.tui.palette_commands import KeyCommands

    return KeyCommands


class TapApp(App[int]):
    """Shows the list of recordings, or one recording."""

    CSS = CSS
    TITLE = "mcptap"
    BINDINGS: ClassVar[list[BindingType]] = bindings(EVERYWHERE)
    COMMANDS: ClassVar[set[Any]] = {_key_commands}
    """Only our own: what Textual offers by itself (screenshots, its themes) is not about recordings."""

    def __init__(self, first: TapScreen, *, light: bool = False) -> None:
        super().__init__()
        self._first = first
        for palette in (DARK, LIGHT):
            self.register_theme(theme(palette))
        self.theme = LIGHT_THEME if light else DARK_THEME

    def notify(self, message: str, **options: Any) -> None:
        """Show a message for a moment; it may hold recorded text, so nothing in it is markup."""
        super().notify(visible(message), **{**options, "markup": False})

    def on_mount(self) -> None:
        """Show the first screen."""
        self._leave_in_order_when_told()
        self.push_screen(self._first)

    def _leave_in_order_when_told(self) -> None:
        """On a signal, too, the terminal is restored, and servers that were started are stopped."""
        for name in ("SIGTERM", "SIGHUP", "SIGQUIT"):
            number = getattr(signal, name, None)
            try:
                if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                    asyncio.get_running_loop().add_signal_handler(number, self.exit, 128 + number)
            except (NotImplementedError, RuntimeError, ValueError):
                pass  # Windows has no such signals; only the main thread of a process can take them

    def action_theme(self) -> None:
        """From dark to light and back."""
        self.theme = LIGHT_THEME if self.theme == DARK_THEME else DARK_THEME
        for screen in self.screen_stack:
            if isinstance(screen, TapScreen):
                screen.theme_changed()

    async def action_back(self) -> None:
        """What Escape does: the screen knows what is open."""
        if isinstance(self.screen, TapScreen):
            self.screen.action_back()

    def action_help(self) -> None:
        """Show the keys."""
        from mcptap.tui.help import Help

        if isinstance(self.screen, TapScreen) and not isinstance(self.screen, Help):
            self.push_screen(Help(self.screen.places))

    @on(OpenRecording)
    def _open(self, event: OpenRecording) -> None:
        """Show a recording."""
        from mcptap.tui.index.feed import Feed
        from mcptap.tui.session.screen import SessionScreen

        try:
            feed = Feed(event.path, is_probe=event.is_probe)
        except OSError as error:
            self.notify(f"{event.path} can't be opened: {error.strerror}", severity="error")
            return
        feed.preview()
        feed.start()
        self.push_screen(SessionScreen(feed))

    async def action_quit(self) -> None:
        """Leave."""
        self.exit(0)


def prefers_light(environ: dict[str, str]) -> bool:
    """Whether the terminal says that its ground is light (`COLORFGBG`, as several set it)."""
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return ground in ("7", "15")


def run(first: TapScreen, *, light: bool | None = None) -> int:
    """Run the application on the terminal; return the exit status."""
    import gc

    if light is None:
        light = prefers_light(dict(os.environ))
    app = TapApp(first, light=light)
    # Textual makes long-lived objects by the thousand: walking through them again and again is
    # what a key waits for at times. They are left out, and the collector runs less often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)
    status = app.run()
    return status or 0
