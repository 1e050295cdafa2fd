"""Where the view is in the whole."""

from rich.style import Style

from mcptap.tui.widgets.line_list import LineList
from mcptap.tui.widgets.scrollbar import Scrollbar
from tests.tui.screens import alone, at_rest, played, shown

HEIGHT = 10


class Lines(LineList):
    """So many blank lines."""

    def __init__(self, number):
        self.number = number
        super().__init__()
        self.styles.height = HEIGHT

    def count(self):
        return self.number


def column(number, top=0, marks=None):
    """The column beside a list of so many lines that is scrolled down to `top`."""
    lines = []

    async def play():
        target = Lines(number)
        bar = Scrollbar(target)
        bar.styles.dock = "right"
        async with alone(target, bar, size=(20, HEIGHT)) as pilot:
            target.scroll(top)
            bar.update()
            if marks is not None:
                bar.marks(*marks)
            await at_rest(pilot)
            lines.extend(line[-1:] for line in shown(pilot))

    played(play())
    return "".join(lines)


def test_a_list_that_is_all_in_sight_has_no_thumb():
    assert column(HEIGHT) == "│" * HEIGHT


def test_the_thumb_is_as_long_as_what_is_in_sight():
    assert column(2 * HEIGHT) == "█" * 5 + "│" * 5
    assert column(1_000_000) == "█" + "│" * 9


def test_at_the_end_the_thumb_is_at_the_bottom_and_below_the_start_never_at_the_top():
    assert column(1000, 990) == "│" * 9 + "█"
    assert column(1000, 1).startswith("│█")


def test_marks_are_shown_if_they_were_made_for_this_height():
    marks = {3: Style(color="#ff0000")}
    assert column(1000, 0, (marks, HEIGHT))[3] == "•"
    assert "•" not in column(1000, 0, (marks, HEIGHT + 1))


def test_the_view_follows_the_mouse():
    async def play():
        target = Lines(1000)
        bar = Scrollbar(target)
        bar.styles.dock = "right"
        async with alone(target, bar, size=(20, HEIGHT)) as pilot:
            await pilot.mouse_down(bar, offset=(0, HEIGHT - 1))
            assert target.top == 990
            await pilot.hover(bar, offset=(0, 0))
            assert target.top == 0
            await pilot.mouse_up(bar)
            await pilot.hover(bar, offset=(0, 5))
            assert target.top == 0

    played(play())


class Watched(Scrollbar):
    """A scrollbar that counts how often it is to be drawn anew."""

    times = 0

    def refresh(self, *regions, **options):
        self.times += 1
        return super().refresh(*regions, **options)


def test_it_is_drawn_anew_whatever_moves_the_view_and_only_then():
    async def play():
        target = Lines(2 * HEIGHT)
        bar = Watched(target)
        bar.styles.dock = "right"

        def fewer():
            target.number = HEIGHT
            target.changed()

        async with alone(target, bar, size=(20, HEIGHT)) as pilot:
            await at_rest(pilot)
            for act, moves in (
                (lambda: target.scroll(HEIGHT // 2), True),
                (target.action_last, True),
                (lambda: target.action_move(-1), False),
                (target.action_first, True),
                (fewer, True),
            ):
                before = bar.times
                act()
                await pilot.pause()
                assert (bar.times > before) == moves

    played(play())
