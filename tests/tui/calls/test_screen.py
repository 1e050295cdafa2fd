"""The screen of calls, as keys drive it."""

from mcptap.tui.calls.screen import CallsScreen
from tests.helpers import Tape, text_result
from tests.tui.calls.conftest import FAILED, SILENT, STEPS
from tests.tui.screens import InProcessFeed, at_rest, fed, opened, played, shown, typed, until


async def calls_of(pilot):
    await until(
        pilot, lambda: isinstance(pilot.app.screen, CallsScreen) and not pilot.app.screen.running.is_busy
    )
    await at_rest(pilot)
    return pilot.app.screen


def tools(screen):
    index = screen.feed.index
    return [index.name(index.tools[screen.calls.record_at(y)]) for y in range(screen.calls.count())]


def test_calls_are_sorted_opened_and_left_for_the_timeline(path):
    async def play():
        async with opened(fed(path)) as (pilot, session):
            await pilot.press("c")
            screen = await calls_of(pilot)
            assert screen.calls.count() == 8
            assert "→ history" in "\n".join(shown(pilot))
            await pilot.press("s")
            await until(pilot, lambda: tools(screen)[:2] == ["forecast", "forecast"])
            await pilot.press("S", "G")
            await until(pilot, lambda: screen.calls.record == SILENT)
            await pilot.press("P")
            assert screen.calls.record == FAILED
            await pilot.press("enter")
            await until(pilot, lambda: any("answer after 2.00 s" in line for line in shown(pilot)))
            assert any('"name": "forecast"' in line for line in shown(pilot))
            await pilot.press("y")
            await until(pilot, lambda: any("the request and its answer" in line for line in shown(pilot)))
            await pilot.press("escape", "e")
            await until(pilot, lambda: any("the calls of this list (" in line for line in shown(pilot)))
            await pilot.press("escape", "R")
            await until(
                pilot, lambda: any("nothing is started before you say yes" in line for line in shown(pilot))
            )
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is screen)
            await pilot.press("x")
            await until(pilot, lambda: pilot.app.screen is session)
            assert session.timeline.record == FAILED

    played(play())


def test_a_filter_is_typed_and_taken_away_and_escape_leads_back(path):
    async def play():
        async with opened(fed(path)) as (pilot, session):
            await pilot.press("c")
            screen = await calls_of(pilot)
            await pilot.press("f")
            await typed(pilot, "Ulm")
            await pilot.press("enter")
            await until(pilot, lambda: screen.calls.count() == 1)
            assert any("1 call" in line for line in shown(pilot)[:3])
            await pilot.press("escape")
            await until(pilot, lambda: screen.calls.count() == 8)
            await pilot.press("escape")
            await until(pilot, lambda: pilot.app.screen is session)
            session.calls.open("tool:nothing")
            await calls_of(pilot)
            assert any("No call passes the filter" in line for line in shown(pilot))

    played(play())


def test_a_call_that_waits_is_followed_until_it_is_answered(tmp_path):
    async def play():
        with Tape(tmp_path / "live.jsonl") as tape:
            tape.play(STEPS)
            feed = InProcessFeed(tape.path)
            feed.start = lambda: None
            feed.catch_up(live=True)
            async with opened(feed) as (pilot, session):
                session.timeline.live_us = feed.index.times[-1] + 1_000_000
                await pilot.press("c")
                await until(pilot, lambda: any("◌ pending" in line for line in shown(pilot)))
                tape.play([("s2c", text_result(6, "at last"))])
                feed.catch_up(live=True)
                await until(pilot, lambda: not any("◌ pending" in line for line in shown(pilot)))

    played(play())
