"""The box that asks."""

import pytest

from mcptap.tui.widgets.bars import Bar
from mcptap.tui.widgets.choice import Choice
from tests.tui.screens import alone, at_rest, played, shown, until


def asked(*keys):
    """What was done after a question with three options was answered with these keys."""
    done = []

    async def play():
        async with alone(Bar(), size=(60, 12)) as pilot:
            first = pilot.app.screen
            options = [(word, lambda word=word: done.append(word)) for word in ("no", "yes", "may\x1bbe")]
            await pilot.app.push_screen(Choice("Really?", options))
            await at_rest(pilot)
            text = "\n".join(shown(pilot))
            for words in ("Really?", "1 no", "2 yes", "3 may␛be"):
                assert words in text
            await pilot.press(*keys)
            if keys != ("9",):
                await until(pilot, lambda: pilot.app.screen is first)
            await pilot.pause()

    played(play())
    return done


@pytest.mark.parametrize(
    ("keys", "done"),
    [
        (("enter",), ["no"]),
        (("2",), ["yes"]),
        (("j", "j", "enter"), ["may\x1bbe"]),
        (("escape",), []),
        (("q",), []),
    ],
)
def test_one_thing_is_done_or_nothing(keys, done):
    assert asked(*keys) == done


def test_a_digit_without_an_option_does_nothing():
    assert asked("9") == []
