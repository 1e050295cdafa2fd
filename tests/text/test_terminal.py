from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from mcptap.text.terminal import Terminal, cut, decoded, padded, visible


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_control_sequences_are_shown_and_not_sent() -> None:
    assert visible("\x1b[31mred\x07\x00\x7f") == "␛[31mred␇␀␡"
    assert visible("a\tb\r") == "a␉b␍"
    assert visible("\x9b31m \u202eabc\u2066 \ufeff{ \U000e0041") == (
        "<U+009B>31m <U+202E>abc<U+2066> <U+FEFF>{ <U+E0041>"
    )


def test_bytes_that_are_not_utf8_are_shown_as_hex() -> None:
    assert decoded(b"caf\xe9 \xff\x1b") == "caf\\xe9 \\xff␛"


def test_ordinary_text_stays_as_it_is() -> None:
    for text in ("naïve", "日本語", "👨‍👩‍👧 ❤️", "می‌خواهم"):
        assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("日本語", 6, "日本語"),
        ("日本語", 5, "日本…"),
        ("日本語", 4, "日…"),
        ("日本語", 1, "…"),
        ("abc", 0, ""),
        ("", 0, ""),
    ],
)
def test_text_is_cut_by_columns(text: str, width: int, shown: str) -> None:
    assert cut(text, width) == shown


@given(st.text(max_size=60), st.integers(0, 50))
def test_cut_text_fits_and_is_whole_where_it_can_be(text: str, width: int) -> None:
    text = visible(text)
    shown = cut(text, width)
    assert cell_len(shown) <= width
    if cell_len(text) <= width:
        assert shown == text
    assert cell_len(padded(text, width)) == width


@given(st.text() | st.binary().map(decoded))
def test_nothing_that_drives_a_terminal_is_left(text: str) -> None:
    allowed = {"\u200c", "\u200d"}  # joiners, which scripts and emoji need
    for character in visible(text):
        category = unicodedata.category(character)
        assert category not in ("Cc", "Cs", "Zl", "Zp"), hex(ord(character))
        assert category != "Cf" or character in allowed or ord(character) > 0x600, hex(ord(character))


def test_colour_is_for_terminals_that_want_it() -> None:
    assert Terminal(Screen(), {"TERM": "xterm"}).paint("x", "error") == "\x1b[1;31mx\x1b[0m"
    assert Terminal(Screen(), {"TERM": "xterm", "NO_COLOR": "1"}).paint("x", "error") == "x"
    assert Terminal(Screen(), {"TERM": "dumb"}).paint("x", "error") == "x"
    assert Terminal(io.StringIO(), {"TERM": "xterm"}).paint("x", "error") == "x"


def test_a_pipe_gets_whole_lines() -> None:
    assert Terminal(io.StringIO(), {}).fit("x" * 500) == "x" * 500
    assert len(Terminal(Screen(), {}).fit("x" * 500, 10)) == Terminal(Screen(), {}).width - 10
