"""A question on the user's terminal, wherever stdin and stdout go."""

from __future__ import annotations

import os
from collections.abc import Sequence

from mcptap.errors import UserError
from mcptap.text.escape import visible

TERMINAL = "/dev/tty"
MAX_ANSWER = 1 << 14
LONG = 2000
"""More characters than this may not be on the screen when the question is: the worst may stand above it."""


def ask(lines: Sequence[str], question: str, without: str, *, hidden: bool = False) -> str:
    """The line that is typed behind a question; `hidden`: what is typed is not seen.

    Raises UserError, with the sentence `without`, if there is no terminal.
    """
    try:
        terminal = os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        raise UserError(without) from None
    try:
        told = "".join(f"{visible(line)}\n" for line in lines)
        if len(told) > LONG:
            told += f"This has {len(told):,} characters; read what has left the screen, or say no.\n"
        _write(terminal, told + visible(question))
        return _hidden_line(terminal) if hidden else _line(terminal)
    finally:
        os.close(terminal)


def agrees(lines: Sequence[str], question: str, without: str) -> bool:
    """Whether the user says yes. Raises UserError, with the sentence `without`, if there is no terminal."""
    return ask(lines, f"{question} [y/N] ", without).strip().casefold() in ("y", "yes")


def _hidden_line(terminal: int) -> str:
    # Not getpass: it throws away what was typed ahead, and takes stdin where there is no terminal.
    import termios

    before = termios.tcgetattr(terminal)
    silent = [*before]
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, silent)
    try:
        return _line(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSANOW, before)
        _write(terminal, "\n")


def _line(terminal: int) -> str:
    return os.read(terminal, MAX_ANSWER).decode(errors="surrogateescape").rstrip("\r\n")


def _write(terminal: int, text: str) -> None:
    data = text.encode(errors="backslashreplace")
    while data:
        data = data[os.write(terminal, data) :]
