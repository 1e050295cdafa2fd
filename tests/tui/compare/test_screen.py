"""Two sessions compared on the screen."""

from __future__ import annotations

import os

from mcptap.captures.summary import summarise
from mcptap.tui.app import TapApp
from mcptap.tui.compare.screen import DiffScreen
from mcptap.tui.recordings.screen import SessionsScreen
from tests.helpers import END, START_WALL_US, handshake, record
from tests.tui.screens import at_rest, played, shown, until


def test_two_marked_recordings_are_compared_the_older_one_at_the_left(tmp_path):
    for name, version, steps in (("old", 0, []), ("new", 1, [("s2c", b"noise\n")])):
        wall = START_WALL_US + version * 600_000_000
        record(tmp_path / f"{name}.jsonl", [*handshake(), *steps, *END], name=name, wall=wall)

    async def play():
        screen = SessionsScreen([os.fspath(tmp_path)])
        async with TapApp(screen).run_test(size=(120, 30), notifications=True) as pilot:
            await until(pilot, lambda: screen.collection.is_loaded and screen.list.entries)
            await pilot.press("D")
            await until(pilot, lambda: any("Mark a recording" in line for line in shown(pilot)))
            await pilot.press("m", "m")
            assert len(screen.list.marked) == 2
            await pilot.press("D")
            await until(pilot, lambda: isinstance(pilot.app.screen, DiffScreen) and pilot.app.screen.rows)
            await at_rest(pilot)
            lines = shown(pilot)
            assert " old ⇄ new" in lines[0]
            assert "≠ Different" in lines[1]
            diff = pilot.app.screen
            await pilot.press("n")
            first = diff.answers.row
            assert diff.rows[first].kind
            await pilot.press("N")
            await until(pilot, lambda: any("No further difference" in line for line in shown(pilot)))
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is screen)
            await pilot.press("home", "m")
            assert len(screen.list.marked) == 1

    played(play())


def test_a_file_that_went_away_is_said_in_a_sentence(tmp_path):
    one, other = (
        summarise(os.fspath(record(tmp_path / f"{n}.jsonl", [*handshake(), *END]))) for n in ("a", "b")
    )
    os.unlink(one.path)

    async def play():
        screen = DiffScreen(one, other)
        async with TapApp(screen).run_test(size=(100, 20)) as pilot:
            await until(pilot, lambda: "cannot be opened" in " ".join(line.strip() for line in shown(pilot)))
            assert screen.rows is None

    played(play())
