from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from mcptap.jsontext.tree import Number, Object, dumps, parse, parse_deep, plain
from tests.jsontext.values import DEEP, INDENTS, NEARLY_JSON, VALUES


@given(VALUES, INDENTS)
def test_any_json_is_written_as_it_was_read(value: Any, indent: int | str | None) -> None:
    tree = parse(json.dumps(value, indent=indent))
    assert json.loads(dumps(tree)) == value
    assert json.loads(dumps(tree, 2)) == value
    assert plain(tree) == value


@given(VALUES)
def test_the_written_form_is_that_of_python_s_own_writer(value: Any) -> None:
    tree = parse(json.dumps(value))
    assert dumps(tree) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert dumps(tree, 2) == json.dumps(value, ensure_ascii=False, indent=2)


def test_numbers_and_doubled_keys_stay_as_they_are() -> None:
    text = '{"a":1.0e2,"a":12345678901234567890,"b":[-0,NaN]}'
    tree = parse(text)
    assert tree == Object(
        [("a", Number("1.0e2")), ("a", Number("12345678901234567890")), ("b", [Number("-0"), Number("NaN")])]
    )
    assert dumps(tree) == text


@given(NEARLY_JSON)
def test_any_text_is_read_or_is_an_error(text: str) -> None:
    try:
        tree = parse(text)
    except ValueError:
        return
    assert parse(dumps(tree)) == tree


def test_a_deep_value_is_an_error_to_read_and_none_to_write() -> None:
    with pytest.raises(ValueError, match="nests too deep"):
        parse("[" * DEEP + "]" * DEEP)
    value: list[Any] = []
    for _ in range(DEEP):
        value = [value]
    assert dumps(value) == "[" * (DEEP + 1) + "]" * (DEEP + 1)


def test_a_value_is_parsed_however_deep_it_nests():
    text = '{"a":[' * 3000 + '1.50,"x",{"b":null,"b":true}' + "]}" * 3000
    assert dumps(parse_deep(text)) == text
    assert parse_deep('{"a":1.0}') == parse('{"a":1.0}')
    for bad in (text + "]", text[:-1], "[" * 3000):
        with pytest.raises(ValueError, match=r"."):
            parse_deep(bad)
