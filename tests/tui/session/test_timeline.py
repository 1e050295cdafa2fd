import os
from array import array
from pathlib import Path

import pytest
from orjson import dumps

from mcptap.text.columns import text_width
from mcptap.tui.index.kinds import Kind
from mcptap.tui.index.rows import make_row
from mcptap.tui.session.timeline import Timeline
from tests.helpers import (
    END,
    Tape,
    call,
    handshake,
    record,
    text_result,
)
from tests.tui.screens import (
    InProcessFeed,
    at_rest,
    fed,
    indexed,
    opened,
    played,
    settled,
    shown,
    until,
    words,
)
from tests.tui.weather import ANSWER, CALL, NOISE


def test_the_number_that_a_finding_names_stands_beside_its_record_on_a_small_terminal(path):
    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, _):
            await at_rest(pilot)
            row = next(line for line in shown(pilot) if "Loading model" in line and "+0" in line)
            assert row.split()[:2] == ["●", str(NOISE + 1)]

    played(play())


def test_a_long_name_of_a_server_keeps_its_distance_from_the_command(tmp_path):
    path = os.fspath(
        record(tmp_path / "x.jsonl", [*handshake(), *END], name="a-rather-long-name-of-a-server")
    )

    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, _):
            assert any(
                "launch a-rather-long" in line and " python weather.py" in line for line in shown(pilot)
            )

    played(play())


def test_a_pending_call_shows_its_age_while_the_session_is_live(tmp_path):
    async def play(feed):
        async with opened(feed) as (pilot, screen):
            screen.growth.run_clocks()
            await settled(pilot)
            await at_rest(pilot)
            row = next(line for line in shown(pilot) if "◌ pending" in line)
            assert "d" in row or "h" in row  # the recording is from some fixed day

    with Tape(tmp_path / "live.jsonl", wall=1) as tape:
        tape.play([*handshake(), ("c2s", call(1, "slow"))])
        feed = InProcessFeed(tape.path)
        feed.preview()
        feed.catch_up(live=True)
        played(play(feed))


def test_damage_in_the_middle_is_shown_where_it_is(path):
    path = Path(path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = b"\x00\x1b[2Jgarbage\n"
    path.write_bytes(b"".join(lines))

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, _):
            await at_rest(pilot)
            row = next(line for line in shown(pilot) if "damaged record" in line)
            assert "␀␛[2Jgarbage" in row
            await until(pilot, lambda: any("ƒ forecast" in line for line in shown(pilot)))

    played(play())


def test_ten_thousand_pending_requests_are_drawn(tmp_path):
    lines = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % n for n in range(10_000))
    path = record(tmp_path / "x.jsonl", [*handshake(), ("c2s", lines)])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, screen):
            await pilot.press("G")
            await settled(pilot)
            assert sum("◌ no answer" in line for line in shown(pilot)) > 10
            await until(pilot, lambda: any("10,000 without answer" in line for line in shown(pilot)))
            assert screen.timeline.index.kinds[10_004] == Kind.REQUEST

    played(play())


@pytest.fixture
def timeline(path):
    return Timeline(indexed(path))


@pytest.mark.parametrize("width", [60, 72, 96, 150, 200])
def test_a_row_is_as_wide_as_the_list(timeline, width):
    for y in range(timeline.count()):
        assert text_width(words(timeline.draw(y, width))) == width


def test_a_filter_and_a_moment_decide_which_rows_there_are(timeline):
    timeline.picked = array("I", [2, 7, 9, 12])
    assert [timeline.record_at(y) for y in range(timeline.count())] == [2, 7, 9, 12]
    assert (timeline.row_of(7), timeline.row_of(8), timeline.row_of(17)) == (1, 2, 3)
    timeline.now = 9
    assert timeline.count() == 3
    timeline.picked = None
    assert timeline.count() == 10


def test_without_rows_there_is_no_record(timeline):
    timeline.picked = array("I")
    assert timeline.record is None
    assert timeline.row_of(5) is None


def test_marks_and_findings_stand_at_the_left(timeline):
    timeline.flags, timeline.marked = {NOISE: 2, CALL: 0}, {CALL}
    assert words(timeline.draw(NOISE, 80)).startswith("●")
    assert words(timeline.draw(CALL, 80)).startswith("◆")
    assert words(timeline.draw(ANSWER, 80)).startswith(" ")


def test_what_is_searched_for_is_marked_whatever_its_case(timeline):
    timeline.mark("Zürich")
    hits = [text for text, style in timeline._cells(CALL, 160) if style == timeline.paint.hit]
    assert hits == ["Zürich"]
    timeline.mark("FORE")
    hits = [text for text, style in timeline._cells(CALL, 160) if style == timeline.paint.hit]
    assert hits == ["fore"]


def test_a_row_may_change_until_its_record_is_described_and_answered(timeline):
    assert timeline.is_fixed(CALL)
    timeline.now = CALL
    assert not timeline.is_fixed(CALL)


def test_a_record_that_cannot_be_read_is_a_row_that_says_so(path):
    feed = fed(path)
    feed.close()
    line = words(Timeline(feed.index).draw(3, 80))
    assert "record 4 can't be read" in line
    assert text_width(line) == 80


GLUED = dumps(text_result(1, "sunny")) + dumps(text_result(2, "rain")) + b"\n"


def test_a_line_that_is_no_response_says_whose_answer_it_is_and_leads_there_and_back(tmp_path):
    torn = b'{"jsonrpc":"2.0","id":3,"result":{"content":[oops]}}\n'
    steps = [
        *handshake(),
        ("c2s", call(1, "forecast")),
        ("c2s", call(2, "radar")),
        ("s2c", GLUED),
        ("c2s", call(3, "tides")),
        ("s2c", torn),
        ("s2c", b"Loading model\n"),
        *END,
    ]
    path = os.fspath(record(tmp_path / "x.jsonl", steps))

    async def play():
        async with opened(fed(path), (120, 40)) as (pilot, screen):
            await at_rest(pilot)
            list_of_rows = [words(screen.timeline.draw(y, 80)) for y in range(screen.timeline.count())]
            text = "\n".join(list_of_rows)
            assert "unreadable answers to forecast and 1 more" in text
            assert "unreadable answer to tides" in text
            assert "pollution · not JSON" in text
            index = screen.timeline.index
            first, second, third = (i for i, kind in enumerate(index.kinds) if index.tools[i] and kind == 1)
            glued, broken, noise = (i for i, kind in enumerate(index.kinds) if kind == Kind.POLLUTION)
            for there, back in ((first, glued), (second, glued), (third, broken)):
                screen.timeline.go(there)
                await pilot.press("x")
                assert screen.timeline.record == back
                await pilot.press("x")
                assert screen.timeline.record == there
            screen.timeline.go(glued)
            await pilot.press("enter")
            await settled(pilot)
            page = "\n".join(shown(pilot))
            asked = f"answers records {first + 1} and {second + 1} in a form that clients can't read"
            assert asked in page
            assert make_row(index, noise).answers == ""

    played(play())
