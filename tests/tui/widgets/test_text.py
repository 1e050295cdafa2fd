from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mcptap.tui.widgets.text import (
    clock,
    cut,
    duration,
    fit,
    fit_right,
    size,
    visible,
    visible_bytes,
    width,
    wrap,
)


@given(st.text())
def test_nothing_that_drives_a_terminal_is_left(text):
    shown = visible(text)
    assert not any(ord(c) < 0x20 or 0x7F <= ord(c) < 0xA0 for c in shown)
    assert not any(0x202A <= ord(c) <= 0x202E or 0xD800 <= ord(c) <= 0xDFFF for c in shown)


@given(st.binary())
def test_any_bytes_can_be_shown(data):
    visible_bytes(data).encode()


def test_controls_are_pictures_and_marks_are_spelled_out():
    assert visible("\x1b[31mred\x00\r") == "␛[31mred␀␍"
    assert visible("a\u202eb\x9bc") == "a\\u202eb\\x9bc"
    assert visible_bytes(b"\xff\xfe") == "\\xff\\xfe"


def test_an_emoji_of_several_characters_has_one_width():
    assert visible("❤\ufe0f") == "❤"


@given(st.text(), st.integers(1, 60))
def test_fitted_text_is_exactly_as_wide_as_asked(text, columns):
    assert cell_len(fit(visible(text), columns)) == columns
    assert cell_len(fit_right(visible(text), columns)) == columns
    assert width(cut(visible(text), columns)) <= columns


@given(st.text(alphabet="ab 漢é", max_size=80), st.integers(4, 30))
def test_wrapped_text_fits_and_loses_no_letter(text, columns):
    lines = wrap(text, columns)
    assert all(width(line) <= columns for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_spans_take_six_columns_at_most():
    said = [
        duration(us)
        for us in (0, 850, 1_200, 12_000, 999_400, 3_400_000, 125_000_000, 11_520_000_000, 10**12)
    ]
    assert said == ["0µs", "850µs", "1.2ms", "12ms", "999ms", "3.4s", "2m05s", "3h12m", "11d13h"]
    assert all(len(word) <= 6 for word in said)


def test_times_and_sizes_are_short():
    assert clock(204_000) == "+0.204"
    assert clock(65_000_000) == "+1:05.000"
    assert clock(3_723_500_000) == "+1:02:03.500"
    assert [size(n) for n in (812, 4_510, 120_000, 1_200_000)] == ["812", "4.5k", "120k", "1.2M"]
