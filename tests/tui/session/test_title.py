"""The line that names the session."""

from dataclasses import replace

import pytest

from mcptap.text.columns import text_width
from mcptap.text.units import when
from mcptap.tui.index.feed import Status
from mcptap.tui.session.title import title_row
from mcptap.tui.widgets.palette import DARK_PAINT
from tests.tui.screens import fed, words


@pytest.fixture
def feed(path):
    feed = fed(path)
    yield feed
    feed.close()


def title(feed, columns=120, **options):
    left, right = title_row(DARK_PAINT, feed, feed.judgement, columns, **options)
    return words(left), words(right)


def test_it_names_both_sides_the_revision_and_the_end(feed):
    left, right = title(feed)
    assert left.startswith(" weather")
    assert " ⇄ " in left
    assert "2025-11-25" in left
    assert left.endswith("after 3.06 s")
    assert right == ""


def test_an_end_that_was_no_clean_one_is_named(feed):
    feed.findings = replace(feed.findings, ending="signal SIGSEGV")
    assert title(feed)[0].endswith("signal SIGSEGV after 3.06 s")


def test_what_is_live_cut_or_not_read_yet_says_so(feed):
    for status, said in (
        (Status(complete=True, live=True), "● live"),
        (Status(complete=True, ended_us=2_000_000), "cut off after 2.00 s"),
        (Status(), "being read"),
        (Status(complete=True, trouble="deleted"), "deleted"),
    ):
        feed.status = status
        assert title(feed)[0].endswith(said)


def test_of_a_log_that_may_go_on_it_is_said_when_it_was_read(feed):
    feed.status = Status(complete=True, end_known=False)
    assert title(feed)[0].endswith("end not recorded")
    feed.made_of, feed.made_wall_us = "mcp.log", 1_000_000_000_000_000
    assert title(feed)[0].endswith(f"as the file was at {when(1_000_000_000_000_000)}")
    assert "r reads it again" in title(feed)[1]
    assert "r reads" not in title(feed, columns=60)[1]


def test_while_it_is_played_the_moment_stands_there(feed):
    assert " · 2025-11-25 · as of +0.040 of +3.0" in title(feed, moment_us=40_000)[0]


@pytest.mark.parametrize("columns", [72, 80, 120, 200])
def test_long_names_leave_room_for_the_end_and_the_place(feed, columns):
    feed.findings = replace(feed.findings, server_info={"name": "s" * 90}, client="c" * 90)
    left, right = title(feed, columns, place=(3, 1200))
    assert left.endswith("after 3.06 s")
    assert right == "3 of 1,200  < > "
    assert text_width(left) + text_width(right) <= columns
