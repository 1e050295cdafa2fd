from tests.helpers import (
    Tape,
    handshake,
    request,
    result,
)
from tests.tui.screens import InProcessFeed, fed, opened, played, settled, shown, until
from tests.tui.weather import ANSWER, CALL


def test_x_goes_from_the_request_to_the_answer_and_back(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            screen.cursor.go_to(CALL)
            await pilot.press("x")
            assert screen.timeline.record == ANSWER
            await pilot.press("x")
            assert screen.timeline.record == CALL

    played(play())


def test_a_live_session_is_followed_from_its_end_only(tmp_path):
    async def play(tape, feed):
        async with opened(feed, (100, 12)) as (pilot, screen):
            await pilot.press("G")
            tape.play([("c2s", request(n, "ping")) for n in range(20)])
            feed.catch_up(live=True)
            await settled(pilot)
            assert screen.timeline.at_end()
            await pilot.press("k")
            tape.play([("s2c", result(n)) for n in range(7)])
            feed.catch_up(live=True)
            await settled(pilot)
            assert not screen.timeline.at_end()
            await until(pilot, lambda: any("+7 new" in line for line in shown(pilot)))
            await until(pilot, lambda: any("● live" in line for line in shown(pilot)))
            await until(pilot, lambda: any("13 pending" in line for line in shown(pilot)))
            await pilot.press("G")
            await settled(pilot)
            assert not any("new" in line for line in shown(pilot))

    with Tape(tmp_path / "live.jsonl") as tape:
        tape.play(handshake())
        feed = InProcessFeed(tape.path)
        feed.preview()
        feed.catch_up(live=True)
        played(play(tape, feed))
