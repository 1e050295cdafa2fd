from mcptap.tui.index.kinds import State
from tests.tui.screens import at_rest, fed, opened, played, settled, shown, until
from tests.tui.weather import CALL


def test_playing_shows_the_session_as_it_was(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("]", "]", "]")
            assert screen.timeline.count() == 4
            await at_rest(pilot)
            lines = shown(pilot)
            assert any("capabilities" in line or "server: tools" in line for line in lines)
            screen.play.playback.to_record(CALL)
            screen.play.show_moment()
            await settled(pilot)
            assert screen.timeline.index.state(CALL, screen.timeline.now) == State.PENDING
            await until(pilot, lambda: any("◌ pending" in line for line in shown(pilot)))
            await until(pilot, lambda: any("1 pending" in line for line in shown(pilot)))
            await pilot.press("[")
            assert screen.timeline.count() == CALL
            await pilot.press("s")
            assert screen.timeline.count() == 18
            assert not screen.scrubber.display

    played(play())


def test_a_film_goes_on_by_itself_and_stops_at_the_end(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("space")
            for _ in range(9):
                await pilot.press("plus")
            assert screen.play.playback.speed == 100
            await until(pilot, lambda: screen.play.playback.at_end)
            assert screen.timeline.count() == 18
            assert not screen.play.playback.playing

    played(play())
