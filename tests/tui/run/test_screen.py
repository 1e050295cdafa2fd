import os
import signal
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.tui.app import TapApp
from mcptap.tui.run.resend import Resend
from mcptap.tui.run.screen import Page, RunScreen, hanging
from mcptap.tui.widgets.document import text_line
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


@given(st.text(alphabet="ab  -<>", max_size=200), st.integers(20, 80))
def test_a_hanging_line_fits_its_columns_and_loses_no_word(text, columns):
    pieces = hanging(text, columns)
    assert all(len(piece) <= columns for piece in pieces)
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("line", "is_stderr", "role"),
    [
        (b"--> initialize", False, "client"),
        (b"<-- result", False, "server"),
        (b"anything", False, "plain"),
        (b"mcptap: no such server", True, "bright"),
        (b"Traceback", True, "stderr"),
    ],
)
def test_lines_have_the_role_of_who_speaks(line, is_stderr, role):
    (row,) = RunScreen("x", []).output_rows(line + b"\r", is_stderr, 80)
    assert row.pieces == [(line.decode(), role)]


def test_the_page_follows_its_end_only_from_there():
    page = Page()
    page.show([text_line(str(n)) for n in range(10)])
    assert page.cursor == 9
    page.show([text_line(str(n)) for n in range(20)])
    assert page.cursor == 19
    page.go(5)
    page.show([text_line(str(n)) for n in range(30)])
    assert page.cursor == 5


def test_a_command_that_cannot_be_started_is_told_of(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/such/python")

    async def play():
        run = RunScreen("Run", ["rules"])
        async with TapApp(run).run_test(size=(80, 10)) as pilot:
            await until(pilot, lambda: not run.running)
            await until(pilot, lambda: any("mcptap: can't be started" in line for line in shown(pilot)))
            await until(pilot, lambda: any("exit status 2" in line for line in shown(pilot)))

    played(play())
