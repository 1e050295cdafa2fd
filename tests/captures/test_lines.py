"""Lines made from what captures hold."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mcptap.captures.lines import (
    ARROWS,
    SIDES,
    Clock,
    from_local,
    from_milliseconds,
    from_rfc3339,
    is_message,
    message_line,
    object_of,
    outline_line,
    text_line,
    told_line,
    unknown_header,
)
from mcptap.jsontext.bounded import Outline
from mcptap.recording.format.model import Line, parse_line
from mcptap.wire import CHANNELS

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(JSON | st.dictionaries(st.text(max_size=4), JSON, max_size=3))
def test_the_value_of_such_a_line_is_that_of_its_bytes(value: Any):
    line = message_line(3, "s2c", value)
    assert line.value == parse_line(line.data)
    assert type(line.value) is type(parse_line(line.data))


def test_of_a_message_that_is_only_told_of_there_is_an_outline_however_long_it_is():
    for method in ("tools/call", "x" * 1000):
        for make in (outline_line, told_line):
            line = make(3, "c2s", {"jsonrpc": "2.0", "method": method})
            assert line.value == {"jsonrpc": "2.0", "method": method}
            assert type(line.value) is Outline


@given(
    st.datetimes(datetime(1960, 1, 1), datetime(2100, 1, 1)),
    st.integers(0, 9),
    st.sampled_from(["", "Z", "+00:00", "-03:30", "+1", "x"]),
    st.sampled_from([".", ",", ""]),
)
@example(datetime(1969, 12, 31, 23, 59, 59, 1), 3, "Z", ".")
@example(datetime(2026, 3, 14, 9, 26, 53, 123456), 6, "", ".")
def test_a_time_is_the_same_whether_its_second_was_seen_before_or_not(moment, count, zone, sign):
    stamp = f"{moment:%Y-%m-%dT%H:%M:%S}{sign}{f'{moment.microsecond:06}789'[:count]}{zone}"
    try:
        parsed = datetime.fromisoformat(stamp)
    except ValueError:
        assert from_rfc3339(stamp) == 0
        return
    if parsed.tzinfo is None:
        parsed = parsed.replace(tzinfo=UTC)
    assert from_rfc3339(stamp) == max(0, (parsed - EPOCH) // timedelta(microseconds=1))


@given(JSON)
def test_a_message_becomes_a_line_that_says_the_same(value: Any):
    line = message_line(3, "s2c", value, 5, 6)
    assert isinstance(line, Line)
    assert (line.number, line.channel, line.eol, line.t_us, line.wall_us) == (3, "s2c", b"\n", 5, 6)
    assert b"\n" not in line.data
    assert json.loads(line.data) == value


def test_a_message_with_half_a_character_keeps_it():
    line = message_line(3, "c2s", {"a": "\ud800"})
    assert isinstance(line, Line)
    assert json.loads(line.data) == {"a": "\ud800"}


@given(st.text())
def test_text_becomes_a_line_with_its_bytes(text: str):
    line = text_line(2, "stderr", text)
    assert line.data.decode(errors="surrogatepass") == text
    assert line.eol == b"\n"


@pytest.mark.parametrize(
    "value",
    [
        {"jsonrpc": "2.0"},
        {"method": "x", "id": 1},
        {"method": "x", "params": {}},
        {"id": 1, "result": None},
        {"id": None, "error": {}},
        [{"jsonrpc": "2.0"}, 3],
    ],
)
def test_what_has_the_members_of_json_rpc_is_meant_as_a_message(value: Any):
    assert is_message(value)


@pytest.mark.parametrize(
    "value", [None, 3, "jsonrpc", [], [3], {}, {"method": "x"}, {"method": 3, "id": 1}, {"id": 1}]
)
def test_other_json_is_no_message(value: Any):
    assert not is_message(value)


def test_a_line_is_an_object_or_none():
    assert object_of(b' {"a":1}\r') == {"a": 1}
    assert object_of(b"[1]") is object_of(b"{") is object_of(b"") is None


MOMENT = datetime(2026, 7, 1, 10, 0, 0, 123456, UTC)
MOMENT_US = 1_782_900_000_123_456


@pytest.mark.parametrize(
    "stamp", ["2026-07-01T10:00:00.123456Z", "2026-07-01T12:00:00.123456+02:00", "2026-07-01T10:00:00.123456"]
)
def test_a_time_of_day_is_microseconds_and_in_utc_if_it_names_no_zone(stamp: str):
    assert from_rfc3339(stamp) == MOMENT_US


@example(datetime(1972, 3, 6, 11, 26, 1, 277064), 0)
@given(st.datetimes(datetime(1970, 1, 2), datetime(2100, 1, 1)), st.integers(-14, 14))
def test_every_time_of_day_is_exact(moment: datetime, hours: int):
    moment = moment.replace(tzinfo=timezone(timedelta(hours=hours)))
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    assert from_rfc3339(moment.isoformat()) == max(0, since // timedelta(microseconds=1))


@pytest.mark.parametrize("stamp", [None, 3, "", "noon", "1969-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00"])
def test_what_is_no_time_of_day_since_1970_is_0(stamp: object):
    assert from_rfc3339(stamp) == 0


@pytest.mark.parametrize(
    ("value", "us"),
    [
        (3, 3000),
        (2.5, 2500),
        (1.001, 1001),
        (0, 0),
        (-1, 0),
        (True, 0),
        ("3", 0),
        (None, 0),
        (float("nan"), 0),
        (1e300, 0),
    ],
)
def test_only_a_count_of_milliseconds_is_a_time(value: object, us: int):
    assert from_milliseconds(value) == us


def test_words_for_a_sender_name_a_channel_and_none_depends_on_who_wrote_it():
    assert set(SIDES.values()) == set(ARROWS.values()) == set(CHANNELS)
    assert not SIDES.keys() & {"in", "out", "sent", "received"}


def test_a_header_of_an_unknown_start_has_a_name_and_no_command():
    header = unknown_header("weather", cwd="/srv")
    assert (header.name, header.argv, header.cwd, header.program) == ("weather", [], "/srv", None)


def test_a_clock_counts_from_its_first_time_and_never_goes_back():
    clock = Clock()
    assert [clock.at(wall) for wall in (0, 1_000, 0, 5_000, 4_000, 6_000)] == [
        (0, 0), (0, 1_000), (0, 1_000), (4_000, 5_000), (4_000, 4_000), (5_000, 6_000),
    ]  # fmt: skip


def test_a_time_without_a_zone_is_taken_for_that_of_this_machine():
    moment = datetime(2026, 3, 14, 9, 26, 53, 589_000)
    assert from_local("2026-03-14 09:26:53.589") == round(moment.timestamp() * 1_000_000)
    assert from_local("yesterday") == 0
    assert from_local("0001-01-01 00:00:00") == 0
