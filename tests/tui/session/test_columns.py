"""The columns of the timeline."""

from hypothesis import given
from hypothesis import strategies as st

from mcptap.text.columns import text_width
from mcptap.tui.session.columns import LEAST_EXCERPT, Columns


@given(st.integers(40, 300), st.integers(3, 12), st.integers(6, 12), st.integers(0, 80))
def test_columns_fill_the_width_and_the_least_needed_go_first(width, number, time, name):
    columns = Columns(width, number, time, name)
    assert columns.name >= 10
    assert columns.excerpt == 0 or columns.excerpt >= LEAST_EXCERPT
    if columns.size or columns.id:
        assert columns.number
    if columns.excerpt:
        used = columns.number + columns.time + 3 + columns.latency + columns.state + columns.size + columns.id
        assert used + columns.name + 1 + columns.excerpt == width


@given(st.integers(72, 300), st.integers(3, 8), st.integers(6, 10), st.integers(0, 80))
def test_headings_stand_above_their_columns(width, number, time, name):
    columns = Columns(width, number, time, name)
    headings = columns.headings()
    assert headings.index("time") + 5 == 1 + 1 + columns.number + columns.time
    assert headings.index("took") + 4 == 1 + 3 + columns.number + columns.time + columns.name + columns.id + 6
    assert text_width(headings) <= width + 1


def test_a_small_terminal_shows_what_a_message_says_rather_than_its_id():
    small, large = Columns(78, 5, 8, 25), Columns(118, 5, 8, 25)
    assert small.excerpt >= 25
    assert (small.id, small.size, small.state) == (0, 0, 0)
    assert large.id
    assert large.size
    assert large.state


def test_a_name_has_the_room_that_the_longest_one_needs():
    assert Columns(160, 5, 8, 44).name == 45
    assert Columns(160, 5, 8, 12).name == 13
