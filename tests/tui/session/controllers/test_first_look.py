"""What is on the screen before the first key."""

import os
from pathlib import Path

import pytest

from mcptap.diagnosis.engine.finding import Level
from tests.helpers import END, Tape, call, handshake, record, text_result
from tests.tui.screens import InProcessFeed, fed, opened, played, settled, shown, until
from tests.tui.weather import CALL, NOISE

SAMPLES = Path(__file__).parents[4] / "recordings"


def test_the_cursor_stands_on_the_causing_record_and_its_finding_is_open(path):
    async def play():
        async with opened(fed(path), (80, 24), look=True) as (pilot, screen):
            await until(pilot, lambda: screen.timeline.record == NOISE)
            await settled(pilot)
            assert screen.timeline.has_focus
            text = "\n".join(shown(pilot))
            assert "stdout-not-json" in text
            assert "→ Send everything that is no message to stderr." in text
            assert "Loading model" in text

    played(play())


def test_of_a_healthy_session_the_list_alone_is_shown(tmp_path):
    steps = [*handshake(), ("c2s", call(1, "forecast")), ("s2c", text_result(1, "sunny")), *END]
    path = record(tmp_path / "x.jsonl", steps)

    async def play():
        async with opened(fed(os.fspath(path)), (80, 24), look=True) as (_, screen):
            assert screen.timeline.record == 0
            assert not screen.pane.display

    played(play())


def test_what_waits_in_a_live_session_is_looked_at_until_the_user_goes_elsewhere(tmp_path):
    async def play(tape, feed):
        async with opened(feed, look=True) as (pilot, screen):
            waiting = screen.timeline.record
            assert screen.timeline.index.name(screen.timeline.index.tools[waiting]) == "first"
            assert "◌" in shown(pilot)[0]
            await pilot.press("k")
            tape.play([("s2c", text_result(1, "done")), ("c2s", call(2, "second"))])
            feed.indexer._judged_at = 0.0
            feed.catch_up(live=True)
            await until(pilot, lambda: screen.growth.shown_version == feed.version)
            await settled(pilot)
            assert "`second`" in shown(pilot)[0]
            assert screen.timeline.record == waiting - 1

    with Tape(tmp_path / "live.jsonl", wall=1) as tape:
        tape.play([*handshake(), ("c2s", call(1, "first"))])
        feed = InProcessFeed(tape.path)
        feed.preview()
        feed.catch_up(live=True)
        played(play(tape, feed))


def test_who_went_elsewhere_before_the_judgement_came_stays_there(path):
    async def play():
        feed = InProcessFeed(path)
        feed.preview()
        async with opened(feed, look=True) as (pilot, screen):
            await pilot.press("j", "j")
            feed.start()
            await until(pilot, lambda: screen.growth.shown_version == feed.version)
            await settled(pilot)
            assert screen.timeline.record == 2
            assert screen.timeline.record != CALL

    played(play())


@pytest.mark.parametrize("name", ["crash", "polluted", "wrong-cwd", "long-cause"])
def test_verdict_cause_and_remedy_of_a_sample_stand_on_the_first_screen_of_a_small_terminal(name, tmp_path):
    path = SAMPLES / f"{name}.jsonl"
    if name == "long-cause":
        words = b"Error: Cannot find module '/srv/%s/dist/tools' imported from /srv/dist/main.js\n" % (
            b"hub/" * 20
        )
        steps = [*handshake()[:2], ("stderr", words), ("stderr", b"Node.js v20.19.0\n"), *END[1:3]]
        path = record(tmp_path / "x.jsonl", [*steps, ("exit", {"code": 1, "us": 1_000_000})])

    async def play():
        feed = fed(os.fspath(path))
        async with opened(feed, (80, 24), look=True) as (pilot, screen):
            cause = next(f for f in feed.judgement.findings if f.level > Level.INFO)
            await until(pilot, lambda: screen.timeline.record == cause.line - 1 and screen.pane.display)
            await settled(pilot)
            # A long word, a path say, goes on in the next line.
            text = "".join("".join(line.strip("▌│█• ") for line in shown(pilot)).split())
            for words in (feed.judgement.verdict, cause.rule, cause.message, f"→ {cause.remedy}"):
                assert "".join(words.split()) in text

    played(play())
