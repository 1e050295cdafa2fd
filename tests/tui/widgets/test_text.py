from __future__ import annotations

import pytest

from mcptap.tui.widgets.text import visible, visible_bytes


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("❤\ufe0f", "❤"),
        ("👨\u200d👩\u200d👧", "👨👩👧"),
        ("a\u200db\ufe0f", "a<U+200D>b<U+FE0F>"),
        ("\x1b[31m\u202e", "␛[31m<U+202E>"),
    ],
)
def test_an_emoji_has_no_joiners_on_the_screen_and_all_else_is_as_everywhere(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible_bytes(text.encode()) == shown


def test_bytes_that_are_not_utf8_are_shown_as_hex() -> None:
    assert visible_bytes(b"\xff\xfe\n") == "\\xff\\xfe␊"
