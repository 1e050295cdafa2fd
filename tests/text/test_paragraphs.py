"""Paragraphs, and lines that go on behind a column of their own, keep to the width of the terminal."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mcptap.text.columns import text_width
from mcptap.text.escape import visible
from mcptap.text.paragraphs import MIN_WIDTH, fold, hanging, wrapped

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


@given(st.text(alphabet="ab 漢é", max_size=80), st.integers(4, 30))
def test_folded_data_fits_and_loses_no_letter(text: str, columns: int) -> None:
    lines = fold(text, columns)
    assert all(text_width(line) <= columns for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_a_line_goes_on_in_the_column_it_is_told():
    line = "  fine      ping      answered, and then a good deal more was said about it"
    assert hanging(line, 55, 22) == [
        "  fine      ping      answered, and then a good deal",
        "                      more was said about it",
    ]


def test_in_a_pipe_and_where_it_fits_a_line_stays_whole():
    assert hanging("  a " * 50, 0, 10) == ["  a " * 50]
    assert hanging("short", 80, 40) == ["short"]


def test_where_the_column_leaves_no_room_the_line_goes_on_further_left():
    first, second, *_ = hanging("  " + "word " * 20, 50, 47)
    assert first.startswith("  word")
    assert second.startswith("    word")


@given(st.text(max_size=300), st.integers(MIN_WIDTH + 40, 100), st.integers(0, 40))
def test_no_piece_is_wider_than_the_terminal(text, width, hang):
    text = visible(text)
    pieces = hanging(text, width, hang)
    assert all(cell_len(piece) <= width for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
