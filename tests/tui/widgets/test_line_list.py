import os

from tests.helpers import (
    END,
    handshake,
    record,
    request,
)
from tests.tui.screens import fed, opened, played, until


def test_keys_of_a_list_move_the_cursor(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            timeline = screen.timeline
            await pilot.press("j", "j", "down", "k")
            assert timeline.cursor == 2
            await pilot.press("G")
            assert timeline.cursor == timeline.count() - 1
            await pilot.press("g")
            assert timeline.cursor == 0
            await pilot.press("end", "home", "pagedown", "pageup")
            assert timeline.cursor == 0

    played(play())


def test_the_mouse_does_what_the_keys_do(tmp_path):
    steps = [*handshake(), *(("c2s", request(n, "ping")) for n in range(1, 100)), *END]
    path = os.fspath(record(tmp_path / "x.jsonl", steps))

    async def play():
        async with opened(fed(path), (120, 30)) as (pilot, screen):
            timeline = screen.timeline
            await pilot.click("#timeline", offset=(20, 4))
            assert timeline.cursor == 4
            timeline.scroll(3)
            assert (timeline.top, timeline.cursor) == (3, 4)
            await pilot.click("#timeline", offset=(20, 2), times=2)
            await until(pilot, lambda: screen.pane.display)
            assert timeline.record == 5
            await pilot.click(screen.timeline_bar, offset=(0, screen.timeline_bar.size.height - 1))
            assert timeline.top + timeline.size.height == timeline.count()

    played(play())
