"""The line on which a played session stands."""

import os

import pytest

from mcptap.text.columns import text_width
from mcptap.tui.session.playback import Playback
from mcptap.tui.session.scrubber import Scrubber
from tests.helpers import END, call, handshake, record, text_result
from tests.tui.screens import alone, at_rest, indexed, played, shown


@pytest.fixture
def index(tmp_path):
    """Ten seconds: handshake, a call (5) in the middle, its answer (6), and the end."""
    half = ("wait", 5_000_000)
    steps = [*handshake(), half, ("c2s", call(1, "a")), ("s2c", text_result(1, "x")), half, *END]
    return indexed(os.fspath(record(tmp_path / "x.jsonl", steps)))


def drawn(index, playback, ticks=(), known="", columns=120):
    lines = []

    async def play():
        scrubber = Scrubber()
        async with alone(scrubber, size=(columns, 3)) as pilot:
            scrubber.draw_playback(playback, index, ticks, known)
            await at_rest(pilot)
            lines.extend(shown(pilot))

    played(play())
    return lines[0]


def test_it_tells_moment_speed_pauses_and_what_is_pending(index):
    playback = Playback(index.times, 5)
    playback.speed = 2.0
    line = drawn(index, playback, known="server: tools")
    assert line.startswith(" ‖ ×2   skip>2.00s ")
    assert "+5.005" in line
    assert "+10.010  1 pending · server: tools" in line


def test_the_mark_stands_where_the_moment_is_and_ticks_where_findings_are(index):
    line = drawn(index, Playback(index.times, 0), [5])
    track = line[line.index("●") :]
    assert track.count("┃") == 1
    rail = track[: track.rindex("─") + 1]
    assert 0.4 < rail.index("┃") / len(rail) < 0.6


def test_at_the_end_of_a_session_requests_are_unanswered(index):
    assert "0 unanswered" in drawn(index, Playback(index.times, len(index) - 1))


@pytest.mark.parametrize("columns", [30, 60, 200])
def test_it_fits_the_terminal(index, columns):
    assert text_width(drawn(index, Playback(index.times, 3), [5], "x" * 200, columns)) <= columns


def test_a_click_seeks_that_moment(index):
    class Heard(Scrubber):
        def post_message(self, message):
            if isinstance(message, Scrubber.Sought):
                moments.append(message.t_us)
            return super().post_message(message)

    moments = []

    async def play():
        scrubber = Heard()
        async with alone(scrubber, size=(120, 3)) as pilot:
            scrubber.draw_playback(Playback(index.times, 0), index, [], "")
            await at_rest(pilot)
            start = shown(pilot)[0].index("●")
            await pilot.click(scrubber, offset=(start, 0))
            await pilot.click(scrubber, offset=(start + 20, 0))
            await pilot.click(scrubber, offset=(2, 0))

    played(play())
    assert moments[0] == 0
    assert 0 < moments[1] < index.times[-1]
    assert len(moments) == 2
