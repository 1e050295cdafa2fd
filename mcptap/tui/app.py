"""The application: themes, the screens, and what belongs to no screen."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import Any, ClassVar

from textual import on
from textual.app import App
from textual.binding import BindingType

from mcptap.errors import UserError
from mcptap.tui.terminal_gone import leave_with_terminal
from mcptap.tui.theme.palettes import Depth, depth_of
from mcptap.tui.widgets.keys import EVERYWHERE, bindings
from mcptap.tui.widgets.palette import theme_name, themes
from mcptap.tui.widgets.tap_screen import OpenRecording, OpenRun, TapScreen
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
CommandPalette { background: $background 60%; align: center middle; }
CommandPalette:ansi { background: $background; }
CommandPalette > Vertical {
    width: 96%; max-width: 100; height: 92%; margin: 0; padding: 0 1;
    visibility: visible; background: $background; border: round $rule;
}
CommandPalette > Vertical:dark { background: $background; }
CommandPalette #--input, CommandPalette #--input.--list-visible { height: 2; border: none; padding: 0 1; }
CommandPalette SearchIcon { display: none; }
CommandInput, CommandInput:focus { border: none; padding: 0; background: $background; }
CommandPalette #--results { overlay: none; height: 1fr; }
CommandPalette CommandList {
    border: none; height: 1fr; max-height: 100%; background: $background; scrollbar-size: 1 1;
}
CommandPalette CommandList > .option-list--option { padding: 0 1; text-style: none; }
CommandPalette CommandList > .option-list--option-highlighted {
    color: $chosen-text; background: $chosen; text-style: none;
}
CommandPalette CommandList:nocolor > .option-list--option-highlighted { text-style: reverse; }
CommandPalette LoadingIndicator { display: none; }
"""


def _key_commands() -> Any:
    """The palette's commands; imported when the palette is opened."""
    from mcptap.tui.palette_commands import KeyCommands

    return KeyCommands


class TapApp(App[int]):
    """Shows the list of recordings, or one recording.

    `depth` says how many colours there are; None: as many as the terminal shows.
    """

    CSS = CSS
    TITLE = "mcptap"
    BINDINGS: ClassVar[list[BindingType]] = bindings(EVERYWHERE)
    COMMANDS: ClassVar[set[Any]] = {_key_commands}
    """Only our own: what Textual offers by itself (screenshots, its themes) is not about recordings."""

    def __init__(self, first: TapScreen, *, light: bool = False, depth: Depth | None = Depth.TRUE) -> None:
        # Without colours, Textual would else make greys of ours.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self._first = first
        self._light = light
        self._depth = depth or depth_of(self.console.color_system, no_colour=self.no_color)
        for theme in themes():
            self.register_theme(theme)
        self.theme = theme_name(self._depth, light=light)

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
        self._light = not self._light
        self.theme = theme_name(self._depth, light=self._light)
        for screen in self.screen_stack:
            if isinstance(screen, TapScreen):
                screen.theme_changed()

    def action_command_palette(self) -> None:
        """Show what can be done now, to be found by typing."""
        from textual.command import CommandPalette

        if not isinstance(self.screen, CommandPalette):
            self.push_screen(CommandPalette(placeholder="what to do: type some of it"))

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
        from mcptap.tui.index.opening import feed_of
        from mcptap.tui.session.screen import SessionScreen

        try:
            feed = feed_of(event.path, is_probe=event.is_probe)
        except UserError as error:
            self.notify(str(error), severity="error")
            return
        feed.preview()
        feed.start()
        (self.switch_screen if event.instead else self.push_screen)(SessionScreen(feed, event.record))

    @on(OpenRun)
    def _open_run(self, event: OpenRun) -> None:
        """Show a run."""
        from mcptap.tui.runs.screen import RunOverview

        self.push_screen(RunOverview(event.folders, event.path))

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
    app = TapApp(first, light=light, depth=None)
    # Textual makes long-lived objects by the thousand: walking through them again and again is
    # what a key waits for at times. They are left out, and the collector runs less often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 50)
    leave_with_terminal(1, lambda: os._exit(128 + 1))
    status = app.run()
    return status or 0
