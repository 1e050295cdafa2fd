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
