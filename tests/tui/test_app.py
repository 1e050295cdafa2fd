from tests.tui.screens import fed, opened, played, shown, until


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
