"""Paragraphs keep to the width, in columns of the terminal."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mcptap.text.paragraphs import MIN_WIDTH, wrapped
from mcptap.text.terminal import visible

TEXT = st.text(max_size=200).map(visible)


@given(TEXT, st.integers(MIN_WIDTH + 2, 100))
def test_no_line_is_wider_than_the_terminal(text, width):
    assert all(cell_len(line) <= width for line in wrapped(text, width, "  "))


def test_a_word_one_column_too_long_is_broken():
    assert wrapped("x" * 41, 42, "  ") == ["  " + "x" * 40, "  x"]


@given(TEXT, st.integers(MIN_WIDTH, 100))
def test_breaking_lines_loses_nothing_but_spaces(text, width):
    assert "".join(wrapped(text, width)).replace(" ", "") == text.replace(" ", "")


@given(TEXT)
def test_in_a_pipe_a_paragraph_is_one_line(text):
    assert wrapped(text, 0, "  ") == ["  " + text]
