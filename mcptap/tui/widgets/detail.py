"""The detail pane: a record in full, its bytes, and the facts of the session, one tab each."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.style import Style
from textual.message import Message

from mcptap.text.columns import fit, text_width
from mcptap.tui.widgets.document import Line
from mcptap.tui.widgets.hexdump import bytes_in_row, dump_line
from mcptap.tui.widgets.keys import DETAIL, LIST, bindings
from mcptap.tui.widgets.line_list import Cells, LineList
from mcptap.tui.widgets.palette import Paint

HITS = 100_000
"""Most lines that a search within a page counts."""


def role_style(paint: Paint, role: str) -> Style:
    """The style of a role in a document."""
    if role in ("rule", "rule2"):
        return paint.rule
    return paint.title if role == "title" else paint.styles.get(role, paint.plain)


def line_cells(line: Line, columns: int, paint: Paint) -> Cells:
    """A line of a document as cells, so many columns wide."""
    cells: Cells = []
    room = columns
    for text, role in line.pieces:
        if room <= 0:
            break
        if role == "rule":
            text = " " + "─" * (room - 1)
        used = text_width(text)
        if used > room:
            text, used = fit(text, room), room
        cells.append((text, role_style(paint, role)))
        room -= used
    if room > 0:
        cells.append((" " * room, paint.plain))
    return cells


class Detail(LineList):
    """Lines of a document, or bytes in hex that are drawn as they are seen."""

    BINDINGS: ClassVar = bindings(DETAIL, LIST)

    def __init__(self, **options: Any) -> None:
        self.lines: list[Line] = []
        self._bytes: bytes | None = None
        self._folded = False
        self._set_for = 0
        super().__init__(**options)

    def show(self, lines: list[Line], data: bytes | None = None, *, keep: bool = False) -> None:
        """Show lines, and bytes in hex below them; `keep` keeps the place, for what only changed a little."""
        self.lines = lines
        self._bytes = data
        self._set_for = self.size.width  # while it is hidden that is another one
        if not keep:
            self.cursor = self.top = 0
        self.forget()
        self.changed()

    def count(self) -> int:
        """Lines, those of the bytes included."""
        each = bytes_in_row(self.size.width - 1)
        return len(self.lines) + -(-len(self._bytes or b"") // each)

    def line_at(self, y: int) -> Line:
        """The line with this number."""
        if self._bytes is None or y < len(self.lines):
            return self.lines[y]
        return dump_line(self._bytes, y - len(self.lines), bytes_in_row(self.size.width - 1))

    def hits(self) -> list[int]:
        """The lines that hold what is marked; the bytes in hex are searched as bytes."""
        needle = self.needle
        if not needle:
            return []
        texts = ("".join(text for text, _ in line.pieces) for line in self.lines)
        found = [y for y, text in enumerate(texts) if needle in text.lower()]
        if self._bytes is not None:
            data, wanted = self._bytes.lower(), needle.encode(errors="surrogateescape")
            each = bytes_in_row(self.size.width - 1)
            at = data.find(wanted)
            while at >= 0 and len(found) < HITS:
                found.append(len(self.lines) + at // each)
                at = data.find(wanted, (at // each + 1) * each)
        return found

    def draw(self, y: int, width_: int) -> Cells:
        """Draw a line of the document."""
        return line_cells(self.line_at(y), width_, self.paint)

    def action_choose(self) -> None:
        """Fold, show more, or follow the record or the filter that a line names."""
        if self.cursor >= self.count():
            return
        line = self.line_at(self.cursor)
        if line.act is not None:
            line.act()
            self.post_message(self.Folded())
        elif line.record is not None:
            self.post_message(self.Chosen(self))
        elif line.query:
            self.post_message(self.CallsWanted(line.query))

    def action_fold_all(self) -> None:
        """Fold everything, or unfold it."""
        self._folded = not self._folded
        self.post_message(self.FoldAll(self._folded))

    class CallsWanted(Message):
        """The calls that a filter lets through are to be shown."""

        def __init__(self, query: str) -> None:
            super().__init__()
            self.query = query

    class FoldAll(Message):
        """Everything is to be folded, or not."""

        def __init__(self, folded: bool) -> None:
            super().__init__()
            self.folded = folded

    def on_resize(self) -> None:
        """What is shown was set out for another width."""
        super().on_resize()
        if self.size.width != self._set_for:
            self._set_for = self.size.width
            self.post_message(self.Folded())

    class Folded(Message):
        """Something was folded or unfolded: the lines are to be made anew."""
