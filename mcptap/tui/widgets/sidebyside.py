"""Two JSON values side by side, line by line, with what differs marked by its path."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from mcptap.jsontext.diff import ABSENT, ADDED, CHANGED, REMOVED, Steps, equal, paired, spell
from mcptap.text.paragraphs import fold
from mcptap.text.units import counted
from mcptap.tui.widgets.text import visible

MAX_ROWS = 20_000
"""Rows that are made: what is longer is for the recording's own screen."""

CHARACTERS = 2_000
"""Characters shown of one line of a text."""

LEAD = 60
"""Characters that two long texts share and that are shown before the first difference."""

TEXT_LINES = 2_000
"""Texts of at most so many lines are aligned by their lines; longer ones line against line."""

Lines = list[str]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the old value beside one of the new; None where there is none.

    `kind` is empty for lines that are the same. `path` is that of the value that differs.
    """

    left: str | None
    right: str | None
    kind: str = ""
    path: str = ""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two values still to be set out; `label` stands before both."""

    old: Any
    new: Any
    steps: Steps
    label: str
    depth: int


def rows(old: Any, new: Any) -> list[Row]:
    """Both values, old and new (or `ABSENT`), as rows. Commas are left out: they are never the difference."""
    todo: list[Row | _Pair] = [_Pair(old, new, (), "", 0)]
    made: list[Row] = []
    while todo:
        task = todo.pop()
        if len(made) >= MAX_ROWS:
            rest = f"… cut after {MAX_ROWS:,} lines"
            made.append(Row(rest, rest))
            break
        if isinstance(task, Row):
            made.append(task)
        elif _is_open(task.old, task.new):
            todo += reversed(list(_container(task)))
        else:
            made += _leaf(task)
    return made


def changes(made: list[Row]) -> list[int]:
    """Where each difference begins, as indices of rows."""
    return [
        i
        for i, row in enumerate(made)
        if row.kind and (i == 0 or (row.kind, row.path) != (made[i - 1].kind, made[i - 1].path))
    ]


def wrapped(row: Row, columns: int) -> Iterator[Row]:
    """The row as one or more, each side at most so many columns wide."""
    left, right = (None if side is None else _folded(side, columns) for side in (row.left, row.right))
    for a, b in zip_longest(left or [], right or []):
        yield Row(a, b, row.kind, row.path)


def _folded(text: str, columns: int) -> Lines:
    """A line in pieces; those after the first are set in as the first is."""
    indent = " " * min(len(text) - len(text.lstrip(" ")) + 2, columns // 2)
    first, *rest = fold(text, columns)
    if not rest:
        return [first]
    return [first, *(indent + piece for piece in fold(text[len(first) :].lstrip(" "), columns - len(indent)))]


def _is_open(old: Any, new: Any) -> bool:
    both = (isinstance(old, dict) and isinstance(new, dict)) or (
        isinstance(old, list) and isinstance(new, list)
    )
    return both and bool(old or new)


def _container(pair: _Pair) -> Iterator[Row | _Pair]:
    is_object = isinstance(pair.old, dict)
    left, right = "{}" if is_object else "[]"
    indent = "  " * pair.depth
    yield Row(indent + pair.label + left, indent + pair.label + left)
    for step, old, new in paired(pair.old, pair.new):
        label = f"{json.dumps(step, ensure_ascii=False)}: " if is_object else ""
        yield _Pair(old, new, (*pair.steps, step), label, pair.depth + 1)
    yield Row(indent + right, indent + right)


def _leaf(pair: _Pair) -> Iterator[Row]:
    """Rows of values that are not both open."""
    old, new, path = pair.old, pair.new, spell(pair.steps)
    if old is ABSENT:
        yield from (Row(None, line, ADDED, path) for line in _lines(new, pair))
    elif new is ABSENT:
        yield from (Row(line, None, REMOVED, path) for line in _lines(old, pair))
    elif equal(old, new):
        yield from (Row(line, line) for line in _lines(old, pair))
    elif isinstance(old, str) and isinstance(new, str):
        yield from _texts(old, new, pair, path)
    else:
        for left, right in zip_longest(_lines(old, pair), _lines(new, pair)):
            yield Row(left, right, CHANGED, path)


def _texts(old: str, new: str, pair: _Pair, path: str) -> Iterator[Row]:
    """Two texts that differ: aligned by lines if they have several."""
    if "\n" not in old and "\n" not in new:
        at = _first_difference(old, new)
        skip = at - LEAD if at > 2 * LEAD else 0
        left, right = (_lines(text[skip:], pair, cut_before=skip > 0) for text in (old, new))
        for a, b in zip_longest(left, right):
            yield Row(a, b, CHANGED, path)
        return
    before, after = _lines(old, pair), _lines(new, pair)
    if max(len(before), len(after)) > TEXT_LINES:
        for a, b in zip_longest(before, after):
            yield Row(a, b, "" if a == b else CHANGED, path)
        return
    for tag, i, i_end, j, j_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        for a, b in zip_longest(before[i:i_end], after[j:j_end]):
            yield Row(a, b, "" if tag == "equal" else CHANGED, path)


def _first_difference(old: str, new: str) -> int:
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old[:middle] == new[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _lines(value: Any, pair: _Pair, *, cut_before: bool = False) -> Lines:
    """A whole value as lines, behind the label of the pair and set in."""
    indent = "  " * pair.depth
    if isinstance(value, str) and "\n" in value:
        texts = [f'{pair.label}"↵', *(f"  │ {line}" for line in value.split("\n")), '  "']
    elif isinstance(value, str) and cut_before:
        texts = [f'{pair.label}"…{json.dumps(value, ensure_ascii=False)[1:]}']
    else:
        try:
            spelled = json.dumps(value, ensure_ascii=False, indent=2)
        except RecursionError:
            spelled = "… nests too deep to be shown"
        first, *rest = spelled.split("\n")
        texts = [pair.label + first, *(line.removesuffix(",") for line in rest)]
    return [indent + _cut(visible(text)) for text in texts[:MAX_ROWS]]


def _cut(text: str) -> str:
    if len(text) <= CHARACTERS:
        return text
    return f"{text[:CHARACTERS]}… {counted(len(text) - CHARACTERS, 'more character')}"
