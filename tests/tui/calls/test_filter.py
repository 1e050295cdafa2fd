"""The filter of the calls."""

import pytest

from mcptap.protocol.statistics.counts import Statistics
from mcptap.query import QueryError
from mcptap.tui.calls.filter import CallsFilter
from mcptap.tui.widgets.prompt import Prompt
from tests.tui.screens import alone, played


def test_what_is_typed_applies_and_what_is_left_does_not():
    async def play():
        prompt, told = Prompt(), []
        async with alone(prompt):
            calls = CallsFilter(prompt, "tool:a", lambda query: told.append(query.text))
            calls.ask(Statistics())
            assert prompt.input.value == "tool:a"
            assert calls.typed("tool:b")
            assert not calls.typed("latency:>>")
            assert not calls.typed("nofield:x")
            assert calls.query.text == "tool:b"
            calls.left()
            assert told == ["tool:b", "tool:a"]
            calls.remind()
            assert prompt.display
            assert calls.end()
            assert not prompt.display
            assert not calls.end()

    played(play())


def test_a_first_filter_that_is_wrong_is_an_error():
    with pytest.raises(QueryError):
        CallsFilter(Prompt(), "latency:x", lambda query: None)
