"""Lines of marked text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.text.columns import text_width
from mcptap.tui.widgets.document import bar, pairs, paragraph, rule, shares
from tests.tui.screens import lines_of

texts = st.text(max_size=200)


@given(texts, st.integers(10, 60))
def test_a_paragraph_fits_its_columns(text, columns):
    assert all(text_width(line) <= columns for line in lines_of(paragraph(text, columns, indent="  ")))


def test_the_newlines_of_a_paragraph_stay():
    assert lines_of(paragraph("one\n\ntwo", 20, indent="> ")) == ["> one", "> ", "> two"]


def test_a_paragraph_is_safe_for_a_terminal():
    assert lines_of(paragraph("\x1b[2J", 20)) == ["␛[2J"]


@given(st.lists(st.tuples(st.sampled_from(["a", "name", "x" * 30]), texts)), st.integers(40, 80))
def test_values_begin_in_one_column_and_fit(rows, columns):
    lines = lines_of(pairs(rows, columns))
    assert all(text_width(line) <= columns + 10 for line in lines)
    assert len(lines) >= len(rows)


def test_a_long_value_is_wrapped_below_itself():
    assert lines_of(pairs([("key", "aaaa bbbb"), ("k", "c")], 10)) == ["key  aaaa", "     bbbb", "k    c"]


def test_a_heading_has_its_note_and_a_line_behind_it():
    assert [role for _, role in rule("Tools", note="calls").pieces] == ["title", "dim", "rule"]
    assert [role for _, role in rule("Tools").pieces] == ["title", "rule"]


@pytest.mark.parametrize(
    ("share", "drawn"), [(0, ""), (1, "████"), (0.5, "██"), (1 / 32, "▏"), (-1, ""), (2, "████")]
)
def test_a_bar_is_as_long_as_its_share(share, drawn):
    assert bar(share, 4) == drawn


def test_bars_are_as_long_as_their_values_unless_one_dwarfs_most():
    assert shares([1, 2, 4]) == ([0.25, 0.5, 1.0], False)
    lengths, is_log = shares([1, 2, 100, 0])
    assert is_log
    assert [round(length, 2) for length in lengths] == [0.1, 0.24, 1.0, 0.0]
    assert shares([0, 0]) == ([0.0, 0.0], False)


@given(st.lists(st.integers(0, 10**15)))
def test_the_longest_bar_is_full_and_none_is_longer(values):
    lengths, _ = shares(values)
    assert all(0 <= length <= 1.000001 for length in lengths)
    if any(values):
        assert max(lengths) > 0.999999
        assert all(length > 0 for length, value in zip(lengths, values, strict=True) if value)
