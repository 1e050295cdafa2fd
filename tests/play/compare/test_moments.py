"""Which times tell the clock, and which tell of something else."""

from datetime import date

import pytest

from mcptap.play.compare.moments import UNKNOWN, Moment, days_around, days_of, is_of_clock, moved_along

NOON = 1_796_126_400_000_000
"""2026-12-01, 12:00 UTC."""
DAY = 86_400_000_000


def test_a_date_may_be_read_in_two_ways_and_a_day_has_neighbours():
    assert days_of("3/4/2026") == {date(2026, 3, 4), date(2026, 4, 3)}
    assert days_of("Mar 4, 2026") == days_of("4 March 2026") == {date(2026, 3, 4)}
    assert days_of("99/99/2026") == set()
    assert date(2026, 11, 30) in days_around(1_795_989_600_000_000)
    assert days_around(0) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "2026-12-01T12:00:05+00:00",
        "Tue Dec  1 03:00:05 UTC 2026",
        "12/1/2026, 9:59:00 PM",
        "1796126405123",
        "12:00:30",
    ],
)
def test_a_time_of_the_day_of_the_session_tells_the_clock(text):
    assert is_of_clock(text, Moment(NOON))


@pytest.mark.parametrize("text", ["2024-03-05T12:00:00Z", "1600000000", "4:44:00 PM"])
def test_a_time_of_another_day_does_not(text):
    assert not is_of_clock(text, Moment(NOON))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("11:00:00 PM", "11:01:05 PM"),
        ("23:59:50", "00:00:50"),
        ("2027-01-01T00:00:00Z", "2027-01-01T00:01:00Z"),
        ("1800000000", "1800000061"),
    ],
)
def test_a_time_may_move_with_the_sessions(old, new):
    assert moved_along(old, new, Moment(NOON), Moment(NOON + 60_000_000))
    assert not moved_along(old, new, Moment(NOON), Moment(NOON + DAY // 2))


def test_a_time_may_move_with_the_answers_or_with_the_starts_of_the_sessions():
    slow, quick = Moment(NOON, 3_600_000_000), Moment(NOON + DAY, 1_000_000)
    assert moved_along("1:00:00 PM", "12:00:01 PM", slow, quick)
    assert moved_along("12:00:00 PM", "12:00:00 PM", slow, quick)
    assert not moved_along("1:00:00 PM", "12:30:01 PM", slow, quick)


def test_a_time_with_a_date_never_moved_to_one_without():
    assert not moved_along("2026-12-01T12:00:00Z", "12:00:00", Moment(NOON), Moment(NOON))
    assert not UNKNOWN.is_known
