"""The panes of a recording."""

from mcptap.tui.widgets.keys import DETAIL, FINDINGS, TIMELINE
from tests.tui.screens import fed, opened, played, settled


def test_the_keys_are_those_of_the_pane_with_the_focus(path):
    async def play():
        async with opened(fed(path), (160, 40)) as (pilot, screen):
            assert screen.focused_place == TIMELINE
            screen.set_focus(screen.pane.detail)
            await settled(pilot)
            assert screen.focused_place == DETAIL
            await pilot.press("F")
            await settled(pilot)
            assert screen.focused_place == FINDINGS
            assert screen.places[0] == FINDINGS
            assert all(edge.screen is screen for edge in screen.edges)

    played(play())
