"""The text search through all servers of a run, by its keys."""

from __future__ import annotations

import os

import pytest

from mcptap.tui.app import TapApp
from mcptap.tui.runs import member
from mcptap.tui.runs import screen as module
from mcptap.tui.runs.screen import RunOverview
from tests.helpers import END, handshake
from tests.tui.runs.conftest import start
from tests.tui.screens import InProcessFeed, played, shown, typed, until

TALK = [("stderr", b"working on it\n")] * 3 + [("stderr", b"a Needle here\n")] + [("stderr", b"more\n")] * 3


@pytest.fixture
def needles(tmp_path, monkeypatch):
    """Three hits in two servers, one of them within a run of stderr; none in the third."""
    monkeypatch.setattr(member, "feed_of", InProcessFeed)
    monkeypatch.setattr(module, "LOOK", 0.1)
    start(tmp_path, "files", [*handshake(), ("s2c", b"needle one\n"), ("wait", 900_000), *END])
    start(tmp_path, "search", [*handshake(), ("wait", 500_000), *TALK, *END], 1_000)
    last = [*handshake(), ("wait", 700_000), ("s2c", b"the third needle\n"), *END]
    start(tmp_path, "weather", last, 2_000)
    return tmp_path


def test_a_search_goes_through_all_servers_by_time_and_into_runs_of_stderr(needles):
    async def play():
        screen = RunOverview([os.fspath(needles)])
        async with TapApp(screen).run_test(size=(110, 30), notifications=True) as pilot:

            def says(words):
                return until(pilot, lambda: any(words in line for line in shown(pilot)))

            def names():
                return [m.name for m in screen.members]

            await until(
                pilot, lambda: names() == ["files", "search", "weather"] and screen.members[-1].outcome
            )
            await pilot.press("n")
            await says("nothing to search for yet")
            await pilot.press("home", "slash")
            await typed(pilot, "needle")
            assert screen.timeline.count() > 20  # it filters nothing
            await pilot.press("enter")
            await says("'needle' 1 of 3")
            assert screen.place[0].name == "files"
            rows = screen.timeline.count()
            await pilot.press("n")
            await says("'needle' 2 of 3")
            assert screen.place[0].name == "search"
            assert screen.timeline.count() == rows + 6
            await pilot.press("n")
            await says("'needle' 3 of 3")
            await pilot.press("n")
            await says("'needle' 1 of 3")
            await pilot.press("N")
            await says("'needle' 3 of 3")
            assert screen.place[0].name == "weather"

            await pilot.press("o", "n")
            await says("'needle' 1 of 1")
            await pilot.press("slash")
            await typed(pilot, "absent")
            await pilot.press("enter")
            await says("'absent' is not in the records that are shown")
            await pilot.press("escape")
            assert pilot.app.screen is screen
            assert not screen.timeline.needle

            await pilot.press("f")
            await typed(pilot, "needle")
            await pilot.press("enter", "slash")
            await typed(pilot, "third")
            await pilot.press("enter")
            await says("'third' 1 of 1")
            assert screen.prompt.input.value == "needle"

    played(play())
