from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.text.units import clock, counted, duration, size


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
def test_a_duration_never_takes_more_than_nine_columns(us: int) -> None:
    assert len(duration(us)) <= 9


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 kB"),
        (10 * 1024, "10 kB"),
        (1024 * 1023, "1.0 MB"),
        (1 << 30, "1.0 GB"),
        (1 << 50, "1024 TB"),
    ],
)
def test_sizes_are_short(count: int, shown: str) -> None:
    assert size(count) == shown


def test_counts_agree_with_their_nouns() -> None:
    assert [counted(n, "message") for n in (0, 1, 1204)] == ["0 messages", "1 message", "1,204 messages"]
    assert counted(2, "match", "matches") == "2 matches"
    assert clock(75_200_000) == "75.200"
