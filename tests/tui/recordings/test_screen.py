"""The list of recordings, by its keys."""

import os
from contextlib import asynccontextmanager

import pytest

from mcptap.tui.app import TapApp
from mcptap.tui.recordings.screen import SessionsScreen
from mcptap.tui.session.screen import SessionScreen
from tests.helpers import END, START_WALL_US, Tape, handshake, record, request, result
from tests.tui.screens import at_rest, played, shown, typed, until


@pytest.fixture
def folder(tmp_path):
    """Three finished recordings, one of them with a fault, one of them cut off."""
    for name, steps, later in (
        ("alpha", [*handshake(), *END], 0),
        ("beta", [*handshake(client="other"), ("s2c", b"noise\n"), *END], 60_000_000),
        ("gamma", handshake(), 120_000_000),
    ):
        record(tmp_path / f"{name}.jsonl", steps, name=name, wall=START_WALL_US + later)
    (tmp_path / "nonsense.jsonl").write_text("nothing\n")
    return tmp_path


@asynccontextmanager
async def listed(folder, size=(120, 30)):
    screen = SessionsScreen([os.fspath(folder)])
    app = TapApp(screen)
    async with app.run_test(size=size, notifications=True) as pilot:
        await until(pilot, lambda: screen.collection.is_loaded)
        await at_rest(pilot)
        yield pilot, screen


def names(screen):
    return [entry.summary.name for entry in screen.list.entries]


def test_recordings_are_listed_newest_first_with_state_client_and_problems(folder):
    async def play():
        async with listed(folder) as (pilot, screen):
            assert names(screen) == ["gamma", "beta", "alpha"]
            await until(pilot, lambda: all(e.summary.problems is not None for e in screen.list.entries))
            await pilot.pause()
            await at_rest(pilot)
            lines = shown(pilot)
            beta = next(line for line in lines if "beta" in line)
            assert "✗" in beta
            assert "other 1.2.3" in beta
            assert "finished" in beta
            assert "cut off" in next(line for line in lines if "gamma" in line)
            assert "✓" in next(line for line in lines if "alpha" in line)
            assert any("1 other file that can't be read" in line for line in lines)

    played(play())


def test_the_filter_works_as_it_is_typed(folder):
    async def play():
        async with listed(folder) as (pilot, screen):
            await pilot.press("slash")
            await typed(pilot, "alp")
            assert names(screen) == ["alpha"]
            await typed(pilot, "xyz")
            await until(pilot, lambda: any("No recording matches" in line for line in shown(pilot)))
            await pilot.press("escape")
            assert len(names(screen)) == 3

    played(play())


def test_enter_opens_a_recording_and_escape_comes_back(folder):
    async def play():
        async with listed(folder) as (pilot, screen):
            await pilot.press("j", "enter")
            await until(pilot, lambda: isinstance(pilot.app.screen, SessionScreen))
            await until(pilot, lambda: any("noise" in line for line in shown(pilot)))
            await pilot.press("escape", "escape")  # the first one closes what the first look opened
            await until(pilot, lambda: pilot.app.screen is screen)
            assert screen.list.cursor == 1

    played(play())


def test_the_heading_names_a_client_only_where_there_is_room_for_one(folder):
    async def play():
        async with listed(folder) as (pilot, _):
            for columns in (70, 80, 90, 100, 120):
                await pilot.resize_terminal(columns, 24)
                await pilot.pause()
                await pilot.pause()
                await at_rest(pilot)
                heading, first = (line for line in shown(pilot)[1:3])
                assert "problems" in heading
                if "client" in heading:
                    assert first[heading.index("client") :].strip("│ ")
                else:
                    assert columns < 100

    played(play())


def test_a_session_that_mcptap_played_is_not_shown_as_the_agents(tmp_path):
    by = {"pid": 1, "name": "mcptap send", "argv": ["mcptap", "send", "x.jsonl"]}
    record(tmp_path / "x.jsonl", [*handshake(), *END], parent=by)

    async def play():
        async with listed(tmp_path) as (pilot, _):
            await until(pilot, lambda: any("mcptap send as agent" in line for line in shown(pilot)))

    played(play())


def test_a_recording_is_deleted_only_after_a_question(folder):
    async def play():
        async with listed(folder) as (pilot, screen):
            await pilot.press("d")
            await pilot.pause()
            await pilot.press("enter")
            await pilot.pause()
            assert (folder / "gamma.jsonl").exists()
            await pilot.press("d")
            await pilot.pause()
            await pilot.press("2")
            await until(pilot, lambda: not (folder / "gamma.jsonl").exists())
            await until(pilot, lambda: names(screen) == ["beta", "alpha"])

    played(play())


def test_a_live_recording_is_marked_updated_and_not_deleted(folder):
    async def play(tape):
        async with listed(folder) as (pilot, screen):
            await at_rest(pilot)
            row = next(line for line in shown(pilot) if "live one" in line)
            assert "●" in row
            before = next(e.summary for e in screen.list.entries if e.summary.name == "live one")
            tape.play([("c2s", request(1, "ping")), ("s2c", result(1))])
            screen.action_reload()
            await until(
                pilot,
                lambda: any(
                    e.summary.name == "live one" and e.summary.messages == before.messages + 2
                    for e in screen.list.entries
                ),
            )
            assert screen.list.chosen.name == "live one"
            await pilot.press("d")
            await pilot.pause()
            await until(pilot, lambda: any("This recording is live" in line for line in shown(pilot)))

    with Tape(folder / "live.jsonl", name="live one", wall=START_WALL_US + 10**9) as tape:
        tape.play(handshake())
        played(play(tape))


def test_a_probe_stands_below_the_session_it_was_made_for(tmp_path):
    discover = request(0, "server/discover", {"_meta": {}})
    record(tmp_path / "p.jsonl", [("spawn", {"pid": 1}), ("c2s", discover), *END])
    record(tmp_path / "s.jsonl", [*handshake(), *END], wall=START_WALL_US + 1_000_000)

    async def play():
        async with listed(tmp_path) as (pilot, screen):
            assert [entry.is_probe for entry in screen.list.entries] == [False, True]
            await until(pilot, lambda: any("└ probe of the same start" in line for line in shown(pilot)))

    played(play())


def test_an_empty_list_says_how_to_make_a_recording(tmp_path):
    async def play():
        async with listed(tmp_path, (80, 24)) as (pilot, _):
            await at_rest(pilot)
            lines = "\n".join(shown(pilot))
            assert "There is no recording yet" in lines
            assert "mcptap demo" in lines
            assert "mcptap wrap" in lines

    played(play())
