"""Styles and themes of the palettes."""

import pytest
from rich.color import ColorType

from mcptap.tui.theme.palettes import DARK, DARK_16, LIGHT, NONE, Depth
from mcptap.tui.widgets.palette import DARK_PAINT, LIGHT_PAINT, Paint, paint_of, theme_name, themes


def test_a_style_has_the_colour_of_its_name():
    assert DARK_PAINT.client.color.name == DARK.client
    with pytest.raises(AttributeError):
        _ = DARK_PAINT.purple


def test_a_theme_is_found_by_its_name():
    assert paint_of(theme_name(Depth.TRUE, light=True)) is LIGHT_PAINT
    assert paint_of(theme_name(Depth.TRUE, light=False)) is paint_of("another") is DARK_PAINT
    assert paint_of(theme_name(Depth.FEW, light=False)).palette is DARK_16
    assert paint_of(theme_name(Depth.NONE, light=True)).palette is NONE


def test_style_sheets_have_the_same_colours():
    by_name = {theme.name: theme for theme in themes()}
    assert by_name["mcptap-light"].variables["rule"] == LIGHT.rule
    assert by_name["mcptap-dark-16"].variables["rule"] == f"ansi_{DARK_16.rule}"
    assert [by_name[name].ansi for name in ("mcptap-dark", "mcptap-dark-256", "mcptap-dark-16")] == [
        False,
        False,
        True,
    ]


def test_with_few_colours_all_text_of_the_chosen_row_has_one_colour():
    assert DARK_PAINT.over_cursor is None
    over = Paint(DARK_16).over_cursor
    assert over.color.name == DARK_16.chosen_text
    assert over.bgcolor.name == DARK_16.chosen


def test_without_colours_the_chosen_row_is_reversed_and_what_is_bright_is_bold():
    paint = Paint(NONE)
    assert paint.under_cursor.reverse
    assert paint.bright.bold
    assert not paint.plain.bold
    assert paint.hit.underline
    assert all(style.color.type is ColorType.DEFAULT for style in paint.styles.values())
