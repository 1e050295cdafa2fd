"""What stands where."""

import os

from tests.helpers import END, handshake, record
from tests.tui.screens import at_rest, fed, opened, played, shown


def test_a_short_list_leaves_the_rest_of_the_screen_to_the_detail(tmp_path):
    path = os.fspath(record(tmp_path / "x.jsonl", [*handshake(), *END]))

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            assert screen.timeline.size.height > screen.timeline.count() + 10
            await pilot.press("enter")
            await at_rest(pilot)
            assert screen.timeline.size.height == screen.timeline.count()
            assert screen.pane.size.height > 20
            await pilot.press("escape")
            await at_rest(pilot)
            assert screen.timeline.size.height > 30

    played(play())


def test_a_long_list_keeps_half_of_the_room_and_the_findings_wait_on_a_low_terminal(path):
    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, screen):
            assert screen.findings_pane.display
            await pilot.press("enter")
            await at_rest(pilot)
            assert not screen.findings_pane.display
            assert abs(screen.timeline.size.height + 1 - screen.pane.size.height) <= 2
            assert any(line.endswith("F") and "✗1" in line for line in shown(pilot))
            await pilot.press("F")
            await at_rest(pilot)
            assert screen.findings_pane.display
            assert screen.timeline.size.height >= 4

    played(play())
