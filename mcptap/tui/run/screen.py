"""The page while a command of mcptap runs: its output as it comes, how long it runs, and how to stop it."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Mapping
from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal

from mcptap.text.paragraphs import fold
from mcptap.text.units import counted
from mcptap.tui.run.child import Child
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.detail import line_cells
from mcptap.tui.widgets.document import Line
from mcptap.tui.widgets.keys import EVERYWHERE, LIST, RUN, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.tap_screen import TapScreen
from mcptap.tui.widgets.text import visible, visible_bytes

CLOCK = 0.1
"""Seconds between looks at what came."""

OUTPUT_LINES = 5_000
"""Lines of output that are kept."""

OWN_WORDS = b"mcptap: "
"""What mcptap says on stderr begins with it; all else there is the server's."""


ARROWS = {"-->": "client", "<--": "server"}
"""How lines of a transcript begin, with their roles."""


def hanging(text: str, columns: int) -> list[str]:
    """A line in pieces; those after the first begin below its last column of text, as in a table."""
    gap = text.rfind("  ", 0, columns * 2 // 3)
    indent = 4 if text[:3] in ARROWS else gap + 2 if gap >= 0 else 0
    first, *rest = fold(text, columns)
    if not rest:
        return [first]
    more = fold(text[len(first) :].lstrip(" "), columns - indent)
    return [first, *(" " * indent + piece for piece in more)]


class Page(LineList):
    """Lines of marked text, to be scrolled."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(LIST)

    def __init__(self, **options: Any) -> None:
        self.lines: list[Line] = []
        super().__init__(**options)

    def count(self) -> int:
        """How many lines there are."""
        return len(self.lines)

    def draw(self, y: int, width_: int) -> Cells:
        """Draw a line."""
        return line_cells(self.lines[y], width_, self.paint)

    def show(self, lines: list[Line]) -> None:
        """Show these lines; if the last one was in sight, the new last one will be."""
        follow = self.at_end()
        self.lines = lines
        self.forget()
        self.changed()
        if follow:
            self.go(self.count() - 1)


class RunScreen(TapScreen):
    """Runs `mcptap ARGUMENTS`, with these variables besides ours.

    With the screen the child ends, too, by its stop sequence.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings(RUN)
    CSS = """
    #run-body { height: 1fr; }
    """

    def __init__(self, title: str, arguments: list[str], variables: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.title_words = title
        self.child = Child(arguments, self._told, variables)
        self.status_code: int | None = None
        """The child's exit status; None while it runs."""
        self.heading = Bar(id="heading", raised=True)
        self.page = Page(id="output")
        self.page_bar = Scrollbar(self.page)
        self.output: deque[tuple[bytes, bool]] = deque(maxlen=OUTPUT_LINES)
        self._shown = 0
        self._told_lines = 0
        self._begun = time.monotonic()
        self._took = 0.0
        self._task: asyncio.Task[None] | None = None

    def compose(self) -> ComposeResult:
        """Title, output, status, keys."""
        yield self.heading
        with Horizontal(id="run-body"):
            yield from self.body()
        yield self.status
        yield self.keybar

    def body(self) -> ComposeResult:
        """What is between title and status."""
        yield self.page
        yield self.page_bar

    def on_mount(self) -> None:
        """Start it."""
        self.set_focus(self.page)
        self._task = asyncio.create_task(self._run())
        self.set_interval(CLOCK, self.tick)
        self.redraw()

    async def on_unmount(self) -> None:
        """Stop it, and wait until it has stopped its server."""
        self.child.stop()
        if self._task is not None:
            await self._task

    def on_resize(self) -> None:
        """Set out for the new width."""
        self._shown = -1
        self.call_after_refresh(self.redraw)

    @property
    def places(self) -> tuple[str, ...]:
        """Whose keys make sense now."""
        return (RUN, LIST, EVERYWHERE)

    @property
    def running(self) -> bool:
        """Whether the child has not ended."""
        return self.status_code is None

    async def _run(self) -> None:
        try:
            status = await self.child.run()
        except OSError as error:
            self._told(f"mcptap: can't be started: {error.strerror}".encode(), True)
            status = 2
        self._took = time.monotonic() - self._begun
        try:
            await self.finish()
        finally:
            self.status_code = status
        if self.is_attached and not self.child.stopped:
            self.ended(status)
        if self.is_attached:
            self.redraw()

    # -- what a subclass says --

    async def finish(self) -> None:
        """Clear up and read what the run left, before its end is shown."""

    def ended(self, status: int) -> None:
        """The run came to its end and was not stopped."""

    def end_words(self) -> str:
        """How it ended, for the status line."""
        return f"exit status {self.status_code}"

    def stopped_words(self) -> str:
        """What had come by the time it was stopped, for the status line."""
        return ""

    # -- drawing --

    def _told(self, line: bytes, is_stderr: bool) -> None:
        self.output.append((line, is_stderr))
        self._told_lines += 1

    def tick(self) -> None:
        """Show what came, and the clock."""
        if self.running or self._shown != self._told_lines:
            self.redraw()

    def redraw(self) -> None:
        """Draw everything."""
        paint = self.heading.paint
        self.heading.show(([(f" {visible(self.title_words)}", paint.title)], [(self.remark(), paint.dim)]))
        if self._shown != self._told_lines:
            self._shown = self._told_lines
            columns = max(20, self.page.size.width - 2)
            self.page.show([row for line, err in self.output for row in self.output_rows(line, err, columns)])
        self.status.show(self._status_row())
        self.show_keys()

    def remark(self) -> str:
        """What stands at the right of the title."""
        return ""

    def _status_row(self) -> tuple[Cells, Cells]:
        paint = self.status.paint
        if self.running:
            seconds = time.monotonic() - self._begun
            words = "stopping the server" if self.child.stopped else "running"
            more = f"{counted(self._told_lines, 'line')} so far · esc stops it "
            return [(f" ◌ {words}, {seconds:.1f} s", paint.stderr)], [(more, paint.dim)]
        if self.child.stopped:
            words = f" stopped after {self._took:.1f} s; the server is gone{self.stopped_words()}"
        else:
            words = f" {self.end_words()} · {self._took:.1f} s"
        return [(visible(words), paint.plain)], [("esc goes back ", paint.dim)]

    def output_rows(self, line: bytes, is_stderr: bool, columns: int) -> list[Line]:
        """A line of output as lines of the page."""
        text = visible_bytes(line.removesuffix(b"\r"))
        own = "bright" if line.startswith(OWN_WORDS) else "stderr"
        role = own if is_stderr else self.role_of(text)
        return [Line([(piece, role)]) for piece in hanging(text, columns)]

    def role_of(self, text: str) -> str:
        """The role of a line that the child printed: by the arrows of a transcript."""
        return ARROWS.get(text[:3], "plain")

    # -- what can be done --

    def action_back(self) -> None:
        """Stop it if it runs, else close the screen."""
        if not self.running:
            self.app.pop_screen()
        else:
            self.child.stop()
            self.redraw()
