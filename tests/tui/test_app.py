import os
import signal

import pytest

from mcptap.tui.app import prefers_light
from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.tap_screen import OpenRecording
from tests.tui.screens import alone, fed, opened, played, shown, until


def test_light_and_dark_can_be_exchanged(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            dark = screen.timeline.paint.palette
            await pilot.press("T")
            assert screen.timeline.paint.palette is not dark
            assert pilot.app.theme == "mcptap-light"

    played(play())


def test_a_message_to_the_user_is_no_markup(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.notify("/tmp/[bold]x[/nope] \x1b[2J")
            await until(pilot, lambda: any("/tmp/[bold]x[/nope] ␛[2J" in line for line in shown(pilot)))

    played(play())


@pytest.mark.parametrize(
    ("ground", "light"),
    [("0;15", True), ("15;0", False), ("0;default;7", True), ("0;7", True), ("", False), ("odd", False)],
)
def test_the_ground_of_the_terminal_decides_between_light_and_dark(ground, light):
    assert prefers_light({"COLORFGBG": ground}) is light


def test_without_the_variable_it_is_dark():
    assert not prefers_light({})


def test_a_recording_that_cannot_be_opened_is_told_of(path):
    async def play():
        async with alone(Bar(), size=(100, 12)) as pilot:
            first = pilot.app.screen
            first.post_message(OpenRecording("/no/such/recording.jsonl"))
            await until(pilot, lambda: any("cannot be opened" in line for line in shown(pilot)))
            assert pilot.app.screen is first

    played(play())


def test_q_leaves_with_success(path):
    async def play():
        async with alone(Bar()) as pilot:
            await pilot.press("q")
            await until(pilot, lambda: pilot.app.return_value is not None)
            assert pilot.app.return_value == 0

    played(play())


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_signal_ends_it_in_order(name):
    number = getattr(signal, name)

    async def play():
        async with alone(Bar()) as pilot:
            os.kill(os.getpid(), number)
            await until(pilot, lambda: pilot.app.return_value is not None)
            assert pilot.app.return_value == 128 + number

    played(play())
