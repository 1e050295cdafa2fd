"""One term of a filter, from field and value to a function over a row."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from operator import attrgetter
from typing import Any

from mcptap.query.fields import Field, Values
from mcptap.text.units import KILO

Test = Callable[[Any], bool]
"""Over a row that has the fields of the table."""

COST_OF_FIELD = 0
COST_OF_PATTERN = 1
COST_OF_TEXT = 100
"""Fields are tested before text, since a row's text has to be fetched first."""

_DURATIONS = {
    "us": 1,
    "µs": 1,
    "ms": 1_000,
    "s": 1_000_000,
    "m": 60_000_000,
    "h": 3_600_000_000,
    "d": 86_400_000_000,
}
_SIZES = {"": 1, "b": 1, "k": KILO, "kb": KILO, "m": KILO**2, "mb": KILO**2}
_COUNTS = {"": 1}
_NUMBER = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)([a-zµ]*)", re.ASCII | re.IGNORECASE)
_COMPARISON = re.compile(r"(>=|<=|>|<|=)?(.*)", re.DOTALL)
_TEXT_ONLY = frozenset({"text"})
_WILD = re.compile(r"[*?]")


class TermError(Exception):
    """A value that a field doesn't take: what is wrong, and where in the value."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


@dataclass(frozen=True, slots=True)
class Term:
    """A test, what it costs, the fields it looks at, and its text if it is nothing but a text."""

    test: Test
    cost: int
    fields: frozenset[str]
    literal: str | None = None


def field_term(field: Field, value: str, quoted: bool) -> Term:
    """The term `field:value`. Raises TermError."""
    if not value:
        raise TermError(f"{field.name}: needs a value, for example {field.example}")
    match field.values:
        case Values.TEXT:
            return text_term(value)
        case Values.PATTERN:
            return _pattern_term(field, [value] if quoted else value.split(","))
        case Values.WORD:
            return _word_term(field, value)
        case _:
            return _range_term(field, value)


def text_term(value: str) -> Term:
    """Text anywhere in the line, whatever its case."""
    wanted = value.casefold()
    return Term(lambda row: wanted in row.text().casefold(), COST_OF_TEXT, _TEXT_ONLY, value)


def _getter(field: Field) -> Callable[[Any], object]:
    return attrgetter(field.attribute or field.name)


def _pattern_term(field: Field, patterns: list[str]) -> Term:
    if not all(patterns):
        raise TermError("there is nothing beside the comma")
    get = _getter(field)
    if not any(_WILD.search(p) for p in patterns):
        wanted = frozenset(p.casefold() for p in patterns)

        def same(row: Any) -> bool:
            value = get(row)
            return isinstance(value, str) and value.casefold() in wanted

        return Term(same, COST_OF_FIELD, frozenset({field.name}))
    matcher = re.compile("|".join(_as_regex(p) for p in patterns), re.IGNORECASE | re.DOTALL)

    def like(row: Any) -> bool:
        value = get(row)
        return isinstance(value, str) and matcher.fullmatch(value) is not None

    return Term(like, COST_OF_PATTERN, frozenset({field.name}))


def _as_regex(pattern: str) -> str:
    """The pattern as a regular expression that never goes back behind a `*` that found its text.

    The nearest place is always good enough for it. Else `*a*a*a*b` would take hours over a long name, and
    both may be a stranger's.
    """
    first, *others = ["".join("." if c == "?" else re.escape(c) for c in part) for part in pattern.split("*")]
    if not others:
        return first
    *middle, last = others
    return first + "".join(f"(?>.*?{part})" for part in middle if part) + f".*{last}"


def _word_term(field: Field, value: str) -> Term:
    wanted: set[str] = set()
    offset = 0
    for word in value.split(","):
        matcher = re.compile(_as_regex(word), re.IGNORECASE)
        found = [known for known in field.words if matcher.fullmatch(known)]
        if not found:
            near = get_close_matches(word.lower(), field.words, 1)
            advice = f"did you mean {near[0]}?" if near else f"it can be {', '.join(field.words)}"
            raise TermError(f"there is no {field.name} {word!r}; {advice}", offset)
        wanted.update(found)
        offset += len(word) + 1
    get = _getter(field)
    return Term(lambda row: get(row) in wanted, COST_OF_FIELD, frozenset({field.name}))


def _range_term(field: Field, value: str) -> Term:
    low, high = _bounds(field, value)
    get = _getter(field)

    def within(row: Any) -> bool:
        number = get(row)
        return isinstance(number, int) and low <= number and (high is None or number <= high)

    return Term(within, COST_OF_FIELD, frozenset({field.name}))


def _bounds(field: Field, value: str) -> tuple[int, int | None]:
    """The least and the greatest whole number that the value allows."""
    if ".." in value:
        first, _, last = value.partition("..")
        if not first and not last:
            raise TermError(f"a range needs a beginning or an end, for example {field.example}")
        low = _number(field, first, 0) if first else 0
        high = _number(field, last, len(first) + 2) if last else None
        if high is not None and high < low:
            raise TermError("the range ends before it begins")
        return low, high
    comparison = _COMPARISON.fullmatch(value)
    sign, rest = comparison.groups("") if comparison else ("", value)
    if not rest:
        raise TermError(f"a number is missing behind {sign}", len(sign))
    number = _number(field, rest, len(sign))
    match sign:
        case ">":
            return number + 1, None
        case ">=":
            return number, None
        case "<":
            return 0, number - 1
        case "<=":
            return 0, number
    if field.values is Values.DURATION:
        # No two things take exactly as many microseconds: it would match nothing, silently.
        raise TermError(f"say longer or shorter: {field.name}:>{rest}, {field.name}:<{rest}")
    return number, number


def _number(field: Field, text: str, offset: int) -> int:
    units = {Values.DURATION: _DURATIONS, Values.SIZE: _SIZES}.get(field.values, _COUNTS)
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise TermError(f"{text!r} is no number; write for example {field.example}", offset)
    digits, unit = found.groups()
    if unit.lower() not in units and not (units is _DURATIONS and not unit and not float(digits)):
        known = ", ".join(u for u in units if u)
        if not known:
            raise TermError(f"{field.name} takes a plain number, without {unit!r}", offset + len(digits))
        said = f"there is no unit {unit!r}" if unit else "a unit is missing"
        raise TermError(f"{said}; it can be {known}", offset + len(digits))
    return round(float(digits) * units.get(unit.lower(), 1))
