"""Texts that may tell a failure, and those that can't."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcptap.diagnosis.engine.failure_words import SHORT_TEXT, begins_like_failure, may_tell_failure


@pytest.mark.parametrize("text", ["Error: gone", "** FAILED: gone", "err: x", 'Unknown harbour: "Oban"'])
def test_words_for_a_failure_at_the_beginning_count(text):
    assert begins_like_failure(text)
    assert may_tell_failure(text, "tide_table")


@pytest.mark.parametrize("text", ["High water at Oban", "errors: 0", "error rates fell", "no error", ""])
def test_other_texts_tell_none(text):
    assert not begins_like_failure(text)
    assert not may_tell_failure(text, "tide_table")


def test_objects_and_texts_with_the_name_of_the_tool_may_tell_one():
    assert may_tell_failure(' {"error": 1}', "a")
    assert may_tell_failure("there is no tide_table here", "tide_table")
    assert not may_tell_failure("there is no table here", "")


@given(st.sampled_from(["Error: gone ", "{", "tide_table "]), st.integers(0, 400))
def test_a_long_text_tells_none(begin: str, more: int):
    text = begin + "x" * more
    assert may_tell_failure(text, "tide_table") == (len(text) <= SHORT_TEXT)
