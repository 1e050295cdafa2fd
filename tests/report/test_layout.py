"""How reports for a terminal look."""

import io

import pytest
from rich.cells import cell_len

from mcptap.diagnosis.engine.finding import Level
from mcptap.report.layout import LEVEL_STYLES, labelled
from mcptap.text.terminal import STYLES, Terminal


def lines(label: str, text: str, width: int) -> list[str]:
    terminal = Terminal(io.StringIO(), {})
    terminal.width = width
    return list(labelled(label, text, terminal))


def test_every_level_has_a_style_of_the_terminal():
    assert set(LEVEL_STYLES) == set(Level)
    assert set(LEVEL_STYLES.values()) <= set(STYLES)


@pytest.mark.parametrize("width", [50, 80])
def test_a_text_stands_behind_its_label_in_all_its_lines(width: int):
    found = lines("  says   ", "word " * 40 + "end", width)
    assert len(found) > 1
    assert found[0].startswith("  says   word")
    assert all(line.startswith(" " * 9 + "word") for line in found[1:-1])
    assert max(map(cell_len, found)) <= width


def test_in_a_pipe_it_is_one_line():
    assert lines("  says   ", "word " * 40, 0) == ["  says   " + "word " * 40]
