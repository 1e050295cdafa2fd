from tests.tui.screens import at_rest, fed, opened, played, shown, until
from tests.tui.weather import CALL


def test_enter_opens_the_record_and_its_other_half_and_escape_closes_it(path):
    async def play():
        async with opened(fed(path), (120, 60)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("enter")
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == CALL)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert '"city": "Zürich"' in lines
            assert "answer after" in lines
            assert "second 漢字 🙂 line" in lines
            assert screen.timeline.has_focus
            await pilot.press("enter")
            assert screen.pane.detail.has_focus
            await pilot.press("escape")
            assert not screen.pane.display
            assert screen.timeline.has_focus

    played(play())


def test_on_a_wide_terminal_the_detail_is_always_there(path):
    async def play():
        async with opened(fed(path), (160, 30)) as (pilot, screen):
            assert screen.pane.display
            assert not screen.detail.close()
            await pilot.press("enter")
            assert screen.pane.detail.has_focus
            await pilot.press("escape")
            assert screen.pane.display
            await pilot.resize_terminal(100, 30)
            await until(pilot, lambda: not screen.pane.display)

    played(play())


def test_the_detail_follows_the_cursor_once_it_rests(path):
    async def play():
        async with opened(fed(path), (160, 30)) as (pilot, screen):
            await pilot.press("j", "j")
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == 2)

    played(play())


def test_enter_and_tab_go_to_the_page_that_is_shown_and_keep_it(path):
    async def play():
        async with opened(fed(path), (160, 40)) as (pilot, screen):
            await pilot.press("5", "enter")
            assert screen.pane.detail.has_focus
            assert screen.pane.tab.name == "statistics"
            await pilot.press("tab", "tab", "tab", "n", "x")
            assert screen.pane.detail.has_focus
            assert screen.pane.tab.name == "statistics"
            await pilot.press("f")
            assert screen.prompt.input.has_focus

    played(play())
