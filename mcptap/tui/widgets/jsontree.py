"""An exact JSON value (`jsontext.tree`) as foldable lines.

Only what is open has lines, and big values are cut with a line that shows more, so a message of
a megabyte costs what is seen of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from mcptap.jsontext.tree import Number, Object
from mcptap.text.columns import text_width
from mcptap.text.paragraphs import fold
from mcptap.text.units import counted
from mcptap.tui.widgets.document import Line, Piece
from mcptap.tui.widgets.text import visible

Path = tuple[int, ...]
"""Positions from the root to a value."""

ITEMS = 50
"""Items of a container that are shown at first."""

_PLAIN_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

CHARACTERS = 2000
"""Characters of a string that are shown at first."""

OPEN_LINES = 400
"""A tree is opened at first as far as about so many values."""

REVEALED = 1000
"""Values that a search opens."""

REVEALED_CHARACTERS = 1 << 18
"""Characters of a string in which a search looks: all up to the place that it finds are set out as lines."""


class JsonTree:
    """One value with what is open and how much of it is shown."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self._open: dict[Path, bool] = {}
        self._more: dict[Path, int] = {}
        self._default_depth = _depth_for(value, OPEN_LINES)

    def toggle(self, path: Path) -> None:
        """Open what is folded, fold what is open."""
        self._open[path] = not self.is_open(path)

    def is_open(self, path: Path) -> bool:
        """Whether the container there shows its items."""
        return self._open.get(path, len(path) < self._default_depth)

    def show_more(self, path: Path) -> None:
        """Show ten times as much of a cut value."""
        self._more[path] = self._more.get(path, 1) * 10

    def fold_all(self, folded: bool) -> None:
        """Fold everything below the root, or open it as far as it is short."""
        self._open.clear()
        self._default_depth = 1 if folded else 64

    def reveal(self, needle: str) -> None:
        """Open and show what holds the text (in lower case), so that a search of the lines finds it."""
        if not needle:
            return
        stack: list[tuple[Any, Path]] = [(self.value, ())]
        revealed = 0
        while stack and revealed < REVEALED:
            value, path = stack.pop()
            if isinstance(value, list):
                is_object = isinstance(value, Object)
                below = []
                for k, item in enumerate(value):
                    name, item = item if is_object else ("", item)
                    if is_object and needle in name.lower():
                        self._show((*path, k))
                        revealed += 1
                    below.append((item, (*path, k)))
                stack += reversed(below)
                continue
            text = str(value) if isinstance(value, str) else json.dumps(value)
            at = text[:REVEALED_CHARACTERS].lower().find(needle)
            if at >= 0:
                self._show(path)
                revealed += 1
                while CHARACTERS * self._more.get(path, 1) < min(at + len(needle), len(text)):
                    self.show_more(path)

    def _show(self, path: Path) -> None:
        for depth, k in enumerate(path):
            above = path[:depth]
            self._open[above] = True
            while ITEMS * self._more.get(above, 1) <= k:
                self.show_more(above)

    def lines(self, columns: int) -> Iterator[Line]:
        """The lines of what is open, at this width."""
        yield from self._value(self.value, (), [], "", columns)

    def _value(self, value: Any, path: Path, lead: list[Piece], comma: str, columns: int) -> Iterator[Line]:
        for line in self._lines(value, path, lead, comma, columns):
            if line.value is None:
                line.value = self, path
            yield line

    def _lines(self, value: Any, path: Path, lead: list[Piece], comma: str, columns: int) -> Iterator[Line]:
        if isinstance(value, list):
            yield from self._container(value, path, lead, comma, columns)
        elif isinstance(value, str) and not isinstance(value, Number):
            yield from self._string(value, path, lead, comma, columns)
        else:
            word = value if isinstance(value, Number) else json.dumps(value)
            yield Line([*lead, (visible(str(word)), "literal"), (comma, "faint")])

    def _container(
        self, value: list[Any], path: Path, lead: list[Piece], comma: str, columns: int
    ) -> Iterator[Line]:
        is_object = isinstance(value, Object)
        left, right = "{}" if is_object else "[]"
        if not value:
            yield Line([*lead, (left + right + comma, "faint")])
            return

        def act() -> None:
            self.toggle(path)

        if not self.is_open(path):
            inside = counted(len(value), "key" if is_object else "item")
            pieces = [*lead, (f"{left}▸ ", "faint"), (inside, "dim"), (f" {right}{comma}", "faint")]
            yield Line(pieces, act)
            return
        yield Line([*lead, (left, "faint")], act)
        indent = "  " * (len(path) + 1)
        shown = ITEMS * self._more.get(path, 1)
        last = len(value) - 1
        for k, item in enumerate(value[:shown]):
            tail = "," if k < last else ""
            if is_object:
                name, item = item
                start: list[Piece] = [(f'{indent}"{visible(name)}"', "key"), (": ", "faint")]
            else:
                start = [(indent, "plain")]
            yield from self._value(item, (*path, k), start, tail, columns)
        if len(value) > shown:
            yield self._rest(f"{indent}… {len(value) - shown:,} more", path)
        yield Line([("  " * len(path) + right + comma, "faint")])

    def _string(self, value: str, path: Path, lead: list[Piece], comma: str, columns: int) -> Iterator[Line]:
        shown = CHARACTERS * self._more.get(path, 1)
        text = value[:shown]
        indent = "  " * (len(path) + 1)
        used = sum(text_width(piece) for piece, _ in lead)
        if "\n" not in text and text_width(visible(text)) + used + 3 <= columns and len(value) <= shown:
            yield Line([*lead, (f'"{visible(text)}"', "string"), (comma, "faint")])
            return
        # A text of several lines is for reading: its newlines are shown as what they are.
        room = columns - len(indent) - 2
        if used + 24 > columns or "\n" in text:
            yield Line([*lead, ('"' + ("↵" if "\n" in text else ""), "faint")])
        else:
            first, text = _first_piece(text, columns - used - 1)
            yield Line([*lead, (f'"{visible(first)}', "string")])
        parts = text.split("\n")
        for part in parts:
            for piece in fold(visible(part), room):
                yield Line([(indent + "│ ", "rule2"), (piece, "string")])
        if len(value) > shown:
            yield self._rest(f"{indent}… {len(value) - shown:,} more characters", path)
        else:
            yield Line([(indent + '"' + comma, "faint")])

    def _rest(self, text: str, path: Path) -> Line:
        def act() -> None:
            self.show_more(path)

        return Line([(text, "dim"), ("  enter shows more", "faint")], act)


def value_at(value: Any, path: Path) -> tuple[str, Any]:
    """Where in a value the path leads, as `jq` writes it (`.result.content[0].text`), and what is there.

    If something else stands on the way, such as the mask of a secret, that is what is there.
    """
    words = ""
    for k in path:
        if isinstance(value, Object):
            name, value = value[k]
            is_plain = _PLAIN_NAME.fullmatch(name) is not None
            words += f".{name}" if is_plain else f"{'' if words else '.'}[{json.dumps(name)}]"
        elif isinstance(value, list):
            value = value[k]
            words += f"{'' if words else '.'}[{k}]"
    return words or ".", value


def _first_piece(text: str, columns: int) -> tuple[str, str]:
    """What of an unbroken text fits on the first line, and the rest."""
    first = fold(text, columns)[0] if visible(text) == text else text[: columns // 4]
    rest = text[len(first) :]
    return first, rest[1:] if rest.startswith(" ") else rest


def _depth_for(value: Any, limit: int) -> int:
    """How many levels can be open with no more values than `limit`; at least two."""
    level, depth, total = [value], 0, 0
    while level and depth < 64:
        below: list[Any] = []
        for each in level:
            if isinstance(each, Object):
                below += [item for _, item in each[:ITEMS]]
            elif isinstance(each, list):
                below += each[:ITEMS]
            if len(below) > limit:
                break
        total += len(below)
        if total > limit:
            return max(2, depth)
        level, depth = below, depth + 1
    return 64
