"""What could stand where the cursor is, for a filter that is being typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mcptap.query.fields import FIELDS, Fields, Values
from mcptap.query.help import value_help

_WORD_BEFORE_CURSOR = re.compile(r'[^\s()"]*$')
_OPERATORS = {
    "and": "both sides must match (so must terms side by side)",
    "or": "one of the sides must match",
    "not": "the term behind it must not match",
}


@dataclass(frozen=True, slots=True)
class Completion:
    """Put `text` in the place of `[start:end]`; `help` says what it means."""

    start: int
    end: int
    text: str
    help: str


def complete(
    text: str,
    cursor: int,
    recorded: Mapping[str, Iterable[str]] | None = None,
    fields: Fields = FIELDS,
) -> list[Completion]:
    """Completions of the word before the cursor, best first, for rows that have these fields.

    `recorded` may give values that occur in the recording: `{"tool": […], "method": […]}`.
    """
    before = text[:cursor]
    if _inside_quotes(before):
        return []
    found = _WORD_BEFORE_CURSOR.search(before)
    word = found.group() if found else ""
    start = cursor - len(word)
    if word.startswith("-"):
        word, start = word[1:], start + 1
    name, colon, value = word.partition(":")
    if not colon:
        return _names(word, start, cursor, fields)
    field = fields.get(name.lower())
    if field is None:
        return []
    values = [*field.words] or sorted(set((recorded or {}).get(field.name, ())))
    if not values:
        if value:
            return []
        shown = f"{field.help}: {value_help(field)}"
        return [Completion(start, cursor, field.example, shown)]
    last = value.rpartition(",")[2] if field.values is Values.WORD else value
    return [
        Completion(cursor - len(last), cursor, written(known), field.help)
        for known in values
        if known.casefold().startswith(last.casefold()) and known != last
    ]


def _names(word: str, start: int, cursor: int, fields: Fields) -> list[Completion]:
    lower = word.lower()
    found = [
        Completion(start, cursor, f"{field.name}:", field.help)
        for field in fields.values()
        if field.name.startswith(lower)
    ]
    found += [
        Completion(start, cursor, f"{operator} ", meaning)
        for operator, meaning in _OPERATORS.items()
        if lower and operator.startswith(lower)
    ]
    return found


def written(value: str) -> str:
    """A value as it has to be typed: in quotes if it holds a sign that ends a word."""
    if re.search(r'[\s()",]', value):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return value


def _inside_quotes(text: str) -> bool:
    return len(re.sub(r"\\.", "", text).split('"')) % 2 == 0
