"""A click on the headings."""

from mcptap.tui.calls.headings import Headings
from tests.tui.screens import Alone, TapApp, played


def test_a_click_tells_the_column():
    clicks = []

    class Watching(Alone):
        def on_headings_clicked(self, event):
            clicks.append(event.x)

    async def play():
        async with TapApp(Watching(Headings())).run_test(size=(40, 3)) as pilot:
            await pilot.click(Headings, offset=(7, 0))
            await pilot.pause()
        assert clicks == [7]

    played(play())
