from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.scanner import member_spans, members, spans, value_end
from tests.jsontext.values import DEEP, INDENTS, NEARLY_JSON, VALUES


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


@given(VALUES, INDENTS)
def test_every_span_is_the_text_of_its_value(value: Any, indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    found = list(spans(text))
    for span in found:
        assert json.loads(text[span.start : span.end]) == at(value, span.path)
        if span.name_start >= 0:
            assert text[span.name_start : span.start].startswith(json.dumps(span.path[-1]))
    assert found[-1].path == ()


@given(NEARLY_JSON)
def test_text_has_spans_where_parsers_read_it_and_else_an_error(text: str) -> None:
    try:
        found = list(spans(text))
    except ValueError:
        with pytest.raises(orjson.JSONDecodeError):
            orjson.loads(text)
        return
    end = found[-1].end
    if not text[end:].strip(" \t\r\n"):
        assert json.loads(text) == json.loads(text[found[-1].start : end])


def test_names_places_and_values_of_an_example() -> None:
    text = '{"a":[1,{"b":null}],"a":{}}'
    assert [
        (span.path, text[span.start : span.end], span.value, span.name_start) for span in spans(text)
    ] == [
        (("a", 0), "1", 1, -1),
        (("a", 1, "b"), "null", None, 9),
        (("a", 1), '{"b":null}', {}, -1),
        (("a",), '[1,{"b":null}]', [], 1),
        (("a",), "{}", {}, 20),
        ((), text, {}, -1),
    ]


@pytest.mark.parametrize(
    "text", ["", "[", "[1", "[1,", "[1}", '{"a":1]', '{"a"}', "{1:2}", "[1 2]", '{"a":1,}']
)
def test_bad_json_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        list(spans(text))


@given(st.dictionaries(st.text(), VALUES, max_size=5), INDENTS)
def test_each_member_is_found_as_it_is_spelled(value: dict[str, object], indent: int | str | None) -> None:
    text = json.dumps(value, indent=indent)
    found = members(text)
    assert found is not None
    assert {name: json.loads(spelled) for name, spelled in found.items()} == value
    assert [name for name, _, _ in member_spans(text)] == list(value)


def test_spelling_is_kept_and_of_a_doubled_name_the_last_counts() -> None:
    assert members('{"a": 1.50, "b" :"\\u0041" , "a":{ } }') == {"a": "{ }", "b": '"\\u0041"'}
    assert members(" { } ") == {}


@pytest.mark.parametrize(
    "text", ["", "[]", "1", "{", '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a" 1}', "{1:2}", '{"a":1 "b":2}']
)
def test_what_is_no_object_has_no_members(text: str) -> None:
    assert members(text) is None


@given(NEARLY_JSON)
def test_any_text_has_members_or_none(text: str) -> None:
    members(text)


@pytest.mark.parametrize(("left", "right"), [("[", "]"), ('{"a":', "}"), ('[{"]":', "}]")])
def test_depth_is_no_limit(left: str, right: str) -> None:
    depth = DEEP // (len(left) - len(left.strip("[{")) or 1)
    value = left * depth + '"}]{[\\""' + right * depth
    text = f'{{"deep":{value},"id":7}}'
    assert members(text) == {"deep": value, "id": "7"}
    assert value_end(value, 0) == len(value)
    found = list(spans(text))
    assert len(found) >= depth + 3
    assert found[-1].path == ()


def test_a_deep_value_that_never_ends_is_an_error() -> None:
    assert members('{"deep":' + "[" * DEEP) is None
