"""The start of a session, step by step."""

from mcptap.protocol.statistics.startup import Startup


def test_a_start_that_did_not_happen_has_no_steps():
    assert Startup().steps() == []


def test_the_steps_that_were_reached_are_named_in_their_order():
    start = Startup()
    start.listed_us, start.spawn_us, start.answered_us = 30, 0, 20
    assert start.steps() == [("spawn", 0), ("initialize answered", 20), ("tools listed", 30)]


def test_the_answer_is_named_by_the_method_that_opened_the_session():
    start = Startup()
    start.method, start.answered_us = "server/discover", 5
    assert start.steps() == [("server/discover answered", 5)]
