"""A small box that asks under which name something is to be written."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.widgets import Input

from mcptap.errors import UserError
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.tap_screen import TapModal
from mcptap.tui.widgets.text import visible


class AskPath(TapModal):
    """Asks for a path, beginning with a proposal; `write` gets it, and the box stays if that raises.

    A folder stands for the proposed name in it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", show=False)]
    CSS = """
    #ask-path { width: 90%; max-width: 110; height: auto; layout: vertical; }
    #ask-path Bar { width: 100%; }
    """

    def __init__(self, title: str, proposed: str, write: Callable[[str], None]) -> None:
        super().__init__()
        self._title = title
        self._proposed = proposed
        self._write = write
        self._bar = Bar()
        self._input = Input(proposed, select_on_focus=False, id="path")
        self._said = Bar()

    def compose(self) -> ComposeResult:
        """Title, path, and what was wrong with it."""
        with Container(id="ask-path", classes="box"):
            yield self._bar
            yield self._input
            yield self._said

    def on_mount(self) -> None:
        """Say what is asked."""
        paint = self._bar.paint
        title = (" " + visible(self._title), paint.title)
        self._bar.show(([title], [("enter writes it · esc ", paint.faint)]))
        self._input.focus()
        self._input.cursor_position = len(self._proposed)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        path = os.path.abspath(os.path.expanduser(event.value.strip() or self._proposed))
        if os.path.isdir(path):
            path = os.path.join(path, os.path.basename(self._proposed))
        try:
            self._write(path)
        except (OSError, UserError, ValueError) as error:
            paint = self._said.paint
            why = str(error).removeprefix(f"{path}: ")
            self._said.show(([(" " + visible(why), paint.problem)], []))
            return
        self.dismiss()
