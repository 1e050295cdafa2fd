"""One message that was printed over several lines."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.protocol.model import pieces as module
from mcptap.protocol.model.message import classify
from mcptap.protocol.model.pieces import Pieces, depth
from tests.diagnosis.sessions import line

values = st.recursive(
    st.none() | st.integers(-(2**63), 2**64 - 1) | st.text(),  # longer ones come as floats
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def lines(text: str) -> list:
    return [classify(line(n, "s2c", piece.encode())) for n, piece in enumerate(text.split("\n"), 2)]


def held(messages) -> Pieces | None:
    """The pieces after all these lines, if each was held and only the last one closed it."""
    pieces = Pieces()
    first, *others = messages
    if not pieces.starts(first):
        return None
    for message in others:
        assert not pieces.closed
        if not pieces.goes_on(message):
            return None
    return pieces


@given(st.dictionaries(st.text(max_size=3), values, max_size=3), st.integers(1, 4))
def test_any_message_that_was_printed_prettily_is_put_together(members, indent):
    message = {**members, "jsonrpc": "2.0"}
    printed = lines(json.dumps(message, indent=indent))
    pieces = held(printed)
    assert pieces is not None
    assert pieces.closed
    whole = pieces.whole()
    assert whole is not None
    assert whole.joined == message
    assert whole.numbers == [piece.number for piece in printed]


def test_what_closes_and_is_no_message_is_given_back_line_by_line():
    printed = lines('{\n"level": "info"\n}')
    pieces = held(printed)
    assert pieces is not None
    assert pieces.closed
    assert pieces.whole() is None
    assert pieces.release() == printed
    assert pieces.held == []


@pytest.mark.parametrize("text", ["Server ready", '{"a": "a string that stays open', "}", "[1,", '{"a":1}'])
def test_a_line_that_opens_no_object_starts_nothing(text):
    assert not Pieces().starts(lines(text)[0])


def test_a_string_that_stays_open_ends_the_hope_for_a_message():
    pieces = Pieces()
    first, second = lines('{\n"a": "half')
    assert pieces.starts(first)
    assert not pieces.goes_on(second)


def test_no_more_pieces_are_held_than_a_message_may_have(monkeypatch):
    monkeypatch.setattr(module, "MAX_PIECES", 3)
    assert held(lines("{\n[\n[")) is not None
    assert held(lines("{\n[\n[\n[")) is None
    monkeypatch.setattr(module, "MAX_PIECES_BYTES", 2)
    assert held(lines("{\n[\n[")) is None


@pytest.mark.parametrize(
    ("text", "wanted"), [("{[", 2), ("]}", -2), ('{"}": "\\"{"', 1), ("", 0), ('"', None), ('"a\\', None)]
)
def test_brackets_within_strings_do_not_count(text, wanted):
    assert depth(text) == wanted
