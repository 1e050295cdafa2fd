import os
import time

import pytest

from mcptap.tui.index.kinds import State
from mcptap.tui.session.controllers.play import PlayController
from mcptap.tui.session.detail_pane import DetailPane
from mcptap.tui.session.scrubber import Scrubber
from mcptap.tui.session.timeline import Timeline
from tests.helpers import END, handshake, record
from tests.tui.screens import at_rest, fed, opened, played, settled, shown, until
from tests.tui.weather import CALL, NOISE


def test_playing_shows_the_session_as_it_was(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("]", "]", "]")
            assert screen.timeline.count() == 4
            await at_rest(pilot)
            lines = shown(pilot)
            assert any("capabilities" in line or "server: tools" in line for line in lines)
            await pilot.press("enter")
            screen.play.playback.to_record(CALL)
            screen.play.show_moment()
            await settled(pilot)
            lines = shown(pilot)
            assert lines[0].startswith(" ✗ In the end: ")
            assert not screen.timeline.flags
            assert any(" Findings in the end " in line for line in lines)
            screen.timeline.go(screen.timeline.count())
            screen.pane.show_record(NOISE)
            await settled(pilot)
            assert any("In the end:" in line for line in shown(pilot)[1:])
            screen.pane.show_record(CALL)
            assert screen.timeline.index.state(CALL, screen.timeline.now) == State.PENDING
            await until(pilot, lambda: any("◌ pending" in line for line in shown(pilot)))
            await until(pilot, lambda: any("1 pending" in line for line in shown(pilot)))
            screen.play.to_record(NOISE)
            assert NOISE in screen.timeline.flags
            screen.play.to_record(CALL)
            await pilot.press("[")
            assert screen.timeline.count() == CALL
            await pilot.press("s")
            assert screen.timeline.count() == 18
            assert not screen.scrubber.display
            await settled(pilot)
            assert "in the end" not in "\n".join(shown(pilot)).lower()

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


@pytest.fixture
def stage(tmp_path):
    """A controller of a session in which record 6 (index 5) has no row, its timeline, and what it told."""
    ping = b'{"jsonrpc":"2.0","id":0,"result":{}}'
    steps = [*handshake(), ("s2c", ping), ("s2c", b"\n"), ("wait", 60_000_000), *END]
    feed = fed(os.fspath(record(tmp_path / "x.jsonl", steps)))
    timeline, told = Timeline(feed.index), []
    play = PlayController(feed, timeline, DetailPane(feed), Scrubber(), lambda: told.append(play.is_on))
    yield play, timeline, told
    feed.close()


def test_what_is_not_played_does_not_change(stage):
    play, timeline, told = stage
    play.change_speed(1)
    play.next_idle_limit()
    play.to_time(1)
    play.to_record(3)
    play.uncover(3)
    play.advance(1e9)
    assert not play.end()
    assert not play.is_on
    assert told == []
    assert timeline.now is None


def test_a_step_goes_to_a_record_that_has_a_row(stage):
    play, timeline, _ = stage
    play.to_record(0)
    timeline.go(4)
    play.step(1)
    assert play.playback.head == timeline.now == 6
    play.step(-1)
    assert timeline.now == 4


def test_time_goes_on_only_while_it_plays(stage):
    play, timeline, told = stage
    timeline.go(4)
    play.play_or_pause()
    begun = time.monotonic()
    play.advance(begun + 0.0015)
    assert timeline.now >= 4
    play.play_or_pause()
    now = timeline.now
    play.advance(begun + 1_000)
    assert timeline.now == now
    assert told


def test_a_record_that_has_not_come_is_uncovered_and_an_earlier_one_moves_nothing(stage):
    play, timeline, _ = stage
    play.step(1)
    play.uncover(4)
    assert timeline.now == 4
    play.uncover(2)
    assert timeline.now == 4


def test_at_the_end_of_playing_all_records_are_there(stage):
    play, timeline, told = stage
    play.step(1)
    assert timeline.count() == 2
    assert play.end()
    assert timeline.count() == len(timeline.index) - 1
    assert told == [True, False]


def test_on_a_small_terminal_the_moment_is_told_and_the_record_has_the_width_of_the_screen(path):
    async def play():
        async with opened(fed(path), (80, 24), look=True) as (pilot, screen):
            await settled(pilot)
            await pilot.press("escape", "]", "enter")
            await until(pilot, lambda: any("pending" in line and "‖" in line for line in shown(pilot)))
            await until(pilot, lambda: any("stdout" in line and " B" in line for line in shown(pilot)))
            assert not screen.pane.detail.has_focus

    played(play())
