"""One term: a field and its value as a test of a row."""

from __future__ import annotations

from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.query.fields import FIELDS
from mcptap.query.terms import (
    COST_OF_FIELD,
    COST_OF_PATTERN,
    COST_OF_TEXT,
    Term,
    TermError,
    field_term,
    text_term,
)
from tests.query.rows import Record


def term(field: str, value: str, quoted: bool = False) -> Term:
    return field_term(FIELDS[field], value, quoted)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_comparisons_and_ranges_mean_what_their_signs_say(number: int, size: int) -> None:
    row = Record(size=size)
    for sign, wanted in (
        (f">{number}", size > number),
        (f">={number}", size >= number),
        (f"<{number}", size < number),
        (f"<={number}", size <= number),
        (f"={number}", size == number),
        (f"{number}", size == number),
        (f"{number}..", size >= number),
        (f"..{number}", size <= number),
    ):
        assert term("size", sign).test(row) == wanted, sign


@pytest.mark.parametrize(
    ("field", "value", "least"),
    [
        ("latency", "2us", 2),
        ("latency", "2µs", 2),
        ("latency", "1.5ms", 1500),
        ("latency", "2S", 2_000_000),
        ("latency", "0.5m", 30_000_000),
        ("latency", "0", 0),
        ("size", "1.5k", 1500),
        ("size", "2MB", 2_000_000),
        ("size", "7b", 7),
        ("n", "7", 7),
    ],
)
def test_units_count_in_microseconds_and_bytes(field: str, value: str, least: int) -> None:
    test = term(field, f">={value}").test
    assert test(Record(latency_us=least, size=least, number=least))
    assert not test(Record(latency_us=least - 1, size=least - 1, number=least - 1))


def test_a_pattern_in_quotes_may_hold_a_comma() -> None:
    assert term("tool", "a,b").test(Record(tool="b"))
    assert term("tool", "a,b", quoted=True).test(Record(tool="A,B"))
    assert not term("tool", "a,b", quoted=True).test(Record(tool="b"))


@given(st.text(alphabet="ab.[\\", min_size=1, max_size=6), st.text(alphabet="ab.[\\", max_size=6))
def test_only_the_star_and_the_question_mark_are_special(name: str, more: str) -> None:
    assert term("tool", f"{name}*", quoted=True).test(Record(tool=name + more))
    assert term("tool", f"{name}?", quoted=True).test(Record(tool=name + more)) == (len(more) == 1)


@pytest.mark.parametrize(
    ("field", "value", "offset", "words"),
    [
        ("tool", "", 0, "needs a value, for example tool:read_*"),
        ("kind", "request,evnt", 8, "did you mean event?"),
        ("size", "1k..fast", 4, "is no number"),
        ("size", "1k..2h", 5, "there is no unit 'h'"),
        ("n", ">1.5.2", 1, "is no number"),
        ("latency", "=1s", 0, "say longer or shorter"),
    ],
)
def test_a_value_that_a_field_does_not_take_is_told_with_its_place(
    field: str, value: str, offset: int, words: str
) -> None:
    with pytest.raises(TermError, match=words.replace("*", r"\*").replace("?", r"\?")) as raised:
        term(field, value)
    assert raised.value.offset == offset


def test_a_term_says_what_it_costs_and_looks_at() -> None:
    costs = [term("tool", "a").cost, term("tool", "a*").cost, text_term("a").cost]
    assert costs == [COST_OF_FIELD, COST_OF_PATTERN, COST_OF_TEXT] == sorted(costs)
    assert term("latency", ">1s").fields == {"latency"}
    assert (term("text", "A b").literal, term("tool", "a").literal) == ("A b", None)


@given(st.text("ab*?", max_size=8), st.text("ab", max_size=10))
def test_stars_and_question_marks_mean_what_they_do_in_names_of_files(pattern: str, name: str) -> None:
    if pattern:
        assert term("tool", pattern, quoted=True).test(Record(tool=name)) is fnmatchcase(name, pattern)


def test_many_stars_over_a_long_name_take_no_longer_than_few() -> None:
    assert not term("tool", "*a" * 40 + "b").test(Record(tool="a" * 5_000))
