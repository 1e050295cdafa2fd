"""Lines of a document in a list, and bytes below them."""

from hypothesis import given
from hypothesis import strategies as st

from mcptap.text.columns import text_width
from mcptap.tui.widgets.detail import Detail
from mcptap.tui.widgets.document import Line, text_line
from mcptap.tui.widgets.hexdump import bytes_in_row
from mcptap.tui.widgets.line_list import LineList
from tests.tui.screens import alone, lines_of, played, words


@given(st.lists(st.tuples(st.text(alphabet="ab漢🙂 ", max_size=30), st.just("plain"))), st.integers(1, 60))
def test_a_line_is_as_wide_as_the_list(pieces, columns):
    detail = Detail()
    detail.show([Line([*pieces, (" ", "rule")])])
    assert text_width(words(detail.draw(0, columns))) == columns


def test_the_bytes_stand_below_the_lines():
    async def play():
        detail = Detail()
        async with alone(detail, size=(80, 10)):
            data = bytes(range(100))
            detail.show([text_line("title")], data)
            each = bytes_in_row(79)
            assert detail.count() == 1 + -(-100 // each)
            assert lines_of([detail.line_at(1)])[0].startswith("00000000  00 01 02")
            assert lines_of([detail.line_at(2)])[0].startswith(f"{each:08x}")

    played(play())


def test_another_page_begins_at_its_top_unless_the_place_is_kept():
    detail = Detail()
    detail.show([text_line(str(n)) for n in range(20)])
    detail.go(9)
    detail.show([text_line("x") for n in range(20)], keep=True)
    assert detail.cursor == 9
    detail.show([text_line("x") for n in range(5)], keep=True)
    assert detail.cursor == 4
    detail.show([text_line("x") for n in range(5)])
    assert detail.cursor == 0


class Heard(Detail):
    """A detail that keeps the messages it sends."""

    def __init__(self):
        self.heard = []
        super().__init__()

    def post_message(self, message):
        self.heard.append(message)
        return True


def test_enter_acts_follows_or_does_nothing():
    done = []
    detail = Heard()
    detail.show(
        [
            text_line("x"),
            Line([("fold", "dim")], lambda: done.append(1)),
            Line(record=7),
            Line(query="tool:a"),
        ]
    )
    detail.action_choose()
    assert not detail.heard
    detail.cursor = 1
    detail.action_choose()
    assert done
    assert isinstance(detail.heard.pop(), Detail.Folded)
    detail.cursor = 2
    detail.action_choose()
    assert isinstance(detail.heard.pop(), LineList.Chosen)
    detail.cursor = 3
    detail.action_choose()
    assert detail.heard.pop().query == "tool:a"


def test_enter_on_an_empty_page_does_nothing():
    detail = Heard()
    detail.action_choose()
    assert not detail.heard


def test_everything_is_folded_and_unfolded_by_turns():
    detail = Heard()
    detail.action_fold_all()
    detail.action_fold_all()
    assert [message.folded for message in detail.heard] == [True, False]
