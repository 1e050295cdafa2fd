from tests.tui.screens import at_rest, fed, opened, played, settled, shown, until
from tests.tui.weather import CALL


def test_the_other_tabs_tell_launch_capabilities_and_numbers(path):
    async def play():
        async with opened(fed(path), (170, 50)) as (pilot, _):
            await pilot.press("3")
            await settled(pilot)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "/home/someone/project" in lines
            assert "server exited with status 0" in lines
            await pilot.press("4")
            await settled(pilot)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "● tools" in lines
            assert "○ prompts" in lines
            assert "2025-11-25" in lines
            await pilot.press("5")
            await settled(pilot)
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "forecast" in lines
            assert "spawn" in lines
            assert "█" in lines

    played(play())


def test_folding_hides_and_unfolding_shows(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("enter", "enter")
            await until(pilot, lambda: any('"city": ' in line for line in shown(pilot)))
            await pilot.press("z")
            await settled(pilot)
            assert not any('"city": ' in line for line in shown(pilot))
            await pilot.press("z")
            await settled(pilot)
            await until(pilot, lambda: any('"city": ' in line for line in shown(pilot)))

    played(play())
