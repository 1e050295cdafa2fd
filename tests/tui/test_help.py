import pytest

from mcptap.text.columns import text_width
from mcptap.tui.help import SIGNS, Help, HelpList, filter_lines, help_lines
from mcptap.tui.session.tabs import TAB_KEYS
from mcptap.tui.widgets.keys import EVERYWHERE, FORM, KEYS, SESSIONS, TIMELINE
from tests.tui.screens import fed, lines_of, opened, played, shown, until


def test_help_is_made_from_the_keys_and_goes_away(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("question_mark")
            await pilot.pause()
            await until(pilot, lambda: any("from a request to its answer" in line for line in shown(pilot)))
            await pilot.press("escape")
            await pilot.pause()
            assert pilot.app.screen is screen

    played(play())


@pytest.mark.parametrize("columns", [40, 80, 100, 150])
def test_the_page_fits_its_columns(columns):
    language = len(filter_lines())
    page = lines_of(help_lines(columns, (TIMELINE,)))[:-language]
    assert all(text_width(line.rstrip()) <= columns for line in page)


@pytest.mark.parametrize("columns", [80, 120])
def test_every_key_stands_there_with_what_it_does(columns):
    text = " ".join(" ".join(lines_of(help_lines(columns))).split())
    for key in (*KEYS, *TAB_KEYS):
        assert key.help.split()[0] in text
    for glyph, _, said in SIGNS:
        assert glyph in text
        assert said.split()[0] in text


def test_the_keys_of_the_present_place_stand_first():
    assert lines_of(help_lines(80, (FORM, EVERYWHERE)))[0] == FORM
    assert lines_of(help_lines(80, ()))[0] == KEYS[0].where


def test_the_page_is_scrolled_by_as_many_lines_as_a_key_says(path):
    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, _):
            await pilot.press("question_mark")
            await until(pilot, lambda: isinstance(pilot.app.screen, Help))
            await pilot.pause()
            (page,) = pilot.app.screen.query(HelpList)
            await pilot.press("j", "j")
            assert page.top == 2
            await pilot.press("k")
            assert page.top == 1
            await pilot.press("G")
            assert page.top == page.count() - page.size.height
            await pilot.press("g")
            assert page.top == 0

    played(play())


def test_over_the_list_of_recordings_the_filter_is_that_of_sessions():
    said = "\n".join(lines_of(filter_lines((SESSIONS,))))
    assert "outcome:waiting" in said
    assert "method:tools/call" not in said
    assert "method:tools/call" in "\n".join(lines_of(filter_lines()))
