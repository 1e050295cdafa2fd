import pytest

from mcptap.tui.index.index import RecordIndex
from mcptap.tui.session.controllers.cursor import CursorController
from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.timeline import Timeline
from tests.helpers import (
    Tape,
    handshake,
    request,
    result,
)
from tests.tui.screens import InProcessFeed, fed, indexed, opened, played, settled, shown, until
from tests.tui.session.controllers.told import Told
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


@pytest.fixture
def stage(path):
    timeline = Timeline(indexed(path))
    play = PlayController(None, timeline, None, None, None)
    screen = Told()
    return CursorController(screen, timeline, None, play), timeline, screen.words


def test_it_follows_the_end_from_the_end_only(stage):
    cursor, timeline, _ = stage
    assert not cursor.follow()
    timeline.go(3)
    cursor.moved(at_end=True)
    assert cursor.follow()
    assert timeline.at_end()
    cursor.moved(at_end=False)
    assert not cursor.follow()


def test_rows_that_came_since_the_cursor_left_the_end_are_new(path):
    whole = indexed(path)
    index = RecordIndex(whole.fd)
    index.add_offsets(whole.offsets[1:6])
    timeline = Timeline(index)
    play = PlayController(None, timeline, None, None, None)
    cursor = CursorController(Told(), timeline, None, play)
    cursor.grown(complete=True)
    assert cursor.new == 0
    index.add_offsets(whole.offsets[6:9])
    cursor.grown(complete=True)
    assert cursor.new == 3
    cursor.moved(at_end=True)
    assert cursor.new == 0


def test_a_record_without_another_half_is_told_of(stage):
    cursor, timeline, told = stage
    timeline.go(1)
    cursor.go_to_other_half()
    assert timeline.record == 1
    assert told == ["This record has no other half."]


def test_an_answer_that_has_not_come_is_not_gone_to(stage):
    cursor, timeline, told = stage
    timeline.now = CALL
    timeline.go(CALL)
    cursor.go_to_other_half()
    assert timeline.record == CALL
    assert told == ["The answer has not come at this moment."]
