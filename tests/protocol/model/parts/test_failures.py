"""Requests of the client that came to nothing."""

from typing import Any

import pytest

from mcptap.protocol.model.parts.failures import MAX_KEPT
from mcptap.protocol.model.session import Session
from tests.diagnosis.sessions import line, message


def session(*pairs: tuple[bytes, bytes | None]) -> Session:
    made = Session(None)
    number = 1
    for asked, answer in pairs:
        for channel, data in (("c2s", asked), ("s2c", answer)):
            number += 1
            if data is not None:
                made.feed(line(number, channel, data, number * 1_000_000))
    return made


def call(key: int) -> bytes:
    return message(id=key, method="tools/call", params={"name": "forecast", "arguments": {}})


def is_error(key: int, *texts: Any) -> bytes:
    return message(id=key, result={"content": [*texts], "isError": True})


def error(key: int, code: int, said: object = "No.") -> bytes:
    return message(id=key, error={"code": code, "message": said})


def test_calls_that_failed_are_counted_with_what_was_said():
    failed = session(
        (call(1), is_error(1, {"type": "image"}, {"type": "text", "text": "no such city"})),
        (call(2), error(2, -32602, "bad city")),
        (call(3), error(3, -32601, "no such tool")),
        (call(4), is_error(4)),
        (call(5), error(5, -32602, 7)),
        (call(6), message(id=6, result={"content": []})),
    ).failures
    assert (failed.calls, failed.others) == (5, 0)
    assert [failure.text for failure in failed.first] == ["no such city", "bad city", "no such tool", "", ""]
    assert [failure.number for failure in failed.first] == [3, 5, 7, 9, 11]


@pytest.mark.parametrize(
    ("method", "code", "others"),
    [("resources/read", -32002, 1), ("prompts/list", -32601, 0), ("server/discover", -32602, 0)],
)
def test_what_a_client_asks_in_order_to_learn_it_is_no_failure(method: str, code: int, others: int):
    failed = session((message(id=1, method=method), error(1, code))).failures
    assert (failed.calls, failed.others) == (0, others)


def test_what_the_client_calls_off_came_to_nothing_also_if_it_was_answered():
    gone = message(method="notifications/cancelled", params={"requestId": 1, "reason": "timed out"})
    for answer in (None, message(id=1, result={"content": []})):
        failed = session((call(1), answer), (gone, None)).failures
        assert failed.calls == 1
        (failure,) = failed.first
        assert failure.text == "timed out"
        assert failure.cancelled_us == 2_000_000


def test_the_end_of_a_subscription_is_no_failure():
    gone = message(method="notifications/cancelled", params={"requestId": 1})
    failed = session((message(id=1, method="subscriptions/listen"), None), (gone, None)).failures
    assert (failed.calls, failed.others) == (0, 0)


def test_only_the_first_failures_are_kept():
    failed = session(*((call(key), error(key, -1)) for key in range(MAX_KEPT + 5))).failures
    assert failed.calls == MAX_KEPT + 5
    assert len(failed.first) == MAX_KEPT
