"""Which record stands in which row, by the keys that change it."""

import os
from array import array

from mcptap.tui.index.kinds import Kind
from mcptap.tui.session.timeline import Timeline
from tests.helpers import END, Tape, call, handshake, record, text_result
from tests.tui.screens import InProcessFeed, fed, indexed, opened, played, settled, shown, until, words

TRACE = [b"Traceback (most recent call last):\n", b'  File "x.py", line 3\n', b"KeyError: 'city'\n"]
NOISE = [("stderr", b"request %d handled\n" % n) for n in range(20)]


def test_a_run_of_stderr_is_one_row_that_a_key_unfolds(tmp_path):
    steps = [*NOISE, *[("stderr", line) for line in TRACE], *NOISE, ("c2s", call(1, "x")), *NOISE[:5]]
    path = record(tmp_path / "x.jsonl", [*handshake(), *steps, ("s2c", text_result(1, "fine")), *END])

    async def play():
        async with opened(fed(os.fspath(path)), (100, 30)) as (pilot, screen):
            timeline = screen.timeline
            whole = timeline.count()
            assert any("! stderr +42 lines" in line and "KeyError: 'city'" in line for line in shown(pilot))
            assert not any("u (un)fold" in line for line in shown(pilot))
            timeline.go(5)
            await until(pilot, lambda: any("u (un)fold" in line for line in shown(pilot)))
            await pilot.press("enter")
            await until(pilot, lambda: any("43 lines ──" in line for line in shown(pilot)))
            await pilot.press("u")
            assert timeline.count() == whole + 42
            assert timeline.record == 47
            await pilot.press("k", "k", "u")
            assert (timeline.count(), timeline.record, timeline.cursor) == (whole, 47, 5)
            await pilot.press("U")
            assert timeline.count() == whole + 46 == len(timeline.index)
            await pilot.press("U")
            assert timeline.count() == whole
            await pilot.press("g", "u")
            await until(pilot, lambda: any("This is no run of stderr." in line for line in shown(pilot)))
            # A hit in it unfolds the run, and stands there.
            screen.search.entered("handled")
            await until(pilot, lambda: timeline.record == 5)
            assert timeline.count() == whole + 42
            await pilot.press("N")
            await until(pilot, lambda: timeline.record == 53)
            # With a filter each line that passes has its row.
            screen.filter.set("KeyError")
            await until(pilot, lambda: timeline.picked is not None and list(timeline.picked) == [27])
            screen.filter.set("")
            screen.cursor.fold_all()
            screen.jump.entered("26")
            assert timeline.record == 25

    played(play())


def test_a_run_that_grows_keeps_its_row_and_the_cursor_on_it(tmp_path):
    async def play(tape, feed):
        async with opened(feed, (100, 16)) as (pilot, screen):
            timeline = screen.timeline
            await pilot.press("G")
            count = timeline.count()
            for n in range(3):
                tape.play([("stderr", b"more %d\n" % n)] * 5)
                feed.catch_up(live=True)
                await settled(pilot)
                await until(pilot, lambda n=n: any(f"+{19 + 5 * (n + 1)} lines" in s for s in shown(pilot)))
                assert (timeline.count(), timeline.cursor) == (count, count - 1)
            await pilot.press("g", "j")
            here = timeline.record
            tape.play([("stderr", b"more\n"), ("c2s", call(1, "x"))])
            feed.catch_up(live=True)
            await settled(pilot)
            assert (timeline.record, timeline.count()) == (here, count + 1)

    with Tape(tmp_path / "x.jsonl") as tape:
        tape.play([*handshake(), *NOISE])
        feed = InProcessFeed(tape.path)
        feed.preview()
        feed.catch_up(live=True)
        played(play(tape, feed))


def test_a_message_under_way_is_one_row_until_the_row_of_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr("mcptap.recording.writer.LINE_LIMIT", 100)
    begun = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"once upon'

    async def play(tape, feed):
        async with opened(feed, (120, 20)) as (pilot, screen):
            timeline = screen.timeline
            await pilot.press("G")
            count = timeline.count()
            for n in range(3):
                tape.play([("s2c", b"x" * 1000), ("stderr", b"hm\n")])
                feed.catch_up(live=True)
                await settled(pilot)
                assert timeline.count() == count + 1 + n
                said = f"answer to x · {1.1 + n:.1f} kB so far"
                await until(pilot, lambda said=said: any(said in line for line in shown(pilot)))
            screen.cursor.go_to(count + 2)
            assert timeline.index.kinds[timeline.record] == Kind.PART
            await pilot.press("enter")
            await until(pilot, lambda: any("so far, 4 parts" in line for line in shown(pilot)[10:]))
            tape.play([("s2c", b'"}]}}\n')])
            feed.catch_up(live=True)
            await settled(pilot)
            assert timeline.record == len(timeline.index) - 1
            assert not any("part of a message" in line for line in shown(pilot))
            await until(pilot, lambda: any("← ƒ x" in line and "once upon" in line for line in shown(pilot)))
            await pilot.press("x")
            assert timeline.record == 5

    with Tape(tmp_path / "x.jsonl") as tape:
        tape.play([*handshake(), ("c2s", call(1, "x")), ("s2c", begun)])
        feed = InProcessFeed(tape.path)
        feed.preview()
        feed.catch_up(live=True)
        played(play(tape, feed))


def test_what_was_under_way_at_the_moment_that_is_played_has_a_row(tmp_path, monkeypatch):
    monkeypatch.setattr("mcptap.recording.writer.LINE_LIMIT", 20)
    steps = [("c2s", call(1, "x")), ("s2c", b'{"id":1,"a":"'), ("s2c", b"x" * 30), ("c2s", call(2, "y"))]
    steps += [("s2c", b'"}\n'), *NOISE[:9], ("c2s", call(3, "z"))]
    timeline = Timeline(indexed(record(tmp_path / "x.jsonl", [*handshake(), *steps])))
    assert [timeline.record_at(y) for y in range(timeline.count())] == [0, 1, 2, 3, 4, 5, 8, 9, 18, 19]
    expected = {5: [5], 6: [5, 6], 7: [5, 7], 8: [5, 8, 7], 9: [5, 8, 9], 12: [5, 8, 9, 12]}
    for now, rows in expected.items():
        timeline.now = now
        assert [timeline.record_at(y) for y in range(timeline.count())][5:] == rows
        assert timeline.record_at(timeline.row_of(now)) == now
    timeline.now = 13
    assert "stderr +3 lines" in words(timeline.draw(timeline.count() - 1, 100))
    timeline.now = 7
    timeline.go(timeline.count() - 1)
    assert "43 B so far" in words(timeline.draw(timeline.cursor, 100))
    assert timeline.row_of(9) == timeline.row_of(6) == timeline.cursor
    timeline.picked = array("I", [5, 9])
    assert (timeline.count(), timeline.row_of(6), timeline.run) == (1, 0, None)


def test_a_run_that_goes_on_behind_the_moment_that_is_played_has_a_row_for_what_came(tmp_path, monkeypatch):
    monkeypatch.setattr("mcptap.recording.writer.LINE_LIMIT", 20)
    said = ("stderr", b"hm\n")
    parts = [("s2c", b'{"id":1,"a":"'), ("s2c", b"x" * 30), ("s2c", b'"}\n')]
    steps = [parts[0], said, said, parts[1], said, said, said, parts[2]]
    timeline = Timeline(indexed(record(tmp_path / "x.jsonl", [*handshake(), *steps])))
    assert [timeline.record_at(y) for y in range(timeline.count())][5:] == [11, 12]
    for now, rows in {6: [5, 6], 7: [5, 7], 8: [7, 8], 10: [8, 10], 11: [11, 8]}.items():
        timeline.now = now
        assert [timeline.record_at(y) for y in range(timeline.count())][5:] == rows
        assert timeline.record_at(timeline.row_of(now)) == now
    timeline.now = 8
    assert "stderr +1 line" in words(timeline.draw(5, 100))
    assert timeline.row_of(6) == 5
