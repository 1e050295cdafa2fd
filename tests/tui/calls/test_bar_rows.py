"""The lines at the edges of the screen of calls."""

import os

import pytest

from mcptap.query import parse
from mcptap.tui.calls.bar_rows import empty_words, status_row, title_row
from mcptap.tui.calls.rows import Wanted
from mcptap.tui.calls.sorting import Sort
from mcptap.tui.widgets.palette import DARK_PAINT
from tests.helpers import END, record
from tests.tui.screens import fed, words


@pytest.fixture
def feed(path):
    feed = fed(path)
    yield feed
    feed.close()


def status(feed, columns=120, *, is_past=False, **how):
    left, right = status_row(DARK_PAINT, feed, Wanted(**how), (2, 8), columns, is_busy=False, is_past=is_past)
    return words(left), words(right)


def test_the_status_line_says_place_order_and_totals(feed):
    left, right = status(feed, sort=Sort.LATENCY, falls=True)
    assert left == " 2 / 8 calls   sorted by latency, longest first"
    assert right.split("  ")[:3] == ["1 error", "1 isError", "1 unanswered"]


def test_of_a_moment_of_the_past_no_totals_of_the_end_are_told(feed):
    assert status(feed, is_past=True)[1] == ""


def test_where_there_is_little_room_the_direction_goes(feed):
    assert status(feed, 60)[0] == " 2 / 8 calls   sorted by time"


def test_the_title_names_the_server_and_tells_the_past_from_the_present(feed):
    assert words(title_row(DARK_PAINT, feed.findings, is_past=False)[0]).startswith(" Calls of weather ")
    assert "is played" in words(title_row(DARK_PAINT, feed.findings, is_past=True)[1])


def test_an_empty_list_says_why_it_is_empty(feed):
    assert empty_words(feed, Wanted(), is_busy=True) == "Looking for calls…"
    assert "esc takes it away" in empty_words(feed, Wanted(parse("tool:x")), is_busy=False)
    assert "no request" in empty_words(feed, Wanted(), is_busy=False)
    feed.index.one_sided = True
    assert "not in this recording" in empty_words(feed, Wanted(), is_busy=False)


def test_batches_are_told_of_since_what_they_ask_for_has_no_row(tmp_path):
    asked = [{"jsonrpc": "2.0", "id": 1, "method": "ping"}]
    path = record(tmp_path / "x.jsonl", [("c2s", asked), ("s2c", [{"jsonrpc": "2.0", "id": 1}]), *END])
    feed = fed(os.fspath(path))
    assert "2 batches without rows" in status(feed)[1]
    assert empty_words(feed, Wanted(), is_busy=False) == (
        "What stands in batches (JSON arrays of messages) has no row here."
        " c, then f kind:batch, shows the 2 batches."
    )
    feed.close()
