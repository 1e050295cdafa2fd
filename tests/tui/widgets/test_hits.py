from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from mcptap.tui.widgets.hits import marked

PLAIN, DIM, HIT = Style(), Style(dim=True), Style(reverse=True)


def test_a_hit_may_begin_in_one_cell_and_end_in_another():
    cells = [("12 ", DIM), ("tools/call ", PLAIN), ("Forecast", DIM)]
    assert marked(cells, "call fore", HIT) == [
        ("12 ", DIM),
        ("tools/", PLAIN),
        ("call ", HIT),
        ("Fore", HIT),
        ("cast", DIM),
    ]


def test_cells_that_are_not_searched_stay_as_they_are():
    assert marked([("12", DIM), ("12", PLAIN)], "12", HIT, 1) == [("12", DIM), ("12", HIT)]


@given(st.lists(st.tuples(st.text("aAbİ ", max_size=5), st.just(PLAIN))), st.text("ab", max_size=3))
def test_the_text_stays_the_same(cells, needle):
    made = marked(cells, needle, HIT)
    assert "".join(text for text, _ in made) == "".join(text for text, _ in cells)
    if needle and any(needle in text for text, _ in cells):
        assert any(style == HIT for _, style in made) or "İ" in "".join(text for text, _ in cells)
