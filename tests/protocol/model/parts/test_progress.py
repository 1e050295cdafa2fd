"""Progress tokens: which request a notification of progress belongs to, and for how long."""

import pytest

from mcptap.protocol.model.parts.progress import LATELY, RACE_US, Tokens
from mcptap.protocol.model.request import Request


def asked(tokens, token, number=2):
    """A request that carries this token."""
    request = Request("c2s", number, "tools/call", number, 0)
    request.token = token
    tokens.give(token, request)
    return request


def answer(tokens, request, t_us):
    request.answer, request.answered_us = request.number + 1, t_us
    tokens.close(request, t_us)


def test_a_token_is_found_until_its_answer_is_so_old_that_nothing_can_cross_it():
    tokens = Tokens()
    first, second = asked(tokens, "a"), asked(tokens, "b", 4)
    answer(tokens, first, 100)
    assert tokens.find("a").request is first
    answer(tokens, second, 100 + RACE_US + 1)
    assert tokens.find("a") is None
    assert tokens.was_given("a")
    assert tokens.find("b").request is second
    assert not tokens.was_given("b")


def test_a_token_that_a_task_keeps_outlives_its_answer():
    tokens = Tokens()
    first, second = asked(tokens, "a"), asked(tokens, "b", 4)
    tokens.keep("a")
    tokens.keep("unknown")
    answer(tokens, first, 100)
    answer(tokens, second, 100 + RACE_US + 1)
    assert tokens.find("a").request is first


def test_two_open_requests_with_one_token_clash():
    tokens = Tokens()
    first = asked(tokens, 1)
    assert tokens.clash is None
    asked(tokens, 1, 4)
    assert tokens.clash is first
    asked(tokens, 2, 6)
    assert tokens.clash is None


@pytest.mark.parametrize("member", ["answer", "cancel"])
def test_a_token_may_be_used_again_after_an_answer_or_a_cancellation(member):
    tokens = Tokens()
    setattr(asked(tokens, 1), member, 3)
    asked(tokens, 1, 4)
    assert tokens.clash is None


def test_a_token_in_the_other_json_type_is_told_apart_and_found():
    tokens = Tokens()
    request = asked(tokens, 5)
    assert tokens.find("5") is None
    assert tokens.find_other_type("5").request is request
    assert tokens.find_other_type("x") is None


def test_progress_keeps_the_last_two_numbers_and_counts_all():
    tokens = Tokens()
    asked(tokens, 1)
    progress = tokens.find(1)
    for value in (0.5, "half", True, 2):
        progress.advance(value)
    assert (progress.previous, progress.last, progress.count) == (0.5, 2, 4)


def test_what_is_remembered_of_answered_requests_is_bounded():
    tokens = Tokens()
    for token in range(LATELY + 2):
        answer(tokens, asked(tokens, token), 0)
    assert tokens.find(0) is None
    assert tokens.find(2) is not None


def test_of_very_many_tokens_none_is_called_unknown(monkeypatch):
    monkeypatch.setattr("mcptap.protocol.model.parts.progress.MAX_LIVE", LATELY)
    tokens = Tokens()
    for number in range(LATELY + 1):
        asked(tokens, number, number)
    assert tokens.find(LATELY) is None
    assert tokens.was_given(LATELY)
