"""What all screens have."""

from contextlib import nullcontext
from pathlib import Path

from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.tap_screen import TapScreen
from tests.tui.screens import Alone, alone, played


def test_the_first_screen_stays_and_others_close():
    async def play():
        async with alone(Bar()) as pilot:
            first = pilot.app.screen
            await pilot.press("escape")
            assert pilot.app.screen is first
            await pilot.app.push_screen(Alone(Bar()))
            await pilot.press("escape")
            assert pilot.app.screen is first

    played(play())


def test_a_terminal_that_cannot_be_handed_over_is_told_of():
    async def play():
        async with alone(Bar()) as pilot:
            assert "handed over" in pilot.app.screen.run_outside(lambda: "never run")

    played(play())


def test_what_runs_outside_says_what_went_wrong(monkeypatch):
    async def play():
        async with alone(Bar()) as pilot:
            monkeypatch.setattr(pilot.app, "suspend", nullcontext)
            assert (
                pilot.app.screen.run_outside(lambda: "less ended with status 1") == "less ended with status 1"
            )
            assert "no such" in pilot.app.screen.run_outside(Path("/no/such/file").read_text).lower()

    played(play())


def test_a_screen_can_do_everything_everywhere_unless_it_says_otherwise():
    screen = TapScreen()
    assert screen.can_do("anything")
    assert screen.places == ("Everywhere",)
