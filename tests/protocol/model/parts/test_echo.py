"""Which lines of a server are the client's own, come back."""

from __future__ import annotations

from mcptap.protocol.model.parts.echo import KEPT, LONGEST, WINDOW_US, Echo
from tests.diagnosis.sessions import line, message

LIST = message(id=1, method="tools/list")
PING = message(id=2, method="ping")


def test_a_line_that_only_a_client_may_send_is_an_echo_and_only_once() -> None:
    echo = Echo()
    echo.take_sent(line(2, "c2s", LIST))
    assert echo.repeats(line(3, "s2c", LIST, eol=b"\r\n")) == 2
    assert echo.repeats(line(4, "s2c", LIST)) is None


def test_what_either_side_may_send_is_one_only_beside_another() -> None:
    echo = Echo()
    echo.take_sent(line(2, "c2s", PING))
    assert echo.repeats(line(3, "s2c", PING)) is None
    echo.take_sent(line(4, "c2s", LIST))
    assert echo.repeats(line(5, "s2c", LIST)) == 4
    assert echo.repeats(line(6, "s2c", PING)) == 2


def test_what_comes_late_or_is_long_or_long_ago_is_none() -> None:
    echo = Echo()
    echo.take_sent(line(2, "c2s", LIST, 0))
    assert echo.repeats(line(3, "s2c", LIST, WINDOW_US + 1)) is None
    long = message(id=1, method="tools/list", params={"x": "x" * LONGEST})
    echo.take_sent(line(4, "c2s", long))
    assert echo.repeats(line(5, "s2c", long)) is None
    for number in range(KEPT):
        echo.take_sent(line(6 + number, "c2s", message(id=number, method="tools/call")))
    assert echo.repeats(line(99, "s2c", LIST)) is None
