from tests.tui.screens import fed, opened, played, shown, until


def test_help_is_made_from_the_keys_and_goes_away(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("question_mark")
            await pilot.pause()
            await until(pilot, lambda: any("from a request to its answer" in line for line in shown(pilot)))
            await pilot.press("escape")
            await pilot.pause()
            assert pilot.app.screen is screen

    played(play())
