"""What errors of parsers tell of the line that they could not use."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.captures.logs.rejections import Rejection, is_about_shape, rejected, rejection_of
from mcptap.recording.format.lines import BEGINS
from mcptap.recording.format.model import Event, Line

AT = (7, 1000, 2000)


@pytest.mark.parametrize(
    ("said", "known"),
    [
        ("Unexpected token 'h', \"harbour da\"... is not valid JSON", Rejection("harbour da")),
        ("Unexpected token 'S', \"Starting\" is not valid JSON", Rejection("Starting", whole=True)),
        ('Unexpected token \'"\', "say "hi" to"... is not valid JSON', Rejection('say "hi" to')),
        (
            "SyntaxError: Unexpected token '🚢', \"🚢 sails\" is not valid JSON",
            Rejection("🚢 sails", whole=True),
        ),
        ('Unexpected token \'N\', ..."depth":NaN}" is not valid JSON', Rejection("")),
        ('Unexpected token \'N\', ..."depth":NaN,""... is not valid JSON', Rejection("")),
        ('"undefined" is not valid JSON', Rejection("undefined", whole=True)),
        ("Unexpected token h in JSON at position 0", Rejection("h")),
        ("Unexpected token i in JSON at position 3", Rejection("")),
        ("Unexpected end of JSON input", Rejection("")),
        (
            "Expected ',' or ']' after array element in JSON at position 5 (line 1 column 6)",
            Rejection("["),
        ),
        ("Expected property name or '}' in JSON at position 1 (line 1 column 2)", Rejection("{")),
        ("No number after minus sign in JSON at position 3 (line 1 column 4)", Rejection("")),
        ("Unexpected non-whitespace character after JSON at position 4", Rejection("")),
        ("Bad control character in string literal in JSON at position 30", Rejection("")),
        ('JSON Parse error: Unexpected identifier "harbour"', Rejection("harbour")),
        ("JSON Parse error: Unrecognized token '#'", Rejection("#")),
        ("JSON Parse error: Unexpected EOF", Rejection("")),
    ],
)
def test_the_beginning_of_a_line_is_told_by_the_error(said: str, known: Rejection):
    assert rejection_of(said) == known


@pytest.mark.parametrize(
    "said",
    [
        "MCP error -32000: Connection closed",
        "spawn npx ENOENT",
        "read EPIPE",
        "Received a response for an unknown message ID: {}",
        "the harbour said: Unexpected end of JSON input",
        "",
    ],
)
def test_other_errors_tell_of_no_line(said: str):
    assert rejection_of(said) is None
    assert rejected(said, AT) is None


def test_a_text_that_is_quoted_whole_is_the_line_and_a_beginning_is_one():
    whole = rejected("Unexpected token 'S', \"Starting\" is not valid JSON", AT)
    begun = rejected("Unexpected token 'h', \"harbour da\"... is not valid JSON", AT)
    assert isinstance(whole, Line)
    assert (whole.number, whole.t_us, whole.wall_us, whole.data, whole.known) == (*AT, b"Starting", "")
    assert isinstance(begun, Line)
    assert (begun.data, begun.known) == (b"harbour da", BEGINS)


def test_json_that_is_no_message_is_told_as_a_line_that_the_client_rejected():
    dump = '[\n{"code": "invalid_union",\n"message": "Unrecognized key(s) in object: \'result\'"}\n]'
    assert is_about_shape(dump)
    found = rejected(dump, AT)
    assert isinstance(found, Event)
    assert found.fields["rejected"] == "s2c"
    assert found.fields["text"] == "Unrecognized key(s) in object: 'result'"


def test_a_result_that_does_not_fit_is_no_line_that_was_rejected():
    dump = '[{"code": "invalid_type", "path": ["tools", 0, "inputSchema"], "message": "Required"}]'
    found = rejected(dump, AT)
    assert isinstance(found, Event)
    assert "rejected" not in found.fields
    assert "Required" in found.fields["text"]


@given(st.text())
def test_any_sentence_is_taken(said: str):
    rejected(said, AT)
    rejected(f"Unexpected token {said} is not valid JSON", AT)
