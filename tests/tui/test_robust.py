"""Files as they should not be, with the real indexer in its own process."""

import asyncio
import os

import pytest

from mcptap.tui.app import TapApp
from mcptap.tui.index.feed import Feed
from mcptap.tui.index.kinds import Kind
from mcptap.tui.index.rows import make_row
from mcptap.tui.session.screen import SessionScreen
from tests.helpers import END, call, handshake, record, request, text_result
from tests.tui.screens import at_rest, fed, opened, played, settled, shown, until

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


def test_a_header_alone_is_a_session(tmp_path):
    path = record(tmp_path / "x.jsonl", [])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, screen):
            assert screen.timeline.count() == 1
            await pilot.press("enter", "j", "x", "p", "space", "]", "s", "f", "escape", "4", "5", "3")
            await settled(pilot)
            await until(pilot, lambda: any("python weather.py" in line for line in shown(pilot)))

    played(play())


def test_damage_in_the_middle_is_shown_where_it_is(path):
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = b"\x00\x1b[2Jgarbage\n"
    path.write_bytes(b"".join(lines))

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, _):
            await at_rest(pilot)
            row = next(line for line in shown(pilot) if "damaged record" in line)
            assert "␀␛[2Jgarbage" in row
            await until(pilot, lambda: any("tools/call a" in line for line in shown(pilot)))

    played(play())


def test_a_line_of_64_megabytes_is_shown_in_part_and_known_in_full(tmp_path):
    size = 64 << 20
    pieces = [b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"', b'"}]}}\n']
    filler = b"x" * (1 << 16)
    steps = [*handshake(), ("c2s", call(1, "big")), ("s2c", pieces[0])]
    steps += [("s2c", filler)] * (size // len(filler))
    path = record(tmp_path / "x.jsonl", [*steps, ("s2c", pieces[1]), *END])

    async def play():
        async with opened(fed(os.fspath(path))) as (pilot, screen):
            answer = screen.timeline.index.partner(5)
            assert answer is not None
            assert screen.timeline.index.sizes[answer] > size
            screen.cursor.go_to(answer)
            await pilot.press("enter")
            await until(pilot, lambda: screen.pane.loaded is not None)
            assert len(screen.pane.loaded.data) <= 2 << 20
            assert screen.pane.loaded.total > size
            assert any("more bytes" in line.pieces[0][0] for line in screen.pane.detail.lines if line.pieces)

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


def test_a_record_that_is_too_long_for_a_row_is_not_decoded_for_it(tmp_path):
    text = "y" * 200_000
    index = fed(os.fspath(record(tmp_path / "x.jsonl", [*handshake(), ("s2c", text_result(0, text))]))).index
    row = make_row(index, 5)
    assert row.kind == Kind.RESULT
    assert len(row.excerpt) <= 400


def test_modules_in_the_users_directory_are_none_of_ours(path, tmp_path, monkeypatch):
    (tmp_path / "orjson.py").write_text("raise SystemExit('not ours')")
    (tmp_path / "mcptap").mkdir()
    (tmp_path / "mcptap" / "__init__.py").write_text("raise SystemExit('not ours')")
    monkeypatch.chdir(tmp_path)

    async def play(pilot, screen):
        assert screen.timeline.index.described == 11
        assert not screen.feed.status.trouble

    with_real_feed(path, play)


def test_the_indexer_ends_with_the_screen_even_if_that_is_killed(path):
    feed = Feed(os.fspath(path))
    feed.start()
    process = feed._process
    assert process is not None
    assert process.stdin is not None
    process.stdin.close()  # what the kernel does when the screen's process is killed
    assert process.wait(20) == 0
    feed.close()
