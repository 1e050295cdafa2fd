"""The way to the calls and back."""

from mcptap.tui.calls.screen import CallsScreen
from tests.tui.screens import fed, opened, played, until


def test_the_calls_are_shown_and_the_timeline_stays_where_it_was(path):
    async def play():
        async with opened(fed(path)) as (pilot, session):
            session.timeline.go(4)
            await pilot.press("c")
            await until(pilot, lambda: isinstance(pilot.app.screen, CallsScreen))
            await pilot.press("c")
            await until(pilot, lambda: pilot.app.screen is session)
            assert session.timeline.cursor == 4

    played(play())
