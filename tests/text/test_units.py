from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.text.units import clock, counted, date_time, duration, elapsed, size, wall_clock, when


@pytest.mark.parametrize(
    ("us", "shown"),
    [
        (0, "0 µs"),
        (999, "999 µs"),
        (1_000, "1.0 ms"),
        (9_994, "10.0 ms"),
        (9_995, "10 ms"),
        (999_499, "999 ms"),
        (999_500, "1.00 s"),
        (9_994_999, "9.99 s"),
        (9_995_000, "10.0 s"),
        (59_949_999, "59.9 s"),
        (59_950_000, "1 m 00 s"),
        (125_000_000, "2 m 05 s"),
        (3_599_499_999, "59 m 59 s"),
        (3_600_000_000, "1 h 00 m"),
        (86_400_000_000, "1 d 00 h"),
        (200_000_000_000, "2 d 07 h"),
    ],
)
def test_durations_are_short_and_rounded_into_the_right_unit(us: int, shown: str) -> None:
    assert duration(us) == shown


@given(st.integers(0, 8 * 10**12))
def test_a_duration_takes_nine_columns_at_most_and_six_where_it_is_short(us: int) -> None:
    assert len(duration(us)) <= 9
    assert len(duration(us, short=True)) <= 6
    assert duration(us, short=True) == duration(us).replace(" ", "")


def test_a_length_of_time_out_of_all_reason_is_shown_too() -> None:
    assert duration(10**5000).endswith(" h")


@pytest.mark.parametrize(
    ("count", "shown", "short"),
    [
        (0, "0 B", "0"),
        (999, "999 B", "999"),
        (1000, "1.0 kB", "1.0k"),
        (1024, "1.0 kB", "1.0k"),
        (11_200, "11.2 kB", "11.2k"),
        (99_950, "100 kB", "100k"),
        (120_000, "120 kB", "120k"),
        (999_499, "999 kB", "999k"),
        (999_500, "1.0 MB", "1.0M"),
        (10 << 20, "10.5 MB", "10.5M"),
        (1 << 30, "1.1 GB", "1.1G"),
        (1 << 50, "1126 TB", "1126T"),
    ],
)
def test_a_size_has_the_same_digits_where_it_is_short(count: int, shown: str, short: str) -> None:
    assert (size(count), size(count, short=True)) == (shown, short)


@given(st.integers(0, 10**15))
def test_a_short_size_takes_five_columns_at_most(count: int) -> None:
    assert len(size(count, short=True)) <= 5


def test_counts_agree_with_their_nouns() -> None:
    assert [counted(n, "message") for n in (0, 1, 1204)] == ["0 messages", "1 message", "1,204 messages"]
    assert counted(2, "match", "matches") == "2 matches"


def test_times_since_the_start_have_milliseconds() -> None:
    assert clock(75_200_000) == "75.200"
    times = (204_000, 65_000_000, 3_723_500_000)
    assert [elapsed(us) for us in times] == ["+0.204", "+1:05.000", "+1:02:03.500"]
    assert [elapsed(1_999_999, digits) for digits in (0, 1, 6)] == ["+1", "+1.9", "+1.999999"]


def test_a_moment_is_told_to_the_second_or_the_millisecond() -> None:
    assert date_time(1_764_451_023_999_999, local=False) == "2025-11-29 21:17:03"
    assert wall_clock(1_764_451_023_999_999).endswith(":17:03.999")


def test_a_time_that_no_calendar_has_is_said_to_be_impossible() -> None:
    assert date_time(10**40) == wall_clock(-(10**40)) == "an impossible time"
    assert when(10**18) == "impossible"


def test_in_a_list_a_time_of_today_is_a_time_and_another_one_a_date() -> None:
    now = datetime.now()
    long_ago = now.replace(year=now.year - 2, month=1, day=5)
    assert when(int(now.timestamp() * 1_000_000)).count(":") == 2
    assert when(int(long_ago.timestamp() * 1_000_000)) == f"05 Jan {long_ago.year}"
    assert when(0) == "unknown"


@pytest.mark.parametrize(
    ("us", "fineness_us", "shown"),
    [
        (0, 1_000_000, "< 1 s"),
        (5_000_000, 1_000_000, "5 s"),
        (65_000_000, 1_000_000, "1 m 05 s"),
        (0, 1_000, "< 1 ms"),
        (7_000, 1_000, "7 ms"),
        (40_000, 1_000, "40 ms"),
        (0, 1, "0 µs"),
    ],
)
def test_a_duration_is_told_no_finer_than_it_is_known(us: int, fineness_us: int, shown: str) -> None:
    assert duration(us, fineness_us=fineness_us) == shown
    assert duration(us, True, fineness_us) == shown.replace(" ", "")
