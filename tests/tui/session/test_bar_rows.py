import os

from tests.helpers import (
    handshake,
    notification,
    record,
)
from tests.tui.screens import at_rest, fed, opened, played, shown, until


def test_all_totals_stand_in_the_status_line_of_a_small_terminal(path):
    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, _):
            await at_rest(pilot)
            status = shown(pilot)[-2]
            for words in ("1 pollution", "1 error", "1 unanswered", "ended after"):
                assert words in status

    played(play())


def test_a_session_that_never_ended_says_so(tmp_path):
    path = record(tmp_path / "x.jsonl", [*handshake(), ("c2s", notification("notifications/x"))])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, _):
            await until(pilot, lambda: any("cut off" in line for line in shown(pilot)))
            assert not any("live" in line for line in shown(pilot)[-2:])

    played(play())
