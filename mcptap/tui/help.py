"""The page of keys, made from the table of keys."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal

from mcptap.text.columns import fit, text_width
from mcptap.text.paragraphs import fold
from mcptap.tui.session.tabs import TAB_KEYS
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.detail import line_cells
from mcptap.tui.widgets.document import Line, Piece
from mcptap.tui.widgets.keys import KEYS, LIST, SESSIONS, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.scrollbar import Scrollbar
from mcptap.tui.widgets.tap_screen import TapModal

KEYS_WIDTH = 10
"""Columns for the keys, before what they do."""

SIGNS = (
    ("→", "client", "client to server"),
    ("←", "server", "server to client"),
    ("!", "stderr", "the server's stderr"),
    ("▒", "pollution", "not a message: pollution of stdin or stdout"),
    ("ƒ", "bright", "tools/call: a tool of this name is called, or answers"),
    ("·", "dim", "an event: start, end of a channel, signal, exit"),
    ("┊", "dim", "a message under way: so much of it has come; or its end is missing"),
    ("◌", "stderr", "pending: no answer so far, its age runs"),
    ("✗", "problem", "an error, or a tool's isError"),
    ("∅", "problem", "unanswered: the session ended first"),
    ("⊘", "dim", "cancelled"),
    ("⧖", "stderr", "late: answered after it was cancelled"),
    ("●", "problem", "a finding points at this record"),
    ("◆", "bright", "marked for export"),
    ("≠", "problem", "old and new answer differ here; + only the new one has it, - only the old"),
)


def help_lines(columns: int, places: tuple[str, ...] = ()) -> list[Line]:
    """The help page: groups of keys, those of `places` first, then signs and the filter language."""
    order = [*places, *(where for where in dict.fromkeys(key.where for key in KEYS) if where not in places)]
    groups = [_group(where) for where in order]
    groups = [group for group in groups if group]
    groups.append(
        [Line([("Signs", "title")]), *(Line([(f"  {s}       ", r), (t, "dim")]) for s, r, t in SIGNS)]
    )
    two = columns >= 100
    half = columns // 2 - 1 if two else columns
    columns_of_lines: list[list[Line]] = [[], []] if two else [[]]
    for group in groups:
        shortest = min(columns_of_lines, key=len)
        if shortest:
            shortest.append(Line())
        for line in group:
            shortest += _wrapped(line, half)
    if not two:
        return [*columns_of_lines[0], Line(), *filter_lines(places)]
    left, right = columns_of_lines
    rows = []
    for y in range(max(len(left), len(right))):
        a = left[y].pieces if y < len(left) else []
        b = right[y].pieces if y < len(right) else []
        used = sum(text_width(text) for text, _ in a)
        rows.append(Line([*a, (" " * (half + 2 - used), "plain"), *b]))
    return [*rows, Line(), *filter_lines(places)]


def _group(where: str) -> list[Line]:
    keys = [key for key in (*KEYS, *TAB_KEYS) if key.where == where]
    if not keys:
        return []
    return [
        Line([(where, "title")]),
        *(Line([("  " + fit(k.display, KEYS_WIDTH), "key"), (k.help, "plain")]) for k in keys),
    ]


def _wrapped(line: Line, columns: int) -> list[Line]:
    """A key's line, its help wrapped below itself."""
    if len(line.pieces) != 2:
        return [line]
    head, (text, role) = line.pieces
    indent = text_width(head[0])
    lines = []
    for k, piece in enumerate(fold(text, columns - indent)):
        first: Piece = head if k == 0 else (" " * indent, "plain")
        lines.append(Line([first, (piece, role)]))
    return lines


def filter_lines(places: tuple[str, ...] = ()) -> list[Line]:
    """The filter language, as its own module explains it; in the list of recordings, over sessions."""
    from mcptap.query import FIELDS, help_page
    from mcptap.tui.recordings import filter as sessions

    page = help_page(sessions.FIELDS if SESSIONS in places else FIELDS)
    lines = [Line([("Filter", "title")])]
    lines += [Line([("  " + text, "plain")]) for text in page.splitlines()]
    return lines


class HelpList(LineList):
    """The lines of the help page."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(LIST)
    has_cursor = False

    def __init__(self, places: tuple[str, ...], **options: Any) -> None:
        self._places = places
        self.lines: list[Line] = []
        super().__init__(**options)

    def on_resize(self) -> None:
        """Set out for the width."""
        self.lines = help_lines(self.size.width - 2, self._places)
        super().on_resize()

    def count(self) -> int:
        """Lines of the page."""
        return len(self.lines)

    def go(self, y: int, *, centre: bool = False) -> None:  # noqa: ARG002 - there is no cursor to be centred
        """Scroll: the line comes to the top."""
        self.scroll(y - self.top)

    def scroll(self, lines: int) -> None:
        """Move the view; the cursor, which is not shown, is its first line."""
        super().scroll(lines)
        self.cursor = self.top

    def draw(self, y: int, width_: int) -> Cells:
        """Draw a line."""
        return line_cells(self.lines[y], width_, self.paint)


class Help(TapModal):
    """The help page over the screen it is about."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,f1", "dismiss", show=False)]
    CSS = """
    #help { width: 96%; height: 92%; max-width: 150; layout: vertical; }
    """

    def __init__(self, places: tuple[str, ...]) -> None:
        super().__init__()
        self._list = HelpList(places)
        self._title = Bar()

    def compose(self) -> ComposeResult:
        """The page in a frame."""
        with Container(id="help", classes="box"):
            yield self._title
            with Horizontal():
                yield self._list
                yield Scrollbar(self._list)

    def on_mount(self) -> None:
        """Say what it is and how to leave."""
        paint = self._title.paint
        self._title.show(([(" Keys", paint.title)], [("j k PgDn · esc closes ", paint.dim)]))
        self._list.focus()
