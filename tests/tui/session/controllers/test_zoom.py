from tests.tui.screens import at_rest, fed, opened, played
from tests.tui.weather import CALL


def test_the_pane_with_the_focus_has_the_screen_for_itself_and_tab_takes_it_to_the_next(path):
    async def play():
        async with opened(fed(path), (120, 40)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("enter")
            await at_rest(pilot)
            panes = (screen.timeline, screen.findings_pane.list, screen.pane.detail)
            assert all(pane.size.height for pane in panes)
            before = screen.timeline.size.height
            await pilot.press("z")
            for pane in panes:
                await at_rest(pilot)
                assert pane.has_focus
                assert [other for other in panes if other.size.height > 25] == [pane]
                seen = screen._compositor.visible_widgets
                assert [other for other in panes if other in seen] == [pane]
                await pilot.press("tab")
            await pilot.press("escape")
            await at_rest(pilot)
            assert screen.timeline.size.height == before
            assert all(pane.size.height for pane in panes)

    played(play())


def test_on_a_wide_terminal_the_panes_come_back_beside_each_other(path):
    async def play():
        async with opened(fed(path), (200, 30)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await at_rest(pilot)
            panes = (screen.timeline, screen.findings_pane, screen.pane)
            before = [pane.region for pane in panes]
            await pilot.press("z")
            await at_rest(pilot)
            assert screen.timeline.size.width > 190
            await pilot.press("z", "enter", "z")
            await at_rest(pilot)
            assert screen.pane.detail.size.width > 190
            await pilot.press("z", "escape")
            await at_rest(pilot)
            assert [pane.region for pane in panes] == before

    played(play())
