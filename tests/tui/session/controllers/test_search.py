from tests.tui.screens import fed, opened, played, shown, typed, until
from tests.tui.weather import CALL, FAILED, LIST, SILENT


def test_a_search_goes_from_hit_to_hit_and_round_the_end(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("slash")
            await typed(pilot, "FORECAST")
            await pilot.press("enter")
            await until(pilot, lambda: screen.timeline.record == LIST + 1)
            for wanted in (CALL, FAILED, SILENT, LIST + 1):
                await pilot.press("n")
                await until(pilot, lambda wanted=wanted: screen.timeline.record == wanted)
            await pilot.press("N")
            await until(pilot, lambda: screen.timeline.record == SILENT)
            await pilot.press("slash")
            await typed(pilot, "nowhere")
            await pilot.press("enter")
            await until(pilot, lambda: any("is nowhere in the recording" in line for line in shown(pilot)))

    played(play())
