import os

from tests.helpers import (
    END,
    call,
    handshake,
    record,
    request,
    result,
    text_result,
)
from tests.tui.screens import fed, opened, played, shown, typed, until
from tests.tui.weather import FAILURE, NOISE, SILENT, TOOLS


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
            await pilot.press("F", "slash")
            await typed(pilot, "STILL open")
            await pilot.press("enter")
            await until(pilot, lambda: any("'STILL open' 1 of 1" in line for line in shown(pilot)))
            assert screen.findings_pane.list.has_focus
            assert screen.findings_pane.list.chosen.rule != screen.findings_pane.list.findings[0].rule
            await pilot.press("g", "escape")
            assert screen.findings_pane.list.has_focus
            await pilot.press("enter")  # on the first: the errors come first
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


def test_a_session_without_findings_says_so(tmp_path):
    steps = [("c2s", request(1, "tools/list")), ("s2c", result(1, TOOLS))]
    steps += [("c2s", call(2, "forecast")), ("s2c", text_result(2, "sunny"))]
    path = os.fspath(record(tmp_path / "x.jsonl", [*handshake(), *steps, *END]))

    async def play():
        async with opened(fed(path)) as (pilot, screen):
            assert not screen.findings_pane.list.findings
            await pilot.press("F")
            await until(pilot, lambda: any("There are no findings." in line for line in shown(pilot)))
            await pilot.press("p")
            await until(pilot, lambda: any("No further problem below." in line for line in shown(pilot)))

    played(play())


def test_ticks_beside_the_timeline_show_where_findings_are(tmp_path):
    many = [("c2s", request(n, "ping")) for n in range(1, 50)]
    path = os.fspath(record(tmp_path / "x.jsonl", [*handshake(), *many, ("s2c", b"noise\n"), *many, *END]))

    async def play():
        async with opened(fed(path), (80, 24)) as (pilot, _):
            await until(pilot, lambda: any(line.endswith("•") for line in shown(pilot)))

    played(play())
