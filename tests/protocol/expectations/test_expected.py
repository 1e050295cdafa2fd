"""What is measured for expectations: answers by name, the opening, and how exact the times are."""

from mcptap.protocol.expectations.expectation import expectation
from mcptap.protocol.expectations.expected import MAX_NAMES, MAX_SLOW, Expected, name_of
from mcptap.protocol.model.request import Request
from mcptap.wire import CLIENT_TO_SERVER

LIMIT = expectation("max-latency", "tools/call=5")


def answered(number: int, took_us: int, tool: str = "forecast", at_us: int = 0) -> Request:
    request = Request(CLIENT_TO_SERVER, number, "tools/call", number, at_us)
    request.tool, request.answer, request.answered_us = tool, number + 1, at_us + took_us
    return request


def test_late_answers_are_counted_and_the_slowest_is_kept():
    expected = Expected([LIMIT])
    for number, took_us in ((2, 9_000), (4, 1_000), (6, 20_000)):
        expected.take_answer(answered(number, took_us), 0)
    answers = expected.answers[LIMIT]["tools/call forecast"]
    assert (answers.count, answers.over, answers.slow) == (3, 2, [3, 7])
    assert answers.worst is not None
    assert (answers.worst.number, answers.worst_us) == (6, 20_000)


def test_the_time_in_which_the_client_was_asked_is_not_the_servers():
    expected = Expected([LIMIT])
    expected.take_answer(answered(2, 9_000), 8_000)
    assert expected.answers[LIMIT]["tools/call forecast"].worst_us == 1_000


def test_what_is_kept_is_bounded():
    expected = Expected([LIMIT])
    for number in range(2 * MAX_NAMES):
        expected.take_answer(answered(number, 9_000, f"tool {number}"), 0)
        expected.take_answer(answered(number, 9_000, "tool 0"), 0)
    assert len(expected.answers[LIMIT]) == MAX_NAMES
    assert len(expected.answers[LIMIT]["tools/call tool 0"].slow) == MAX_SLOW
    assert expected.answers[LIMIT]["tools/call tool 0"].count == 2 * MAX_NAMES + 1


def test_the_opening_is_the_request_that_is_answered_first():
    expected = Expected([LIMIT])
    silent, served = answered(2, 0), answered(3, 5)
    expected.take_request(silent)
    assert expected.opening is silent
    expected.take_request(served)
    assert expected.opening is silent
    expected.take_answer(served, 0)
    expected.take_answer(silent, 0)
    assert expected.opening is served


def test_a_name_is_the_method_with_the_tool_if_there_is_one():
    assert name_of(answered(2, 0)) == "tools/call forecast"
    assert name_of(answered(2, 0, tool="")) == "tools/call"
