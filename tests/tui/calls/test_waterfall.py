"""Bars on the axis of the session's time."""

from hypothesis import given
from hypothesis import strategies as st

from mcptap.text.columns import text_width
from mcptap.tui.calls.spans import Span
from mcptap.tui.calls.waterfall import axis_end, bar, scale
from mcptap.tui.index.kinds import State
from mcptap.tui.widgets.palette import DARK_PAINT
from tests.tui.screens import words

SECOND = 1_000_000


def drawn(start, end, state=State.ANSWERED, axis=10 * SECOND, columns=10):
    return words(bar(DARK_PAINT, Span(start, end, state), axis, columns))


def test_a_bar_lies_where_its_call_lay_in_the_session():
    assert drawn(0, 10 * SECOND) == "━" * 10
    assert drawn(2 * SECOND, 5 * SECOND) == "  ━━━     "
    assert drawn(2_500_000, 5_500_000) == "  ╺━━╸    "


def test_the_shortest_call_has_a_bar():
    assert drawn(4 * SECOND, 4 * SECOND) == "    ╸     "
    assert drawn(10 * SECOND, 10 * SECOND).endswith("╺")


def test_what_a_call_came_to_stands_at_the_end_of_its_bar():
    assert drawn(2 * SECOND, 10 * SECOND, State.PENDING) == "  ┅┅┅┅┅┅┅◌"
    assert drawn(2 * SECOND, 5 * SECOND, State.ERROR) == "  ━━━✗    "
    assert drawn(2 * SECOND, 2 * SECOND, State.TOOL_ERROR) == "  ✗       "


@given(
    st.integers(0, 10**13),
    st.integers(0, 10**13),
    st.sampled_from(list(State)),
    st.integers(1, 10**13),
    st.integers(1, 90),
)
def test_a_bar_takes_its_columns_whatever_the_times_are(start, length, state, axis, columns):
    text = drawn(start, start + length, state, axis, columns)
    assert text_width(text) == columns
    assert text.strip()


def test_the_axis_of_a_session_that_goes_on_grows_in_steps():
    assert axis_end(0, goes_on=False) == 1
    assert axis_end(3_123_456, goes_on=False) == 3_123_456
    assert axis_end(3_123_456, goes_on=True) == 5 * SECOND
    assert axis_end(30 * SECOND, goes_on=True) == 60 * SECOND
    assert axis_end(90_000 * SECOND, goes_on=True) == 2 * 86_400 * SECOND


@given(st.integers(1, 10**14), st.integers(0, 90))
def test_the_scale_takes_its_columns_and_ends_with_the_end(axis, columns):
    text = scale(axis, columns)
    assert text_width(text) == columns
    if columns > 20:
        assert text.startswith("0 ")
        assert not text.endswith(" ")


def test_the_scale_has_a_middle_where_there_is_room():
    assert scale(60 * SECOND, 40).split() == ["0", "30.0s", "1m00s"]
    assert scale(60 * SECOND, 12).split() == ["0", "1m00s"]
