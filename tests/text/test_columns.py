from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mcptap.text.columns import beginning, cut, fit, fit_right, text_width
from mcptap.text.escape import visible


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("日本語", 1, "…"),
        ("abc", 0, ""),
        ("", 0, ""),
        ("abc", -1, ""),
    ],
)
def test_text_is_cut_by_columns(text: str, width: int, shown: str) -> None:
    assert cut(text, width) == shown


@given(st.text(max_size=60), st.integers(0, 50))
def test_cut_text_fits_and_is_whole_where_it_can_be(text: str, width: int) -> None:
    text = visible(text)
    shown = cut(text, width)
    assert cell_len(shown) <= width
    if cell_len(text) <= width:
        assert shown == text


@given(st.text(max_size=60), st.integers(1, 60))
def test_fitted_text_is_exactly_as_wide_as_asked(text: str, width: int) -> None:
    text = visible(text)
    assert cell_len(fit(text, width)) == width
    assert cell_len(fit_right(text, width)) == width


@given(st.text(max_size=60), st.integers(0, 60))
def test_a_beginning_is_a_beginning_and_fits(text: str, width: int) -> None:
    text = visible(text)
    shown = beginning(text, width)
    assert text.startswith(shown)
    assert text_width(shown) <= width
