"""Which findings a user wants."""

import pytest

from mcptap.diagnosis.engine.finding import Finding, Level
from mcptap.diagnosis.engine.selection import Selection, matches

FOUND = [
    Finding("stdout-glued", Level.ERROR, 3, ""),
    Finding("crlf", Level.INFO, 4, ""),
    Finding("stdout-not-json", Level.WARNING, 5, ""),
    Finding("crlf", Level.INFO, 6, ""),
]


def wanted(**choice: object) -> list[int | None]:
    return [found.line for found in Selection(**choice).apply(FOUND)[0]]  # type: ignore[arg-type]


def test_without_a_choice_everything_is_wanted_in_its_order():
    assert wanted() == [3, 4, 5, 6]


@pytest.mark.parametrize(
    ("level", "lines"), [(Level.INFO, [3, 4, 5, 6]), (Level.WARNING, [3, 5]), (Level.ERROR, [3])]
)
def test_a_level_leaves_out_what_lies_below_it(level: Level, lines: list[int]):
    assert wanted(min_level=level) == lines


def test_only_and_ignore_take_ids_and_patterns_and_ignore_is_stronger():
    assert wanted(only=("stdout-*",)) == [3, 5]
    assert wanted(ignore=("stdout-*", "none")) == [4, 6]
    assert wanted(only=("stdout-*", "crlf"), ignore=("stdout-glued",)) == [4, 5, 6]


def test_what_was_ignored_is_counted_and_what_was_not_asked_for_is_not():
    _, ignored = Selection(Level.WARNING, ignore=("crlf", "stdout-glued")).apply(FOUND)
    assert ignored == {"stdout-glued": 1}
    assert Selection(ignore=("crlf",)).apply(FOUND)[1] == {"crlf": 2}


def test_a_rule_is_matched_in_its_own_case_and_as_a_whole():
    assert matches("stdout-glued", ["stdout-?lued"])
    assert not matches("stdout-glued", ["STDOUT-glued", "stdout", ""])
