from tests.tui.screens import fed, opened, played, typed


def test_tab_completes_a_field_and_a_value_of_this_recording(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("f")
            await typed(pilot, "to")
            await pilot.press("tab")
            assert screen.prompt.input.value == "tool:"
            await pilot.press("tab")
            assert screen.prompt.input.value == "tool:forecast"

    played(play())


def test_the_history_gives_earlier_filters_back(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("f")
            await typed(pilot, "id:3")
            await pilot.press("enter", "escape", "f", "up")
            assert screen.prompt.input.value == "id:3"

    played(play())
