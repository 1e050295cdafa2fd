"""Colours of both themes."""

import re
from dataclasses import fields

import pytest

from mcptap.tui.widgets.palette import (
    DARK,
    DARK_PAINT,
    DARK_THEME,
    LIGHT,
    LIGHT_PAINT,
    LIGHT_THEME,
    paint_of,
    theme,
)


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_all_colours_are_written_in_full(palette):
    colours = [getattr(palette, field.name) for field in fields(palette) if field.name != "dark"]
    assert all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in colours)


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
def test_hues_with_a_meaning_can_be_read_and_told_apart(palette):
    hues = [getattr(palette, name) for name in ("client", "server", "stderr", "problem", "pollution")]
    assert len(set(hues)) == len(hues)
    ground = luminance(palette.ground)
    for hue in (*hues, palette.plain, palette.bright, palette.dim):
        low, high = sorted((ground, luminance(hue)))
        assert (high + 0.05) / (low + 0.05) >= 4.5  # WCAG 2, level AA


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_style_has_the_colour_of_its_name():
    assert DARK_PAINT.client.color.name == DARK.client
    with pytest.raises(AttributeError):
        _ = DARK_PAINT.purple


def test_a_theme_is_found_by_its_name():
    assert paint_of(LIGHT_THEME) is LIGHT_PAINT
    assert paint_of(DARK_THEME) is paint_of("another") is DARK_PAINT
    assert (theme(DARK).name, theme(LIGHT).name) == (DARK_THEME, LIGHT_THEME)
    assert theme(LIGHT).variables["rule"] == LIGHT.rule
