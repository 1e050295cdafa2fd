"""Replaced values: what parsers read in their place, and not a byte of the rest is another."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mcptap.jsontext.splice import SAME, change_values, member_span, rename_members
from tests.jsontext.values import DEEP, INDENTS, VALUES


@given(st.dictionaries(st.text(), VALUES, min_size=1), st.booleans(), INDENTS, st.data())
def test_a_span_holds_the_member_s_value_and_nothing_else(
    message: dict[str, Any], ascii_only: bool, indent: int | str | None, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(message)))
    line = json.dumps(message, ensure_ascii=ascii_only, indent=indent).encode(errors="surrogatepass")
    span = member_span(line, name)
    if span is None:  # a lone surrogate is no UTF-8
        assert "\\ud" in ascii(message)
        return
    assert json.loads(line[slice(*span)]) == message[name]


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_have_a_span_or_none_and_never_an_error(data: bytes) -> None:
    assert member_span(data, "id") is None or b"id" in data or b"\\u" in data


def test_of_a_repeated_name_the_last_counts_as_for_parsers() -> None:
    line = b'{"id": 1, "id" : 22}'
    assert member_span(line, "id") == (17, 19)


def test_a_path_leads_inward() -> None:
    line = '{"é": 1, "params": {"_meta": {"t": "x"}}}'.encode()
    span = member_span(line, "params", "_meta", "t")
    assert span is not None
    assert line[slice(*span)] == b'"x"'
    assert member_span(line, "params", "t") is None
    assert member_span(line, "é", "t") is None


@given(VALUES)
def test_changing_nothing_keeps_every_byte(value: Any) -> None:
    data = json.dumps(value, ensure_ascii=False).encode(errors="surrogatepass")
    assert change_values(data, lambda path, value: SAME) == data


@given(st.binary())
def test_bytes_that_are_no_json_stay_as_they_are(data: bytes) -> None:
    assert change_values(data, lambda path, value: SAME) == data


def test_one_value_is_changed_and_spelling_around_it_kept() -> None:
    data = b'{ "a" : 1.0e2, "params":{"cursor":"old\\u0041", "x":[ ]} }'
    changed = change_values(data, lambda path, value: "new" if path == ("params", "cursor") else SAME)
    assert changed == b'{ "a" : 1.0e2, "params":{"cursor":"new", "x":[ ]} }'


def test_only_members_of_the_named_object_get_new_names() -> None:
    data = b'{"k":1,"params":{"k":2,"inputResponses":{"k":{"k":3}, "other":4}}}'
    renamed = rename_members(data, ("params", "inputResponses"), {"k": "fresh"})
    assert renamed == b'{"k":1,"params":{"k":2,"inputResponses":{"fresh":{"k":3}, "other":4}}}'


def test_depth_is_no_limit() -> None:
    deep = b"[" * DEEP + b"1" + b"]" * DEEP
    line = b'{"deep":' + deep + b',"id":1}'
    assert member_span(line, "id") == (len(line) - 2, len(line) - 1)
    assert change_values(line, lambda path, value: 2 if path == ("id",) else SAME) == line[:-2] + b"2}"
