import os

from mcptap.tui.widgets.line_list import LineList
from tests.helpers import (
    END,
    handshake,
    record,
    request,
)
from tests.tui.screens import alone, at_rest, fed, opened, played, shown, until


def test_keys_of_a_list_move_the_cursor(path):
    async def play():
        async with opened(fed(path)) as (pilot, screen):
            timeline = screen.timeline
            await pilot.press("j", "j", "down", "k")
            assert timeline.cursor == 2
            await pilot.press("G")
            assert timeline.cursor == timeline.count() - 1
            await pilot.press("g")
            assert timeline.cursor == 0
            await pilot.press("end", "home", "pagedown", "pageup")
            assert timeline.cursor == 0

    played(play())


def test_the_mouse_does_what_the_keys_do(tmp_path):
    steps = [*handshake(), *(("c2s", request(n, "ping")) for n in range(1, 100)), *END]
    path = os.fspath(record(tmp_path / "x.jsonl", steps))

    async def play():
        async with opened(fed(path), (120, 30)) as (pilot, screen):
            timeline = screen.timeline
            await pilot.click("#timeline", offset=(20, 4))
            assert timeline.cursor == 4
            timeline.scroll(3)
            assert (timeline.top, timeline.cursor) == (3, 4)
            await pilot.click("#timeline", offset=(20, 2), times=2)
            await until(pilot, lambda: screen.pane.display)
            assert timeline.record == 5
            await pilot.click(screen.timeline_bar, offset=(0, screen.timeline_bar.size.height - 1))
            assert timeline.top + timeline.size.height == timeline.count()

    played(play())


class Numbers(LineList):
    """Lines that are their numbers; which were drawn is kept."""

    def __init__(self, number):
        self.number = number
        self.drawn = []
        super().__init__()

    def count(self):
        return self.number

    def draw(self, y, width):
        self.drawn.append(y)
        return [(str(y).ljust(width), self.paint.plain)]


def test_the_view_follows_the_cursor_and_pages_overlap_by_a_line():
    async def play():
        numbers = Numbers(100)
        async with alone(numbers, size=(20, 10)) as pilot:
            await at_rest(pilot)
            assert shown(pilot) == ["▌0", *(f" {n}" for n in range(1, 10))]
            numbers.action_page(1)
            assert (numbers.top, numbers.cursor) == (9, 9)
            numbers.action_half_page(1)
            assert numbers.cursor == 13
            numbers.action_last()
            await at_rest(pilot)
            assert shown(pilot)[-1] == "▌99"
            numbers.action_move(5)
            assert numbers.cursor == 99
            numbers.go(50, centre=True)
            assert numbers.top == 45

    played(play())


def test_a_line_is_drawn_once_until_it_is_forgotten():
    async def play():
        numbers = Numbers(100)
        async with alone(numbers, size=(20, 10)) as pilot:
            await at_rest(pilot)
            numbers.drawn.clear()
            numbers.go(1)
            await at_rest(pilot)
            assert set(numbers.drawn) <= {0, 1}
            numbers.drawn.clear()
            numbers.forget([5])
            await at_rest(pilot)
            assert set(numbers.drawn) == {1, 5}  # the line under the cursor is never kept

    played(play())


def test_what_grows_out_of_sight_is_not_drawn():
    async def play():
        numbers = Numbers(100)
        async with alone(numbers, size=(20, 10)) as pilot:
            await at_rest(pilot)
            numbers.drawn.clear()
            numbers.number = 200
            numbers.grown()
            await at_rest(pilot)
            assert set(numbers.drawn) <= {0}

    played(play())


def test_when_lines_go_the_cursor_stays_inside():
    async def play():
        numbers = Numbers(100)
        async with alone(numbers, size=(20, 10)) as pilot:
            numbers.action_last()
            numbers.number = 3
            numbers.changed()
            await at_rest(pilot)
            assert (numbers.top, numbers.cursor) == (0, 2)
            numbers.number = 0
            numbers.changed()
            await pilot.press("j", "k", "pagedown", "G", "enter")
            assert numbers.cursor == 0

    played(play())


def test_the_cursor_is_in_sight_in_any_size():
    async def play():
        numbers = Numbers(100)
        async with alone(numbers, size=(20, 10)) as pilot:
            numbers.go(9)
            for lines in (3, 1, 8):
                await pilot.resize_terminal(20, lines)
                await at_rest(pilot)
                assert "▌9" in shown(pilot)

    played(play())
