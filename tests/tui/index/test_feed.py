"""What a feed learns from the real indexer in its own process, also of files as they should not be."""

import asyncio
import os

import pytest

from mcptap.tui.app import TapApp
from mcptap.tui.index.feed import Feed, Status
from mcptap.tui.index.indexer import Indexer
from mcptap.tui.session.screen import SessionScreen
from tests.helpers import END, START_WALL_US, call, handshake, record, request, text_result
from tests.tui.screens import settled, shown, until

STEPS = [*handshake(), ("c2s", call(1, "a")), ("s2c", text_result(1, "b")), *END]


@pytest.fixture
def path(tmp_path):
    return record(tmp_path / "x.jsonl", STEPS)


def with_real_feed(path, play):
    """Run a test on a screen whose indexer is a process of its own."""

    async def run():
        feed = Feed(os.fspath(path))
        feed.preview()
        feed.start()
        try:
            screen = SessionScreen(feed)
            app = TapApp(screen)
            async with app.run_test(size=(120, 50), notifications=True) as pilot:
                await until(pilot, lambda: feed.status.complete and feed.findings is not None)
                await settled(pilot)
                await play(pilot, screen)
        finally:
            feed.close()

    asyncio.run(run())


def test_the_real_indexer_finds_what_there_is_and_follows(path):
    async def play(pilot, screen):
        assert len(screen.timeline.index) == screen.timeline.index.described == 11
        await until(pilot, lambda: "Nothing is wrong" in shown(pilot)[0] or "✓" in shown(pilot)[0])
        with open(path, "ab") as file:
            file.write(path.read_bytes().splitlines(keepends=True)[6])
        await until(pilot, lambda: screen.timeline.index.described == 12)

    with_real_feed(path, play)


def test_a_file_that_is_cut_while_it_is_open_is_read_anew(path):
    async def play(pilot, screen):
        os.truncate(path, len(b"".join(path.read_bytes().splitlines(keepends=True)[:5])))
        await until(pilot, lambda: len(screen.timeline.index) == 5 and screen.feed.status.complete)
        await settled(pilot)
        await until(pilot, lambda: any("initialize" in line for line in shown(pilot)))

    with_real_feed(path, play)


def test_a_file_that_is_replaced_while_it_is_open_is_read_anew(path, tmp_path):
    other = record(tmp_path / "other.jsonl", [*handshake(), ("c2s", request(5, "ping"))])

    async def play(pilot, screen):
        os.replace(other, path)
        await until(pilot, lambda: len(screen.timeline.index) == 6 and screen.feed.status.complete)
        await settled(pilot)
        await until(pilot, lambda: any("ping" in line for line in shown(pilot)))

    with_real_feed(path, play)


def test_a_file_that_is_deleted_while_it_is_open_can_still_be_looked_at(path):
    async def play(pilot, screen):
        os.unlink(path)
        await until(pilot, lambda: screen.feed.status.trouble == "deleted")
        await until(pilot, lambda: any("The file was deleted" in line for line in shown(pilot)))
        await pilot.press("j", "j", "enter")
        await until(pilot, lambda: any("clientInfo" in line for line in shown(pilot)))

    with_real_feed(path, play)


def test_modules_in_the_users_directory_are_none_of_ours(path, tmp_path, monkeypatch):
    (tmp_path / "orjson.py").write_text("raise SystemExit('not ours')")
    (tmp_path / "mcptap").mkdir()
    (tmp_path / "mcptap" / "__init__.py").write_text("raise SystemExit('not ours')")
    monkeypatch.chdir(tmp_path)

    async def play(pilot, screen):
        assert screen.timeline.index.described == 11
        assert not screen.feed.status.trouble

    with_real_feed(path, play)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        Feed(os.fspath(tmp_path / "none.jsonl"))


@pytest.fixture
def feed(path):
    feed = Feed(os.fspath(path))
    yield feed
    feed.close()


def test_the_first_records_are_known_before_the_indexer_begins(feed):
    feed.preview()
    assert (len(feed.index), feed.index.described) == (11, 0)
    assert feed.start_wall_us == START_WALL_US
    assert b'"initialize"' in feed.index.read(2)


def test_what_the_preview_found_is_not_taken_twice(feed, path):
    feed.preview()
    reports = []
    indexer = Indexer(os.fspath(path), reports.append)
    indexer.step()
    indexer.close()
    for report in reports:
        before = feed.version
        feed.take(report)
        assert feed.version > before
    assert len(feed.index) == feed.index.described == 11
    assert feed.index.end == path.stat().st_size


def test_the_state_of_the_session_and_a_failure_are_taken(feed):
    feed.take(("status", {"complete": True, "live": False, "exited": True, "ended_us": 7}))
    assert feed.status == Status(complete=True, exited=True, ended_us=7)
    assert feed.index.ended_us == 7
    feed.take(("failed", "x.jsonl: No such file"))
    assert feed.status.trouble == "x.jsonl: No such file"
    assert feed.status.complete


def test_closing_twice_does_no_harm(path):
    feed = Feed(os.fspath(path))
    feed.close()
    feed.close()
