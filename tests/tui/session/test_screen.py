"""The screen of one recording, by its keys."""

import os

import pytest

from mcptap.tui.session.tabs import TAB_KEYS
from mcptap.tui.widgets.keys import KEYS, PLAY, RUNS, SESSION, SESSIONS
from tests.helpers import (
    record,
)
from tests.tui.screens import at_rest, fed, opened, played, settled, shown, until
from tests.tui.weather import CALL


def test_the_cause_stands_on_the_first_screen(path):
    async def play():
        async with opened(fed(path)) as (pilot, _):
            await at_rest(pilot)
            lines = shown(pilot)
            assert "✗ " in lines[0]
            assert "forecast" in " ".join(lines[:3]).lower()
            assert any("stdout-not-json" in line for line in lines)
            row = next(line for line in lines if "Loading model" in line and "▒ pollution" in line)
            assert "not JSON" in row
            assert any("∅ unanswered" in line for line in lines)
            assert "\x1b" not in "".join(lines)

    played(play())


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50), (40, 10)])
def test_no_line_is_wider_than_the_screen(path, size):
    from rich.cells import cell_len

    async def play():
        async with opened(fed(path), size) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("enter")
            await settled(pilot)
            for tab in "12345":
                await pilot.press(tab)
                await settled(pilot)
                strips = pilot.app.screen._compositor.render_strips()
                assert {cell_len(strip.text) for strip in strips} == {size[0]}

    played(play())


def test_a_header_alone_is_a_session(tmp_path):
    path = record(tmp_path / "x.jsonl", [])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, screen):
            assert screen.timeline.count() == 1
            await pilot.press("enter", "j", "x", "p", "space", "]", "s", "f", "escape", "4", "5", "3")
            await settled(pilot)
            await until(pilot, lambda: any("python weather.py" in line for line in shown(pilot)))

    played(play())


def test_every_key_of_the_session_has_an_action(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            keys = [key for key in KEYS if key.where in (SESSION, PLAY) or key.action.startswith("screen.")]
            for key in (*keys, *TAB_KEYS):
                if key.where not in (SESSIONS, RUNS):
                    target, _, name = key.action.partition("(")[0].rpartition(".")
                    assert callable(getattr(pilot.app if target == "app" else screen, f"action_{name}"))

    played(play())
