"""Recordings as rows of a list."""

import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.summary import summarise
from mcptap.diagnosis.explain.outcome import Outcome
from mcptap.recording.reader import State
from mcptap.text.columns import text_width
from mcptap.tui.recordings.rows import Entry, SessionList
from mcptap.tui.widgets.outcomes import WORDS
from tests.helpers import END, handshake, record
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


@pytest.mark.parametrize("wanted", ["", "weather", "agent", "ended", "weather agent", "weather.py"])
def test_an_entry_is_found_by_what_its_line_says(summary, wanted):
    assert Entry(summary, False).matches(wanted.split())


def test_all_words_must_occur(summary):
    assert not Entry(summary, False).matches(["weather", "live"])


def test_error_finds_recordings_with_errors_only(summary):
    assert not Entry(replace(summary, problems={"error": 0}), False).matches(["error"])
    assert Entry(replace(summary, problems={"error": 1}), False).matches(["error"])


@pytest.mark.parametrize(
    ("problems", "said"),
    [
        ({"error": 2, "warning": 1, "info": 3}, "✗2 ▲1 ·3 "),
        ({"error": 0, "warning": 0, "info": 0}, "✓ "),
        ({"error": 0, "warning": 0, "info": 4}, "✓ ·4 "),
        (None, "…"),
    ],
)
def test_problems_are_counted_by_level(summary, problems, said):
    assert said in row(Entry(replace(summary, problems=problems, outcome="healthy"), False))


@pytest.mark.parametrize("outcome", [each for each in Outcome if each is not Outcome.HEALTHY])
def test_only_what_is_healthy_has_a_tick(summary, outcome):
    said = row(Entry(replace(summary, problems={"error": 0}, outcome=outcome.value), False))
    assert "✓" not in said
    assert WORDS[outcome] in said


def test_the_state_has_a_sign_and_a_word(summary):
    assert row(Entry(summary, False)).startswith("· Weather")
    live = row(Entry(replace(summary, state=State.LIVE), False))
    assert live.startswith("● ")
    assert " live " in live


def test_a_name_cannot_move_the_cursor_of_the_terminal(tmp_path):
    path = record(tmp_path / "x.jsonl", [*handshake(), *END], name="\x1b[2J")
    assert row(Entry(summarise(os.fspath(path)), False)).startswith("· ␛[2J")


@given(st.integers(75, 200))
def test_a_row_is_as_wide_as_the_list(summary, columns):
    entry = Entry(replace(summary, problems={"error": 1}), False)
    assert text_width(row(entry, columns)) <= columns
    assert text_width(row(entry, columns)) > columns - 9


def test_the_cursor_stays_on_its_recording(summary):
    other = replace(summary, path="/other.jsonl")
    shown = rows_of(Entry(summary, False), Entry(other, False))
    shown.cursor = 1
    shown.show([Entry(other, False), Entry(summary, False)])
    assert (shown.cursor, shown.chosen) == (0, other)
    shown.show([])
    assert shown.chosen is None
