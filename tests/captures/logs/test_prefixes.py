"""What stands before the messages of a log, and whose they are by it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.logs.prefixes import Prefixes, message_of, shape_of, side_of, split
from mcptap.wire import CLIENT_TO_SERVER, SERVER_TO_CLIENT

ASKS = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
ANSWERS = b'{"jsonrpc":"2.0","id":1,"result":{}}'


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"[2026-03-14 09:26:53.589] IN: ", b"[2027-1-5 19:6:3.5] IN: "),
        (b"Mon Mar 9 9:26:53 AM <- ", b"Tuesday April 14 12:00:00 PM <- "),
    ],
)
def test_a_prefix_is_constant_but_for_its_numbers_and_names_of_days(one: bytes, other: bytes):
    assert shape_of(one) == shape_of(other)


def test_a_message_stands_behind_something_and_ends_the_line():
    assert message_of(b"IN: " + ASKS + b" \r") is not None
    assert message_of(ASKS) is None
    assert message_of(b"IN: " + ASKS + b" and more") is None
    assert message_of(b'IN: {"a":1}') is None


@pytest.mark.parametrize(
    ("method", "side"),
    [("tools/call", CLIENT_TO_SERVER), ("roots/list", SERVER_TO_CLIENT), ("ping", ""), (None, "")],
)
def test_a_method_may_tell_who_sends_it(method: str | None, side: str):
    assert side_of({"method": method}) == side


def test_sides_are_told_by_what_stands_behind_each_prefix():
    prefixes = Prefixes([b"12 <= " + ASKS, b"13 => " + ANSWERS])
    assert prefixes.has_both_sides
    assert (prefixes.channel(b"0 <="), prefixes.channel(b"0 =>")) == (CLIENT_TO_SERVER, SERVER_TO_CLIENT)
    assert prefixes.has_version


def test_one_prefix_for_both_sides_tells_nothing():
    assert not Prefixes([b"LOG " + ASKS, b"LOG " + ANSWERS]).has_both_sides
    server = b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
    assert not Prefixes([b"LOG " + ASKS, b"LOG " + server, b"=> " + ANSWERS]).has_both_sides


@given(st.binary(max_size=80))
def test_any_line_is_split_or_not(line: bytes):
    parts = split(line)
    assert parts is None or (parts[0] + parts[1] == line.rstrip() or line.startswith(parts[0]))
