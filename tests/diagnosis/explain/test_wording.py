"""Text of a recording within sentences."""

import json

from hypothesis import given
from hypothesis import strategies as st

from mcptap.diagnosis.explain.wording import MAX_QUOTE, as_json, in_words, quote
from mcptap.protocol.model.message import Message
from mcptap.protocol.model.session import Session
from tests.diagnosis.sessions import line, message


def taken(*lines: tuple[str, bytes]) -> Message:
    """The last of the messages of a session."""
    session = Session(None)
    messages = [session.feed(line(number, channel, data)) for number, (channel, data) in enumerate(lines, 2)]
    assert messages[-1] is not None
    return messages[-1]


def test_a_quoted_text_is_trimmed_made_visible_and_cut():
    assert quote("  a\x1b[2Jb\n") == "a␛[2Jb"
    assert quote("x" * 300) == quote("x" * 300, MAX_QUOTE)
    assert len(quote("x" * 300, 10)) <= 11


def test_a_value_is_quoted_as_json():
    assert as_json({"a": ["é", None]}) == '{"a": ["é", null]}'


TEXT = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=9)


@given(st.recursive(st.none() | st.booleans() | st.integers() | TEXT, st.lists, max_leaves=5))
def test_a_short_value_reads_back(value: object):
    assert json.loads(as_json(value, 10_000)) == value


def test_a_message_is_named_by_its_request_its_method_its_id_or_its_record():
    asked = ("c2s", message(id=3, method="tools/list"))
    assert in_words(taken(asked)) == "tools/list (id 3)"
    assert in_words(taken(asked, ("s2c", message(id=3, result={})))) == "the reply to tools/list (id 3)"
    assert in_words(taken(("c2s", message(method="notifications/x")))) == "notifications/x"
    assert in_words(taken(("s2c", message(id="a", result={})))) == 'the reply to id "a"'
    assert in_words(taken(("s2c", message(id=None, error={})))) == "record 2"
