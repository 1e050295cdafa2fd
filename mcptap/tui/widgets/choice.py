"""A small box with a few things to choose from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container

from mcptap.text.columns import fit
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.keys import LIST, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.tap_screen import TapModal
from mcptap.tui.widgets.text import visible

Option = tuple[str, Callable[[], None]]


class ChoiceList(LineList):
    """The lines of the box."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(LIST)

    def __init__(self, options: list[Option], **more: Any) -> None:
        self.options = options
        super().__init__(**more)

    def count(self) -> int:
        """How many options there are."""
        return len(self.options)

    def draw(self, y: int, width: int) -> Cells:
        """A digit that chooses it, and the words."""
        digit = f"{y + 1} " if y < 9 else "  "
        return [(digit, self.paint.faint), (fit(visible(self.options[y][0]), width - 2), self.paint.plain)]


class Choice(TapModal):
    """Asks; what was chosen is done after the box has gone."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "dismiss", show=False),
        *(Binding(str(n), f"pick({n - 1})", show=False) for n in range(1, 10)),
    ]
    CSS = """
    #choice { width: auto; height: auto; min-width: 40; max-width: 92%; layout: vertical; }
    #choice Bar { width: 100%; }
    """

    def __init__(self, title: str, options: list[Option]) -> None:
        super().__init__()
        self._title = title
        self._bar = Bar()
        self._list = ChoiceList(options)

    def compose(self) -> ComposeResult:
        """Title and options."""
        with Container(id="choice", classes="box"):
            yield self._bar
            yield self._list

    def on_mount(self) -> None:
        """Make the box as big as what is in it."""
        columns = max(len(words) for words, _ in self._list.options) + 4
        columns = max(columns, len(self._title) + 16)
        columns = min(max(columns, 36), self.app.size.width - 8)
        self.query_one("#choice").styles.width = columns + 4
        self._list.styles.height = min(len(self._list.options), self.app.size.height - 8)
        paint = self._bar.paint
        self._bar.show(([(" " + self._title, paint.title)], [("enter · esc ", paint.faint)]))
        self._list.focus()

    @on(LineList.Chosen)
    def _chosen(self, event: LineList.Chosen) -> None:
        event.stop()
        self.action_pick(self._list.cursor)

    def action_pick(self, number: int) -> None:
        """Do what stands in this line."""
        if number < len(self._list.options):
            do = self._list.options[number][1]
            self.dismiss()
            self.app.call_later(do)
