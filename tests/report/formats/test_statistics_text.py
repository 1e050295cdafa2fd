"""The numbers as tables: complete in a pipe, readable on a narrow terminal."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from mcptap.captures.evidence import COMPLETE, SECONDS, Evidence
from mcptap.protocol.statistics.counts import Statistics
from mcptap.report.formats.statistics_text import report
from mcptap.text.terminal import Terminal
from tests.helpers import END, call, error, handshake, request, result, text_result
from tests.protocol.statistics.test_counts import numbers

TOOLS = {"tools": [{"name": "add", "description": "x" * 4000}, {"name": "sub\x1b[31m"}]}


@pytest.fixture
def busy(tmp_path: Path) -> Statistics:
    return numbers(
        tmp_path,
        ("wait", 12_000_000),
        *handshake()[:2],
        ("wait", 12_000_000),
        *handshake()[2:],
        ("c2s", request(1, "tools/list")),
        ("s2c", result(1, TOOLS)),
        ("c2s", call(2, "add")),
        ("s2c", text_result(2, "3" * 3000)),
        ("c2s", call(3, "add")),
        ("s2c", error(3, -32602, "no")),
        ("c2s", call(4, "a_tool_with_a_name_of_some_length")),
        *END,
    )


def shown(numbers: Statistics, width: int = 0, evidence: Evidence = COMPLETE) -> list[str]:
    terminal = Terminal(io.StringIO(), {})
    terminal.width = width
    return list(report(numbers, terminal, evidence))


def test_all_columns_are_there_in_a_pipe(busy):
    text = "\n".join(shown(busy))
    assert "method                     calls  open  errors  median     p95     max" in text
    assert "a_tool_with_a_name_of_some_length      1     1" in text
    assert "for 2 tools, 1 of them never called" in text


def test_a_slow_start_names_the_clients_that_would_have_given_up(busy):
    text = "\n".join(shown(busy))
    assert "spawn → first byte on stdout +12.0 s → initialize answered +12.0 s → tools listed +12.0 s" in text
    assert "Cline CLI (3 s for the answer to initialize)" in text
    assert "Claude Code" not in text


@pytest.mark.parametrize("width", [60, 80, 100])
def test_on_a_narrow_terminal_columns_go_before_names_can_no_longer_be_told(busy, width):
    lines = shown(busy, width)
    assert max(map(cell_len, lines)) <= width
    assert any("a_tool_with_a_name_of_s" in line for line in lines)


def test_without_times_there_are_no_latencies(busy):
    text = "\n".join(shown(busy, evidence=replace(COMPLETE, times=False)))
    assert "median" not in text
    assert "start:" not in text


def test_names_of_tools_do_not_drive_the_terminal(busy):
    assert "\x1b" not in "\n".join(shown(busy))


def test_nothing_at_all_is_still_readable():
    assert shown(Statistics())[0] == "Numbers"


def test_what_took_less_than_the_times_are_fine_is_not_told_closer(busy):
    text = "\n".join(shown(busy, evidence=replace(COMPLETE, fineness_us=SECONDS)))
    assert "< 1 s" in text
    assert " ms" not in text
    assert "µs" not in text
