from __future__ import annotations

import io

from mcptap.text.terminal import Terminal


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals_that_want_it() -> None:
    assert Terminal(Screen(), {"TERM": "xterm"}).paint("x", "error") == "\x1b[1;31mx\x1b[0m"
    assert Terminal(Screen(), {"TERM": "xterm", "NO_COLOR": "1"}).paint("x", "error") == "x"
    assert Terminal(Screen(), {"TERM": "dumb"}).paint("x", "error") == "x"
    assert Terminal(io.StringIO(), {"TERM": "xterm"}).paint("x", "error") == "x"


def test_a_pipe_gets_whole_lines() -> None:
    assert Terminal(io.StringIO(), {}).fit("x" * 500) == "x" * 500
    assert len(Terminal(Screen(), {}).fit("x" * 500, 10)) == Terminal(Screen(), {}).width - 10
