import os

from mcptap.tui.session.screen import SessionScreen
from mcptap.tui.widgets.choice import Choice
from tests.tui.run.servers import ended, form_of, said_yes, taped
from tests.tui.screens import at_rest, played, shown, until


def test_the_form_names_command_and_folder_and_nothing_starts_without_a_yes(place):
    async def play():
        async with form_of(taped(place)) as (pilot, form):
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "weather_server.py" in lines
            assert os.fspath(place) in lines
            assert '"city": "Oslo"' in lines
            await pilot.press("ctrl+s")
            await until(pilot, lambda: isinstance(pilot.app.screen, Choice))
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "yes: start it in" in lines
            await pilot.press("enter")
            await until(pilot, lambda: pilot.app.screen is form)
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
        assert not (place / "state").exists()

    played(play())


def test_a_recorded_folder_that_is_not_here_is_asked_for(place):
    async def play():
        async with form_of(taped(place, cwd="/no/such/folder")) as (pilot, form):
            await until(pilot, lambda: "no such folder" in "\n".join(shown(pilot)))
            assert form.folder.has_focus
            await pilot.press("enter")
            await pilot.pause()
            assert pilot.app.screen is form
            form.folder.value = os.fspath(place)
            run = await said_yes(pilot)
            await ended(pilot, run)
            await until(pilot, lambda: "the same answer" in "\n".join(shown(pilot)))

    played(play())
