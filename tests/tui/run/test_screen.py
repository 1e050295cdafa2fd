import os
import signal
import sys

import pytest

from mcptap.tui.run.resend import Resend
from mcptap.tui.run.screen import hanging
from tests.tui.run.servers import ended, form_of, is_form_for, is_gone, said_yes, stubborn
from tests.tui.screens import played, shown, until


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_escape_stops_a_server_that_ignores_term(place):
    async def play():
        async with form_of(stubborn(place)) as (pilot, _):
            run = await said_yes(pilot)
            await until(pilot, (place / "pid").exists)
            assert run.running
            await pilot.press("escape")
            await ended(pilot, run)
            await until(pilot, lambda: "stopped after" in "\n".join(shown(pilot)))
            assert is_gone(int((place / "pid").read_text()))
            await pilot.press("escape")
            await until(pilot, lambda: is_form_for(pilot, Resend))

    played(play())


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_leaving_while_a_server_runs_leaves_no_process(place):
    async def play():
        async with form_of(stubborn(place)) as (pilot, _):
            await said_yes(pilot)
            await until(pilot, (place / "pid").exists)
            await pilot.press("q")
        assert is_gone(int((place / "pid").read_text()))

    played(play())


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_screen_that_is_terminated_stops_the_server_and_leaves_in_order(place):
    async def play():
        async with form_of(stubborn(place)) as (pilot, _):
            await said_yes(pilot)
            await until(pilot, (place / "pid").exists)
            os.kill(os.getpid(), signal.SIGTERM)
            await until(pilot, lambda: pilot.app.return_value == 128 + signal.SIGTERM)
        assert is_gone(int((place / "pid").read_text()))

    played(play())


def test_a_long_line_goes_on_below_its_last_column():
    assert hanging("  bad   a blank line      the server ended", 40) == [
        "  bad   a blank line      the server",
        "                          ended",
    ]
    assert hanging("short", 40) == ["short"]
