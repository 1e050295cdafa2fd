import os

from tests.helpers import (
    END,
    handshake,
    record,
    request,
    result,
)
from tests.tui.screens import fed, opened, played, shown, until
from tests.tui.weather import FAILURE, NOISE, SILENT


def test_p_goes_from_problem_to_problem(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            seen = []
            for _ in range(3):
                await pilot.press("p")
                seen.append(screen.timeline.record)
            assert seen == [NOISE, FAILURE, SILENT]
            await pilot.press("P")
            assert screen.timeline.record == FAILURE

    played(play())


def test_a_finding_leads_to_its_record_and_the_record_shows_the_finding(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            await pilot.press("F")
            assert screen.findings_pane.list.has_focus
            await pilot.press("down", "enter")  # the first is the request that got no answer
            assert screen.timeline.record == NOISE
            await pilot.press("enter")
            await until(pilot, lambda: screen.pane.loaded is not None and screen.pane.loaded.index == NOISE)
            await until(pilot, lambda: any("stdout-not-json" in line for line in shown(pilot)[20:]))

    played(play())


def test_remarks_that_are_hidden_at_first_are_shown_when_asked_for(tmp_path):
    undescribed = {"tools": [{"name": "x", "inputSchema": {"type": "object"}}]}
    steps = [*handshake(), ("c2s", request(1, "tools/list")), ("s2c", result(1, undescribed)), *END]
    path = os.fspath(record(tmp_path / "clean.jsonl", steps))

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            pane = screen.query_one("#findings-pane")
            assert screen.findings_pane.list.findings
            assert not pane.display
            await pilot.press("F")
            await pilot.pause()
            assert pane.display
            await until(pilot, lambda: any("no description" in line for line in shown(pilot)))
            await pilot.press("F")
            await pilot.pause()
            assert not pane.display
            assert screen.timeline.has_focus

    played(play())
