"""Recordings as rows of a list."""

import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.runs import Run
from mcptap.captures.summary import summarise
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.recording.format.model import Header
from mcptap.recording.reader import State
from mcptap.report.recordings import problems_of
from mcptap.text.columns import text_width
from mcptap.tui.recordings.order import Entry
from mcptap.tui.recordings.rows import SessionList, command_of, state_of
from tests.helpers import END, handshake, record
from tests.tui.recordings import made
from tests.tui.screens import words


@pytest.fixture(scope="module")
def summary(tmp_path_factory):
    path = tmp_path_factory.mktemp("rows") / "weather.jsonl"
    return summarise(os.fspath(record(path, [*handshake(client="Agent"), *END], name="Weather")))


def rows_of(*entries):
    shown = SessionList()
    shown.show(list(entries))
    return shown


def row(entry, columns=120):
    return words(rows_of(entry).draw(0, columns))


@pytest.mark.parametrize(
    ("problems", "said"),
    [
        ({"error": 2, "warning": 1, "info": 3}, "✗ 2 err, 1 warn"),
        ({"error": 0, "warning": 0, "info": 4}, "none"),
        (None, "…"),
    ],
)
def test_what_it_came_to_stands_in_the_words_of_ls(summary, problems, said):
    outcome = "broken" if problems and problems["error"] else "healthy"
    judged = replace(summary, problems=problems, outcome=outcome)
    assert said in row(Entry(judged))
    assert problems is None or problems_of(judged)[0] in row(Entry(judged))


def test_what_can_not_be_judged_has_a_question_mark(summary):
    shown = rows_of(Entry(summary))
    shown.awaits = lambda _: False
    assert "?" in words(shown.draw(0, 120))
    assert "…" not in words(shown.draw(0, 120))


def test_an_estimate_is_marked(summary):
    assert "~" not in row(Entry(summary))
    assert f"~{summary.messages} " in row(Entry(replace(summary, is_exact=False)))


@pytest.mark.parametrize("outcome", [each for each in Outcome if each is not Outcome.HEALTHY])
def test_only_what_is_healthy_has_a_tick(summary, outcome):
    said = row(Entry(replace(summary, problems={"error": 0}, outcome=outcome.value)))
    assert "✓" not in said
    assert problems_of(replace(summary, problems={}, outcome=outcome.value))[0] in said


def test_the_state_has_a_sign_and_a_word(summary):
    assert row(Entry(summary)).startswith(" · Weather")
    live = row(Entry(replace(summary, state=State.LIVE)))
    assert live.startswith(" ● ")
    assert " live " in live


def test_a_name_cannot_move_the_cursor_of_the_terminal(tmp_path):
    path = record(tmp_path / "x.jsonl", [*handshake(), *END], name="\x1b[2J")
    assert row(Entry(summarise(os.fspath(path)))).startswith(" · ␛[2J")


@given(st.integers(75, 200))
def test_a_row_is_as_wide_as_the_list(summary, columns):
    entry = Entry(replace(summary, problems={"error": 1}, outcome="broken"))
    assert text_width(row(entry, columns)) <= columns
    assert text_width(row(entry, columns)) > columns - 9


def test_the_cursor_stays_on_its_recording(summary):
    other = replace(summary, path="/other.jsonl")
    shown = rows_of(Entry(summary), Entry(other))
    shown.cursor = 1
    shown.show([Entry(other), Entry(summary)])
    assert (shown.cursor, shown.chosen) == (0, other)
    shown.show([])
    assert shown.chosen is None


def run_row(*sessions, columns=120):
    return row(Entry(sessions[0], run=Run(list(sessions))), columns)


def test_a_run_says_how_many_of_its_sessions_went_wrong_and_names_its_servers():
    said = run_row(made.broken("files"), made.summary("git", 1), made.summary("web", 2))
    assert said.startswith(" ▾ run of agent 1.0")
    assert "✗ 1 of 3 sessions" in said
    assert said.rstrip().endswith("files, git, web")


def test_a_run_is_well_only_when_all_of_it_is():
    assert "✓ none" in run_row(made.summary("a"), made.summary("b"))
    assert "?" in run_row(made.summary("a"), made.summary("b", outcome="unclear"))
    assert "…" in run_row(made.summary("a"), made.summary("b", problems=None, outcome=""))


def test_a_run_is_live_while_a_session_is_and_cut_off_if_one_was():
    states = [State.FINISHED, State.CRASHED, State.LIVE]
    assert [state_of(Run([made.summary("a", state=s) for s in states[: n + 1]])) for n in range(3)] == states


def test_a_capture_that_names_no_server_has_the_name_of_its_file(summary):
    header = Header({"name": "server"})
    of_file = made.summary("x", header=header, origin="a log", path="/logs/mcp.jsonl", length_us=0)
    assert row(Entry(of_file)).split()[:2] == ["·", "mcp.jsonl"]
    assert "0µs" not in row(Entry(of_file))


def test_a_marked_recording_has_a_sign(summary):
    shown = rows_of(Entry(summary))
    shown.marked = [summary.path]
    assert words(shown.draw(0, 120)).startswith("◆")


def test_a_command_line_is_shown_without_its_secrets():
    secret = "ghp_" + "a1B2" * 9
    header = {"name": "x", "argv": ["x", "--token", secret]}
    assert secret not in command_of(made.summary("x", header=Header(header)))


def test_the_column_that_the_list_is_sorted_by_has_a_sign(summary):
    shown = rows_of(Entry(summary))
    assert "start↓" in shown.heading(120, "start", reverse=False)
    assert "msgs↑" in shown.heading(120, "msgs", reverse=True)
    assert "server↑" in shown.heading(120, "server", reverse=False)
    for columns in (78, 100, 150):
        heading, line = shown.heading(columns, "size", reverse=False), words(shown.draw(0, columns))
        assert heading.index("problems") - 1 == line.index("…")
