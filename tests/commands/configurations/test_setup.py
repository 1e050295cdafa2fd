"""`mcptap setup`: asked, written, waited for, and judged."""

from __future__ import annotations

import os
import pty
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mcptap.commands import terminal
from mcptap.commands.configurations import setup
from mcptap.recording.retention import standing_limit
from tests.commands.configurations.homes import CODEX, PROJECT, Home, make_home
from tests.helpers import END, call, handshake, record

HANGS = [*handshake(), ("c2s", call(1, "forecast")), ("s2c", b"print()\n"), *END]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    return make_home(tmp_path.resolve(), monkeypatch, capsys)


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Types lines on the terminal, before they are asked for."""
    ours, theirs = pty.openpty()
    monkeypatch.setattr(terminal, "TERMINAL", os.ttyname(theirs))
    yield lambda text: void(os.write(ours, text.encode()))
    os.close(ours)
    os.close(theirs)


def void(_: object) -> None: ...


def test_three_answers_lead_to_the_verdict(
    home: Home, monkeypatch: pytest.MonkeyPatch, types: Callable[[str], None]
) -> None:
    folder = home.folder / "state" / "mcptap" / "recordings" / "clock"

    def use(_: float) -> None:
        now = datetime.fromtimestamp(time.time(), UTC)
        record(folder / f"{now:%Y%m%dT%H%M%S.%f}Z-1.jsonl", HANGS, name="clock")

    monkeypatch.setattr(setup.time, "sleep", use)
    types("clock\ny\n30d\n")
    status, out, err = home.run("setup", "--mcptap", home.mcptap)
    assert (status, err) == (1, "")
    assert b"mcptap" in home.codex.read_bytes()
    assert "3  clock (Codex, user)" in out
    assert standing_limit(os.environ).words() == "--older-than 30d"
    assert "Now use clock as always: waiting for the first session" in out
    assert out.index("waiting") < out.index("print()")


def test_enter_means_all_and_no_writes_nothing(home: Home, types: Callable[[str], None]) -> None:
    types("\nn\n")
    status, out, err = home.run("setup", "--mcptap", home.mcptap)
    assert (status, err) == (2, "mcptap: nothing was changed\n")
    assert out.count("+ ") >= 5
    assert home.codex.read_bytes() == CODEX


def test_an_interrupt_ends_the_waiting_in_peace(
    home: Home, monkeypatch: pytest.MonkeyPatch, types: Callable[[str], None]
) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(setup.time, "sleep", interrupt)
    types("y\n\n")  # there is one server only, so that nobody asks which
    status, out, err = home.run("setup", "--mcptap", home.mcptap, "--client", "codex")
    assert (status, err) == (0, "")
    assert "Not waiting any longer. Later: mcptap ls, mcptap check latest" in out
    assert b"mcptap" in home.codex.read_bytes()


def test_it_ends_with_the_writing_if_that_is_wished(home: Home, types: Callable[[str], None]) -> None:
    types("y\na lot\n")
    status, out, err = home.run(
        "setup", "--no-wait", "--mcptap", home.mcptap, "--config", ".mcp.json", "--client", "claude-code"
    )
    assert status == 0
    assert "waiting" not in out
    assert "no limit was saved: 'a lot' is no size" in err
    assert standing_limit(os.environ).is_none
    assert home.project.read_bytes() != PROJECT


def test_without_servers_there_is_nothing_to_ask(home: Home) -> None:
    home.claude.unlink()
    home.codex.unlink()
    home.project.unlink()
    assert home.run("setup") == (0, "", f"mcptap: {setup.NONE_HERE}\n")
    assert "--config" in setup.NONE_HERE
    home.project.write_bytes(PROJECT)
    status, out, err = home.run("setup")
    assert (status, err) == (0, "mcptap: no server here can be put behind mcptap\n")
    assert "which others share" in out


def test_without_a_terminal_it_says_what_does_without(home: Home) -> None:
    status, _, err = home.run("setup")
    assert status == 2
    assert "mcptap wrap SERVER or --all does without" in err
    status, _, err = home.run("setup", "--mcptap", home.mcptap, "--client", "codex")
    assert (status, err.count("mcptap wrap has --yes")) == (2, 1)
    assert home.run("wrap")[0] == 2


def test_an_answer_that_is_none_changes_nothing(home: Home, types: Callable[[str], None]) -> None:
    types("1 9\n")
    status, _, err = home.run("setup")
    assert status == 2
    assert "'9' is none of the numbers 1 to 3; nothing was changed" in err
