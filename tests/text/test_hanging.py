"""Lines that go on behind a column of their own."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mcptap.text.escape import visible
from mcptap.text.paragraphs import MIN_WIDTH, hanging


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
