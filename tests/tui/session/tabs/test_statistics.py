"""Latency, size and start-up."""

import os

import pytest

from mcptap.protocol.statistics.counts import Row, Statistics
from mcptap.text.columns import text_width
from mcptap.tui.session.tabs.statistics import statistics_lines
from tests.helpers import END, call, handshake, record, request, result, text_result
from tests.tui.screens import fed, lines_of
from tests.tui.session.tabs.pages import tab, text_of, view_of

TOOLS = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in ("forecast", "history")]}


@pytest.fixture
def statistics(tmp_path):
    steps = [
        *handshake(),
        ("c2s", request(1, "tools/list")),
        ("s2c", result(1, TOOLS)),
        ("c2s", call(2, "forecast")),
        ("wait", 79_000),
        ("s2c", text_result(2, "x")),
        ("c2s", call(3, "forecast")),
        ("s2c", text_result(3, "no", is_error=True)),
        ("c2s", call(4, "slow")),
        *END,
    ]
    feed = fed(os.fspath(record(tmp_path / "x.jsonl", steps)))
    yield feed.findings.statistics
    feed.close()


def page(statistics, columns=120):
    return lines_of(statistics_lines(statistics, statistics.last_us, columns))


def test_a_tool_has_calls_failures_and_latencies(statistics):
    line = next(line for line in page(statistics) if line.startswith("forecast"))
    assert line.split()[1:3] == ["2", "1"]
    assert "80ms" in line
    assert "█" in line


def test_enter_on_a_tool_or_a_method_shows_its_calls(statistics):
    lines = statistics_lines(statistics, statistics.last_us, 100)
    assert [line.query for line in lines if line.query] == [
        "tool:forecast",
        "tool:slow",
        "method:tools/call",
        "method:initialize",
        "method:tools/list",
    ]


def test_bars_are_logarithmic_where_one_dwarfs_the_others(statistics):
    assert not any("logarithmic" in line for line in page(statistics))
    for name, waited in (("a", 1_000), ("b", 1_000), ("c", 60_000_000)):
        statistics.tools[name] = row = Row(name, "c2s")
        row.calls = 1
        row.latency.add(waited)
    assert any("median, logarithmic" in line for line in page(statistics))
    assert "█" in next(line for line in page(statistics) if line.startswith("a "))


def test_what_is_of_the_whole_says_so_while_a_moment_is_played(feed):
    assert "of the whole recording" in text_of(tab("statistics").render(view_of(feed, now=3)))
    assert "of the whole recording" not in text_of(tab("statistics").render(view_of(feed)))


def test_a_call_without_an_answer_is_open(statistics):
    line = next(line for line in page(statistics) if line.startswith("slow"))
    assert line.rstrip().endswith("1 open")
    assert "█" not in line


def test_the_start_is_told_step_by_step_and_measured_against_clients(statistics):
    lines = page(statistics)
    assert lines[1].startswith("spawn")
    assert any(line.startswith("quick enough for all known clients") for line in lines)


def test_a_start_that_clients_do_not_wait_for_names_them(tmp_path):
    first, asked, *rest = handshake()
    path = record(tmp_path / "x.jsonl", [first, asked, ("wait", 600_000_000), *rest, *END])
    feed = fed(os.fspath(path))
    feed.close()
    assert any(line.startswith("too slow for ") for line in page(feed.findings.statistics))


def test_tools_that_were_listed_and_not_called_are_named(statistics):
    lines = page(statistics)
    assert any(line.startswith("Tool list  2 tools") for line in lines)
    assert "never called: history" in lines


def test_a_single_tool_is_counted_as_one(statistics):
    del statistics.listed["history"]
    assert any(line.startswith("Tool list  1 tool, ") for line in page(statistics))


def test_traffic_is_counted_by_channel(statistics):
    lines = page(statistics)[-3:]
    assert [line.split(" lines")[0].split()[-1] for line in lines] == ["6", "4", "0"]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_bars_are_as_long_as_there_is_room(statistics, columns):
    for line in page(statistics, columns):
        if "█" in line:
            assert text_width(line.rstrip()) <= columns


def test_a_session_without_a_start_says_so():
    assert "the server was never started" in page(Statistics())
