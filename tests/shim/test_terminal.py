"""A terminal as stdin is the server's own: what is typed on it is neither taken nor recorded by the tap."""

from __future__ import annotations

import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.shim.running import MCPTAP, Recording, awkward, eventually
from tests.shim.terminal import Terminal

CTRL_C, CTRL_D, CTRL_Z, CTRL_BACKSLASH = "\x03", "\x04", "\x1a", "\x1c"
Open = Callable[..., Terminal]


@pytest.fixture
def on_terminal(tmp_path: Path) -> Iterator[Open]:
    """Start something on a terminal of its own."""
    terminals = []

    def start(*leader: str, **variables: str) -> Terminal:
        terminals.append(Terminal(tmp_path, leader, **variables))
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close()


def tapped(folder: Path, *options: str) -> list[str]:
    return [*MCPTAP, "run", "--record", str(folder / "tap.jsonl"), *options, "--"]


def test_a_password_is_read_by_the_server_and_stands_nowhere(on_terminal: Open, tmp_path: Path) -> None:
    notes = []
    for prefix in ([], tapped(tmp_path)):
        terminal = on_terminal(*prefix, *awkward("ask_for_a_password", tmp_path / f"notes{len(prefix)}"))
        assert terminal.sees("password: ")
        terminal.type("open sesame\n")
        path = tmp_path / f"notes{len(prefix)}"
        assert eventually(lambda path=path: path.exists() and path.read_text().endswith("\n"))
        terminal.type(CTRL_D)
        assert terminal.status() == 0
        assert termios.tcgetattr(terminal.slave) == terminal.modes
        notes.append(path.read_text())
    assert notes == ["11 characters\n"] * 2
    assert b"sesame" not in (tmp_path / "tap.jsonl").read_bytes()


def test_what_the_server_writes_is_recorded_and_what_is_typed_is_not(
    on_terminal: Open, tmp_path: Path
) -> None:
    terminal = on_terminal(*tapped(tmp_path), *awkward("echo_twice"))
    assert terminal.sees("; not what is typed: the terminal is the server's own")
    terminal.type("hello\n")
    assert terminal.sees("hello\nhello\n")
    terminal.type(CTRL_D)
    assert terminal.status() == 0
    recording = Recording(tmp_path / "tap.jsonl")
    assert recording.header.fields["stdio"] == ["tty"] * 3
    assert recording.header.unrecorded == ["c2s"]
    assert recording.bytes("s2c") == recording.bytes("stderr") == b"hello\n"
    assert recording.bytes("c2s") == b""
    assert "c2s" not in [event.fields["ch"] for event in recording.events("eof")]
    assert b"before it answered" not in terminal.screen.data


def test_a_terminal_is_recorded_if_that_is_asked_for(on_terminal: Open, tmp_path: Path) -> None:
    terminal = on_terminal(*tapped(tmp_path, "--record-terminal", "--quiet"), *awkward("echo"))
    terminal.type("hello\n")
    assert terminal.sees("hello\n")
    terminal.type(CTRL_D)
    assert terminal.status() == 0
    recording = Recording(tmp_path / "tap.jsonl")
    assert (recording.header.unrecorded, recording.bytes("c2s")) == ([], b"hello\n")
    assert recording.events("eof")[0].fields["ch"] == "c2s"


VIEW = (
    "import os, sys\n"
    "said = os.isatty(0), os.get_terminal_size(0), os.tcgetpgrp(0) == os.getpgrp()\n"
    "print(*said, file=open(sys.argv[1], 'w'))\n"
)


def test_the_server_sees_the_terminal_as_directly(on_terminal: Open, tmp_path: Path) -> None:
    seen = []
    for number, prefix in enumerate(([], tapped(tmp_path, "--quiet"))):
        server = ["python3", "-c", VIEW, str(tmp_path / f"view{number}")]
        terminal = on_terminal(*prefix, *server)
        assert terminal.status() == 0
        seen.append((tmp_path / f"view{number}").read_text())
    assert seen[0] == seen[1]
    assert seen[0].split()[0] == seen[0].split()[-1] == "True"
