"""A value over several lines, as far as it has come."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcptap.shim.divert.open_value import BROKEN, CLOSED, OPEN, OpenValue

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=50)
@given(st.lists(VALUES, min_size=1, max_size=3) | st.dictionaries(st.text(), VALUES, min_size=1, max_size=3))
def test_what_a_pretty_printer_writes_is_open_up_to_its_last_line(value: Any) -> None:
    lines = json.dumps(value, indent=1).split("\n")
    open_value = OpenValue()
    assert [open_value.feed(line) for line in lines] == [OPEN] * (len(lines) - 1) + [CLOSED]


@pytest.mark.parametrize(
    "text",
    [
        "{ name: 'x'", "[INFO] started", "[2026-12-01 10:00] started", '{"a" 1', '{"a":,', "{,", "[,", "[1 2",
        "[}", '["a": 1', '{"a": 1]', "{1", '{"a": tru', "[1, nul", '["open', "text", '"scalar"', "[01",
    ],
)  # fmt: skip
def test_what_is_no_json_so_far_is_broken(text: str) -> None:
    assert OpenValue().feed(text) == BROKEN


@pytest.mark.parametrize("text", ["{", "[", '{"a": [', '["a",', '{"a":', "  [ 1, -2.5e3"])
def test_what_may_go_on_is_open(text: str) -> None:
    assert OpenValue().feed(text) == OPEN


def test_what_stands_behind_the_end_is_not_looked_at() -> None:
    assert OpenValue().feed('{"a": []} and text') == CLOSED


@pytest.mark.parametrize("text", ["[", '["ab', '["a\\', "[tr", "[-", "[12.", "[nul", '{"a": fals'])
def test_bytes_that_go_on_may_end_within_a_token(text: str) -> None:
    assert OpenValue().feed(text, goes_on=True) == OPEN


@pytest.mark.parametrize("text", ["[I", "[2026-1", "[True", "[ x"])
def test_bytes_that_go_on_may_be_no_json_already(text: str) -> None:
    assert OpenValue().feed(text, goes_on=True) == BROKEN
