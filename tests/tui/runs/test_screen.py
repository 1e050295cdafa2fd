"""A run on the screen, by its keys."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager

import pytest

from mcptap.tui.app import TapApp
from mcptap.tui.recordings.screen import SessionsScreen
from mcptap.tui.runs import screen as module
from mcptap.tui.runs.screen import RunOverview
from mcptap.tui.session.screen import SessionScreen
from tests.helpers import START_WALL_US, Tape, call, handshake
from tests.tui.runs.conftest import GOOD, NOISY, start
from tests.tui.screens import InProcessFeed, at_rest, played, shown, typed, until


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch):
    monkeypatch.setattr(module, "LOOK", 0.1)


@asynccontextmanager
async def opened(folder, path=None, size=(110, 30)):
    screen = RunOverview([os.fspath(folder)], path)
    async with TapApp(screen).run_test(size=size, notifications=True) as pilot:
        yield pilot, screen


def names(screen):
    return [member.name for member in screen.members]


def test_a_run_says_which_server_is_at_fault_and_goes_there(run_folder):
    async def play():
        async with opened(run_folder) as (pilot, screen):
            await until(pilot, lambda: screen.timeline.count() and screen.members[-1].outcome)
            await at_rest(pilot)
            lines = shown(pilot)
            assert lines[0].startswith(" ✗ Something is wrong in 2 of 3 sessions: search, weather.")
            assert "run of agent" in lines[0]
            assert screen.servers.chosen.name == "search"
            assert any(line.startswith(" → ") for line in lines)

            await pilot.press("p")
            assert screen.place[0].name == "search"
            total = screen.timeline.count()
            await pilot.press("o")
            await until(pilot, lambda: screen.timeline.count() == len(screen.members[1].feed.index))
            assert screen.place[0].name == "search"
            await pilot.press("o")
            assert screen.timeline.count() == total
            for _ in range(4):
                if screen.place[0].name == "search":
                    await pilot.press("p")
            assert screen.place[0].name == "weather"
            await pilot.press("x")
            await until(pilot, lambda: any("no other half" in line for line in shown(pilot)))

            await pilot.press("f")
            await typed(pilot, "tool:read")
            await until(pilot, lambda: screen.timeline.count() == 2)
            await pilot.press("enter", "home", "x")
            assert screen.timeline.cursor == 1
            await pilot.press("escape")
            await until(pilot, lambda: screen.timeline.count() == total)

            await pilot.press("shift+tab")
            assert screen.servers.has_focus
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            session = pilot.app.screen
            await until(pilot, lambda: session.timeline.record)
            assert session.timeline.record + 1 == screen.servers.chosen.first_finding.line

    played(play())


def test_a_session_that_joins_the_run_appears_and_the_next_run_is_followed(run_folder):
    async def play():
        async with opened(run_folder) as (pilot, screen):
            await until(pilot, lambda: len(screen.members) == 3)
            start(run_folder, "late", GOOD, 50_000)
            await until(pilot, lambda: names(screen) == ["files", "search", "weather", "late"])
            start(run_folder, "again", NOISY, 10**9)
            await until(pilot, lambda: names(screen) == ["again"])

    played(play())


def test_a_live_run_is_not_left_for_a_newer_one_but_that_is_offered(run_folder):
    wall = module.time.time_ns() // 1000

    async def play():
        async with opened(run_folder) as (pilot, screen):
            await until(pilot, lambda: "live" in names(screen))
            start(run_folder, "newer", GOOD, wall + 10**7 - START_WALL_US)
            await until(pilot, lambda: any("L: a newer run" in line for line in shown(pilot)))
            assert "live" in names(screen)
            await pilot.press("L")
            await until(pilot, lambda: names(screen) == ["newer"])

    parent = {"pid": 99, "name": "other"}
    with Tape(run_folder / "live.jsonl", name="live", wall=wall, parent=parent) as tape:
        tape.play([*handshake(), ("c2s", call(1, "x"))])
        played(play())


def test_the_run_of_a_recording_opens_from_the_list_and_an_empty_folder_waits(run_folder, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()

    async def play():
        screen = SessionsScreen([os.fspath(run_folder)])
        async with TapApp(screen).run_test(size=(110, 30)) as pilot:
            await until(pilot, lambda: len(screen.list.entries) == 4)
            assert screen.list.entries[0].run is not None
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, RunOverview) and pilot.app.screen.members)
            assert not pilot.app.screen.follows_newest
            await pilot.press("escape", "j", "R")
            await until(pilot, lambda: isinstance(pilot.app.screen, RunOverview))
        async with opened(empty) as (pilot, screen):
            await until(pilot, lambda: any("No session yet" in line for line in shown(pilot)))

    played(play())


def test_a_run_of_stderr_is_a_row_there_too_and_u_unfolds_it(tmp_path, monkeypatch):
    monkeypatch.setattr("mcptap.tui.runs.member.feed_of", InProcessFeed)
    start(tmp_path, "talks", [*handshake(), *[("stderr", b"hm\n")] * 9, *GOOD[-4:]])

    async def play():
        async with opened(tmp_path) as (pilot, screen):
            await until(pilot, lambda: any("stderr +8 lines" in line for line in shown(pilot)))
            rows = screen.timeline.count()
            await pilot.press("u")
            await until(pilot, lambda: any("This is no run of stderr." in line for line in shown(pilot)))
            screen.timeline.go(5)
            await pilot.press("u")
            assert screen.timeline.count() == rows + 8
            await pilot.press("k", "u")
            assert screen.timeline.count() == rows

    played(play())
