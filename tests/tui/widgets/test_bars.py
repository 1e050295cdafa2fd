"""Rows of cells at the edges of a screen."""

import pytest

from mcptap.text.columns import text_width
from mcptap.tui.widgets.bars import Bar, KeyBar
from mcptap.tui.widgets.keys import EVERYWHERE, LIST, SESSION, TIMELINE, footer
from mcptap.tui.widgets.palette import DARK_PAINT
from tests.tui.screens import alone, at_rest, fed, opened, played, shown, until

PLAIN = DARK_PAINT.plain


def drawn(row, columns):
    """The line that a bar of so many columns shows for a row of texts for the left and the right."""
    lines = []

    async def play():
        bar = Bar()
        async with alone(bar, size=(columns, 3)) as pilot:
            bar.show(tuple([(text, PLAIN) for text in side] for side in row))
            await at_rest(pilot)
            lines.extend(shown(pilot))

    played(play())
    return lines[0]


def test_left_and_right_stand_at_their_edges():
    assert drawn((["left"], ["right"]), 20) == "left" + " " * 11 + "right"


def test_what_is_first_at_the_right_gives_way_to_the_left():
    assert drawn((["a long text"], ["name ", "total"]), 19) == "a long text   total"


def test_a_text_at_the_left_that_is_too_long_is_cut():
    assert drawn((["x" * 30], []), 12) == "x" * 11 + "…"


def test_wide_characters_are_never_cut_in_half():
    assert text_width(drawn((["漢字漢字漢字"], ["ok"]), 9)) <= 9


def test_rows_that_are_not_given_any_more_go():
    async def play():
        bar = Bar()
        bar.styles.height = 2
        async with alone(bar) as pilot:
            bar.show(([("one", PLAIN)], []), ([("two", PLAIN)], []))
            await at_rest(pilot)
            assert shown(pilot)[:2] == ["one", "two"]
            bar.show(([("three", PLAIN)], []))
            await at_rest(pilot)
            assert shown(pilot)[:2] == ["three", ""]

    played(play())


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
def test_keys_are_shown_whole_and_help_and_quit_always(columns):
    keys = footer(TIMELINE, SESSION, LIST, EVERYWHERE)

    async def play():
        bar = KeyBar()
        async with alone(bar, size=(columns, 3)) as pilot:
            bar.show_keys(keys, columns)
            await at_rest(pilot)
            line = shown(pilot)[0]
            entries = {f"{key.display.split(' ')[0]} {key.label}" for key in keys}
            said = [entry for entry in line.strip().split("   ") if entry]
            assert set(said) <= entries
            assert said[-2:] == ["? help", "q quit"]

    played(play())


def test_a_click_on_a_key_in_the_footer_presses_it(path):
    async def play():
        async with opened(fed(path), (120, 24)) as (pilot, screen):
            await at_rest(pilot)
            y = screen.keybar.region.y
            await pilot.click(offset=(shown(pilot)[y].index("filter"), y))
            await until(pilot, lambda: screen.prompt.input.has_focus)
            await pilot.press("escape", "right_square_bracket")
            await at_rest(pilot)
            line = shown(pilot)[y]
            assert all(word in line for word in ("pause", "step", "faster", "slower", "stop"))
            await pilot.click(offset=(line.index("stop"), y))
            await until(pilot, lambda: not screen.play.is_on)

    played(play())
