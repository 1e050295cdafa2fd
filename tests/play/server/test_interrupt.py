"""What ends early when a signal comes."""

import os
import signal

import pytest
import trio

from mcptap.errors import UserError
from mcptap.play.server.interrupt import unless_interrupted


def test_what_is_not_interrupted_gives_its_value():
    async def play():
        await trio.lowlevel.checkpoint()
        return "done"

    assert trio.run(unless_interrupted, play) == ("done", 0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_cancels_it_and_is_told(number):
    cleaned = []

    async def play():
        os.kill(os.getpid(), number)
        try:
            await trio.sleep_forever()
        finally:
            cleaned.append(True)

    before = signal.getsignal(number)
    assert trio.run(unless_interrupted, play) == (None, number)
    assert cleaned == [True]
    assert signal.getsignal(number) is before


def test_a_sentence_for_the_user_comes_out_as_it_is():
    async def play():
        raise UserError("no such server")

    with pytest.raises(UserError, match=r"^no such server$"):
        trio.run(unless_interrupted, play)
