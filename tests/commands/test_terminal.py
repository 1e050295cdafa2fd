import os
import pty

import pytest

from mcptap.commands import terminal
from mcptap.errors import UserError
from tests.commands.pseudo_terminal import shown_by


def test_without_a_terminal_the_reason_is_given(monkeypatch):
    monkeypatch.setattr(terminal, "TERMINAL", "/no/such/terminal")
    with pytest.raises(UserError, match="no way to ask"):
        terminal.ask(["a"], "b? ", "no way to ask")


@pytest.mark.parametrize("hidden", [False, True])
def test_the_answer_is_a_line_and_nothing_of_the_question_is_obeyed(monkeypatch, hidden):
    ours, theirs = pty.openpty()
    monkeypatch.setattr(terminal, "TERMINAL", os.ttyname(theirs))
    os.write(ours, b"yes\n")
    assert terminal.ask(["a\x1b[2J"], "b? ", "", hidden=hidden) == "yes"
    shown = shown_by(ours, theirs)
    assert b"a\xe2\x90\x9b[2J" in shown
    assert b"\x1b" not in shown


def test_of_a_question_that_is_longer_than_the_screen_it_is_said_how_long_it_is(monkeypatch):
    ours, theirs = pty.openpty()
    monkeypatch.setattr(terminal, "TERMINAL", os.ttyname(theirs))
    os.write(ours, b"n\n")
    terminal.ask(["run evil", *[" "] * terminal.LONG], "b? ", "")
    assert b"read what has left the screen" in shown_by(ours, theirs)


@pytest.mark.parametrize(
    ("typed", "means"), [("y", True), (" YES ", True), ("", False), ("yess", False), ("n", False)]
)
def test_only_y_and_yes_are_a_yes(monkeypatch, typed, means):
    ours, theirs = pty.openpty()
    monkeypatch.setattr(terminal, "TERMINAL", os.ttyname(theirs))
    os.write(ours, f"{typed}\n".encode())
    assert terminal.agrees([], "Start it?", "") is means
    assert b"Start it? [y/N] " in shown_by(ours, theirs)
