from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mcptap.text.table import Column, Row, layout, table
from mcptap.text.terminal import Terminal

COLUMNS = (
    Column("NAME", least=6),
    Column("CLIENT", least=6, spare=1),
    Column("COUNT", right=True, spare=2),
    Column("STATE"),
)


def row(*cells: str) -> Row:
    return Row(cells, ["plain"] * len(cells))


def lines(rows: list[Row], width: int) -> list[str]:
    terminal = Terminal(io.StringIO(), {})
    terminal.width = width
    return table(COLUMNS, rows, terminal)


ROWS = [row("日本語のサーバー", "claude-code 2.1.0", "7", "finished"), row("x", "?", "1,204", "live")]


def test_a_table_has_all_it_was_given_where_there_is_room() -> None:
    expected = [
        "NAME              CLIENT             COUNT  STATE",
        "日本語のサーバー  claude-code 2.1.0      7  finished",
        "x                 ?                  1,204  live",
    ]
    assert lines(ROWS, 0) == lines(ROWS, 80) == expected


def test_columns_shrink_before_any_goes() -> None:
    assert lines(ROWS, 40) == [
        "NAME        CLIENT       COUNT  STATE",
        "日本語の…   claude-cod…      7  finished",
        "x           ?            1,204  live",
    ]


def test_columns_go_by_how_spare_they_are() -> None:
    assert lines(ROWS, 24) == ["NAME    CLIENT  STATE", "日本…   claud…  finished", "x       ?       live"]
    assert lines(ROWS, 16) == ["NAME    STATE", "日本…   finished", "x       live"]


@given(
    st.lists(st.tuples(*[st.text(alphabet="ab日 ", max_size=20)] * 4), max_size=5).map(
        lambda rs: [row(*r) for r in rs]
    ),
    st.integers(40, 120),
)
def test_no_line_is_wider_than_the_terminal_as_long_as_what_must_stay_fits(
    rows: list[Row], width: int
) -> None:
    assert all(cell_len(line) <= width for line in lines(rows, width))
    assert set(layout(COLUMNS, rows, width)) >= {0, 3}


@pytest.mark.parametrize("width", [1, 5])
def test_a_terminal_too_narrow_for_anything_still_gets_the_columns_that_must_stay(width: int) -> None:
    assert set(layout(COLUMNS, ROWS, width)) == {0, 3}
