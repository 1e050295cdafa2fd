from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

from mcptap.captures.summary import Summary, summarise
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.report.recordings import Entry, as_object, as_table
from mcptap.text.terminal import Terminal
from mcptap.text.units import when
from tests.helpers import END, START_WALL_US, changed, handshake, record


@pytest.fixture
def summary(tmp_path: Path) -> Summary:
    path = record(tmp_path / "a.jsonl", [*handshake(client="claude-code", client_version="2.1.0"), *END])
    problems = {"error": 0, "warning": 0, "info": 3}
    return replace(summarise(str(path)), problems=problems, outcome="healthy")


def rows(entries: list[Entry], width: int) -> list[str]:
    terminal = Terminal(io.StringIO(), {})
    terminal.width = width
    return as_table(entries, terminal)


def started(summary: Summary, wall_us: int) -> Summary:
    return replace(summary, header=changed(summary.header, fields={**summary.header.fields, "wall": wall_us}))


@pytest.mark.parametrize(
    ("problems", "shown"),
    [
        (None, "?"),
        ({"error": 0, "warning": 0}, "none"),
        ({"error": 1, "warning": 0}, "1 error"),
        ({"error": 0, "warning": 2}, "2 warnings"),
        ({"error": 1, "warning": 2}, "1 err, 2 warn"),
    ],
)
def test_problems_are_counted_by_level(
    summary: Summary, problems: Mapping[str, int] | None, shown: str
) -> None:
    [_, row] = rows([Entry(replace(summary, problems=problems), "latest")], 200)
    assert row.endswith(f"  finished  {shown}")


@pytest.mark.parametrize("outcome", [each for each in Outcome if each is not Outcome.HEALTHY])
def test_only_what_is_healthy_has_no_problems(summary: Summary, outcome: Outcome) -> None:
    [_, row] = rows([Entry(replace(summary, outcome=outcome.value), "latest")], 200)
    assert not row.endswith("none")
    assert as_object(Entry(summary, "latest"))["outcome"] == "healthy"


@pytest.mark.parametrize("wall", [START_WALL_US, 0, 1 << 60])
def test_a_start_is_told_as_on_the_screen(summary: Summary, wall: int) -> None:
    [_, row] = rows([Entry(started(summary, wall), "latest")], 200)
    assert f"  {when(wall)}  " in row


def test_the_client_stays_at_80_columns(summary: Summary) -> None:
    long = replace(summary, problems={"error": 12, "warning": 3}, messages=1_204_332, is_exact=False)
    lines = rows([Entry(long, "latest~10"), Entry(summary, "latest")], 80)
    assert all(cell_len(line) <= 80 for line in lines)
    assert lines[0].split() == ["WHICH", "SERVER", "CLIENT", "STARTED", "STATE", "PROBLEMS"]
    assert "12 err, 3 warn" in lines[1]
    assert "claude-" in lines[2]


def test_a_pipe_gets_the_path_as_well(summary: Summary) -> None:
    [titles, row] = rows([Entry(summary, "latest")], 0)
    assert titles.split()[-1] == "FILE"
    assert row.endswith(f"  {summary.path}")
