import os
from pathlib import Path

from mcptap.tui.index.kinds import Kind
from tests.helpers import (
    END,
    Tape,
    call,
    handshake,
    record,
)
from tests.tui.screens import InProcessFeed, at_rest, fed, opened, played, settled, shown, until
from tests.tui.weather import NOISE


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
            screen.run_clocks()
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
            await until(pilot, lambda: any("tools/call forecast" in line for line in shown(pilot)))

    played(play())


def test_ten_thousand_pending_requests_are_drawn(tmp_path):
    lines = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % n for n in range(10_000))
    path = record(tmp_path / "x.jsonl", [*handshake(), ("c2s", lines)])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, screen):
            await pilot.press("G")
            await settled(pilot)
            assert sum("∅ unanswered" in line for line in shown(pilot)) > 10
            await until(pilot, lambda: any("10,000 unanswered" in line for line in shown(pilot)))
            assert screen.timeline.index.kinds[10_004] == Kind.REQUEST

    played(play())
