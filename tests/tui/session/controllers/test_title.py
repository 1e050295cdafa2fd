"""The title, and the way to the next recording."""

import os

from mcptap.tui.session.screen import SessionScreen
from tests.helpers import END, START_WALL_US, handshake, record
from tests.tui.screens import fed, opened, played, shown, until


def test_the_keys_go_through_the_recordings_of_the_folder(tmp_path):
    for number, name in enumerate(("first", "second", "third")):
        wall = START_WALL_US + number * 60_000_000
        record(tmp_path / f"{3 - number}.jsonl", [*handshake(), *END], name=name, wall=wall)
    (tmp_path / "notes.jsonl").write_text("{}\n")

    async def play():
        async with opened(fed(os.fspath(tmp_path / "2.jsonl"))) as (pilot, _):
            await until(pilot, lambda: any("2 of 3" in line for line in shown(pilot)))
            await pilot.press("greater_than_sign")
            await until(pilot, lambda: any("third" in line and "3 of 3" in line for line in shown(pilot)))
            assert sum(isinstance(screen, SessionScreen) for screen in pilot.app.screen_stack) == 1
            await pilot.press("greater_than_sign")
            await until(pilot, lambda: any("the newest one" in line for line in shown(pilot)))

    played(play())
