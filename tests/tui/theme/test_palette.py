"""Whose colours a palette has."""

from mcptap.tui.theme.palettes import DARK, DARK_256, LIGHT_16, NONE


def test_sixteen_colours_are_the_terminals_own_and_more_are_ours():
    assert [palette.has_own_colours for palette in (DARK, DARK_256, LIGHT_16, NONE)] == [
        True,
        True,
        False,
        False,
    ]
